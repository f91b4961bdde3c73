import pulumi
from pulumi_minicluster import MiniCluster

MiniCluster(
    "newer",
    namespace=pulumi.Config().require("namespace"),
    containers=[{"image": "ubuntu:noble", "command": "true"}],
    pod_template={"spec": {"fieldOfTomorrow": 3}},
)
