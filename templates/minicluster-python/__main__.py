import pulumi
from pulumi_minicluster import MiniCluster

# `pulumi config set size 8` and `pulumi up` grow the cluster in place, up to max_size.
lab = MiniCluster(
    "lab",
    size=pulumi.Config().require_int("size"),
    max_size=8,
    container={"image": "ubuntu:noble"},
)

pulumi.export("shell", lab.connect_command)
