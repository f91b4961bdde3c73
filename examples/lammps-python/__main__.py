import pulumi
from pulumi_minicluster import MiniCluster

config = pulumi.Config()

# `pulumi config set size 8` and `pulumi up` grow the cluster in place, up to max_size.
lammps = MiniCluster(
    "lammps",
    namespace=config.get("namespace"),
    size=config.get_int("size", 4),
    max_size=8,
    tasks=2,
    logging={"quiet": True},
    pod={"labels": {"selector": "lammps"}},
    containers=[
        {
            "image": "ghcr.io/converged-computing/metric-lammps:latest",
            "working_dir": "/opt/lammps/examples/reaxff/HNS",
            "command": "lmp -v x 2 -v y 2 -v z 2 -in in.reaxc.hns -nocite",
        }
    ],
)

pulumi.export("size", lammps.size)
pulumi.export("logs", lammps.logs_command)
pulumi.export("connect", lammps.connect_command)
pulumi.export("diagnose", lammps.diagnose_command)
