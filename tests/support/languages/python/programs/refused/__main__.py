import pulumi
from pulumi_minicluster import (
    MiniCluster,
    MiniClusterContainerArgs,
    MiniClusterNetworkArgs,
    MiniClusterVolumeArgs,
)

MiniCluster(
    "refused",
    name=pulumi.Output.secret("not-to-be-seen"),
    namespace=pulumi.Config().require("namespace"),
    size=9,
    max_size=4,
    tasks=-1,
    wait="redy",
    network=MiniClusterNetworkArgs(headless_name="Not A Name"),
    logging={"quiet": True, "quite": True},
    flux={"log_level": 9, "connect_timeouts": "5s"},
    containers=[
        MiniClusterContainerArgs(
            image="ubuntu:noble",
            command="true",
            ports=[70000],
            volumes={"data": MiniClusterVolumeArgs(path="not/absolute", empty_dir=True)},
        )
    ],
)
