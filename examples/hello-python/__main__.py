import pulumi
from pulumi_minicluster import MiniCluster, MiniClusterContainerArgs

# The smallest MiniCluster: one pod, one broker, one command.
hello = MiniCluster(
    "hello",
    namespace=pulumi.Config().get("namespace"),
    containers=[MiniClusterContainerArgs(image="ubuntu:noble", command="echo hello world")],
)

pulumi.export("logs", hello.logs_command)
