"""Every kind of value that the SDK's types allow: other resources' outputs, secrets, enums and types of Kubernetes."""

import pulumi
from pulumi_kubernetes.core.v1 import (
    ConfigMap,
    ContainerPatchArgs,
    PodSpecPatchArgs,
    PodTemplateSpecPatchArgs,
    SecurityContextPatchArgs,
)
from pulumi_kubernetes.meta.v1 import ObjectMetaArgs, ObjectMetaPatchArgs
from pulumi_minicluster import (
    MiniCluster,
    MiniClusterArgs,
    MiniClusterContainerArgs,
    MiniClusterPodArgs,
    MiniClusterPullPolicy,
    MiniClusterResourcesArgs,
    MiniClusterResize,
    MiniClusterTaintEffect,
    MiniClusterTolerationArgs,
    MiniClusterTolerationOperator,
    MiniClusterWait,
)

config = pulumi.Config()
namespace = config.require("namespace")

builds = ConfigMap("builds", metadata=ObjectMetaArgs(namespace=namespace, name="builds"), data={"tag": "v1"})

cluster = MiniCluster(
    "typed",
    MiniClusterArgs(
        namespace=namespace,
        size=2,
        max_size=3,
        wait=MiniClusterWait.READY,
        resize=MiniClusterResize.PATCH,
        job_labels={"build": builds.data["tag"]},
        pod=MiniClusterPodArgs(
            tolerations=[
                MiniClusterTolerationArgs(
                    key="dedicated",
                    operator=MiniClusterTolerationOperator.EXISTS,
                    effect=MiniClusterTaintEffect.NO_SCHEDULE,
                )
            ]
        ),
        pod_template=PodTemplateSpecPatchArgs(
            metadata=ObjectMetaPatchArgs(annotations={"example.com/team": "chemistry"}),
            spec=PodSpecPatchArgs(
                termination_grace_period_seconds=70,
                containers=[
                    ContainerPatchArgs(
                        name="typed", security_context=SecurityContextPatchArgs(read_only_root_filesystem=False)
                    )
                ],
            ),
        ),
        containers=[
            MiniClusterContainerArgs(
                # Known once the other object is there.
                image=pulumi.Output.concat("registry.example.com/", builds.id, ":v1"),
                image_pull_policy=MiniClusterPullPolicy.ALWAYS,
                command="app --verbose",
                environment={"LICENCE": pulumi.Output.secret("not to be seen"), "MODE": "fast"},
                resources=MiniClusterResourcesArgs(limits={"cpu": "1", "memory": "512Mi"}),
            )
        ],
    ),
)

# An integer, as a program counts with it.
pulumi.export("ranks", cluster.size.apply(lambda size: list(range(size))))
pulumi.export("first", cluster.lead_host.apply(lambda host: host.split(".")[0]))
