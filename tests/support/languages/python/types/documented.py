"""What the pages show: outputs of one component as arguments of another, and choices as texts."""

import pulumi
from pulumi_minicluster import BurstCluster, EksNodePool, MiniCluster, MiniClusterArgs, MiniClusterContainerArgs

pool = EksNodePool(
    "hpc7g",
    cluster_name="research",
    node_role_arn="arn",
    subnet_ids=["subnet-1"],
    machine_types=["hpc7g.16xlarge"],
    fabric="efa",
    size=2,
)
home = MiniCluster(
    "home",
    size=2,
    wait="ready",
    pool=pool.scheduling,
    containers=[{"image": "ubuntu:noble", "image_pull_policy": "Always"}],
    bursting={
        "clusters": [{"name": "cloud", "max_size": 8, "cores": 48, "pool": pool.scheduling}],
        "expose": {"node_port": {"address": "203.0.113.7"}},
    },
)
BurstCluster(
    "cloud",
    root=home.burst,
    containers=[MiniClusterContainerArgs(image="ubuntu:noble")],
)
MiniCluster("other", MiniClusterArgs(pool=pool.scheduling, wait="none", containers=[MiniClusterContainerArgs(image="ubuntu:noble")]))
pulumi.export("hosts", home.hostlist)
