import pulumi
from pulumi_minicluster import MiniCluster

# `pulumi config set size 8` and `pulumi up` grow the cluster in place, up to max_size.
cluster = MiniCluster(
    "cluster",
    size=pulumi.Config().require_int("size"),
    max_size=8,
    interactive=True,
    containers=[{"image": "ubuntu:noble"}],
)

pulumi.export("connect", cluster.connect_command)
pulumi.export("diagnose", cluster.diagnose_command)
