import json

import pulumi
import pulumi_aws as aws
import pulumi_awsx as awsx
import pulumi_eks as eks
import pulumi_kubernetes as k8s
from pulumi_minicluster import EksNodePool, EksSharedStorage, MiniCluster

config = pulumi.Config()
zones = config.require_object("zones")
# The largest numbers of nodes, and of the hosts on them.
most = {"cpu": 4, "gpu": config.get_int("maxGpuNodes") or 2}

# A machine with several EFA interfaces gets no public address: the nodes are in private subnets, and reach the internet
# through one NAT gateway.
vpc = awsx.ec2.Vpc(
    "flux",
    availability_zone_names=zones,
    enable_dns_hostnames=True,
    nat_gateways={"strategy": awsx.ec2.NatGatewayStrategy.SINGLE},
)

# The Cluster Autoscaler of the chart below is of the same minor version of Kubernetes, as its documentation recommends.
cluster = eks.Cluster(
    "flux",
    version="1.35",
    vpc_id=vpc.vpc_id,
    public_subnet_ids=vpc.public_subnet_ids,
    private_subnet_ids=vpc.private_subnet_ids,
    authentication_mode=eks.AuthenticationMode.API,
    skip_default_node_group=True,
)
cluster_name = cluster.eks_cluster.name
kubernetes = k8s.Provider("eks", kubeconfig=cluster.kubeconfig_json)


Role = tuple[aws.iam.Role, list[aws.iam.RolePolicyAttachment]]


def role(name: str, service: str, actions: list[str], policies: list[str]) -> Role:
    """An IAM role for a service of AWS, with managed policies of AWS."""
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": actions}
    made = aws.iam.Role(name, assume_role_policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))
    attachments = [
        aws.iam.RolePolicyAttachment(f"{name}-{policy}", role=made.name, policy_arn=f"arn:aws:iam::aws:policy/{policy}")
        for policy in policies
    ]
    return made, attachments


def pod_role(name: str, policies: list[str]) -> Role:
    """A role that pods get by EKS Pod Identity, which requires these two actions."""
    return role(name, "pods.eks.amazonaws.com", ["sts:AssumeRole", "sts:TagSession"], policies)


node_policies = ["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryReadOnly"]
node_role, node_attachments = role("nodes", "ec2.amazonaws.com", ["sts:AssumeRole"], node_policies)

# Nodes for the system pods, the Cluster Autoscaler, the lead broker and the agent. They remain when no job runs.
system = aws.eks.NodeGroup(
    "system",
    cluster_name=cluster_name,
    node_role_arn=node_role.arn,
    subnet_ids=vpc.private_subnet_ids,
    instance_types=["m7i.large"],
    ami_type="AL2023_x86_64_STANDARD",
    scaling_config={"min_size": 2, "desired_size": 2, "max_size": 2},
    opts=pulumi.ResourceOptions(depends_on=node_attachments),
)
pod_identity = aws.eks.Addon(
    "pod-identity",
    cluster_name=cluster_name,
    addon_name="eks-pod-identity-agent",
    opts=pulumi.ResourceOptions(depends_on=[system]),
)

# The Cluster Autoscaler finds the node groups by the tags that EKS sets on their Auto Scaling groups. The actions are
# those of its "Full Cluster Autoscaler Features Policy"; the second statement is limited to groups with such a tag.
scaler_role, _ = pod_role("cluster-autoscaler", [])
scaler_policy = aws.iam.RolePolicy(
    "cluster-autoscaler",
    role=scaler_role.name,
    policy=json.dumps(
        {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": [
                        "autoscaling:DescribeAutoScalingGroups",
                        "autoscaling:DescribeAutoScalingInstances",
                        "autoscaling:DescribeLaunchConfigurations",
                        "autoscaling:DescribeScalingActivities",
                        "ec2:DescribeImages",
                        "ec2:DescribeInstanceTypes",
                        "ec2:DescribeLaunchTemplateVersions",
                        "ec2:GetInstanceTypesFromInstanceRequirements",
                        "eks:DescribeNodegroup",
                    ],
                    "Resource": "*",
                },
                {
                    "Effect": "Allow",
                    "Action": ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
                    "Resource": "*",
                    "Condition": {"StringEquals": {"aws:ResourceTag/k8s.io/cluster-autoscaler/enabled": "true"}},
                },
            ],
        }
    ),
)
scaler_identity = aws.eks.PodIdentityAssociation(
    "cluster-autoscaler",
    cluster_name=cluster_name,
    namespace="kube-system",
    service_account="cluster-autoscaler",
    role_arn=scaler_role.arn,
)
autoscaler = k8s.helm.v3.Release(
    "cluster-autoscaler",
    name="cluster-autoscaler",
    namespace="kube-system",
    chart="cluster-autoscaler",
    version="9.59.0",
    repository_opts={"repo": "https://kubernetes.github.io/autoscaler"},
    values={
        "autoDiscovery": {"clusterName": cluster_name},
        "awsRegion": pulumi.Config("aws").require("region"),
        "rbac": {"serviceAccount": {"name": "cluster-autoscaler"}},
    },
    # A pod gets the role only if the association exists when the pod is created.
    opts=pulumi.ResourceOptions(provider=kubernetes, depends_on=[pod_identity, scaler_identity, scaler_policy]),
)

place = {
    "cluster_name": cluster_name,
    "node_role_arn": node_role.arn,
    "subnet_ids": vpc.private_subnet_ids,
    "zones": zones[:1],
    "price": {"list": True},
}
on_nodes = pulumi.ResourceOptions(providers=[kubernetes], depends_on=node_attachments)

cpu = EksNodePool("cpu", **place, machine_types=["c7i.24xlarge"], max_size=most["cpu"], opts=on_nodes)

# Eight H100 and 32 EFA interfaces in each node. The image of EKS has NVIDIA's driver; the pool runs the device plugins
# of NVIDIA and of EFA. The taint keeps system pods off the nodes: the autoscaler removes no node with such a pod.
gpu = EksNodePool(
    "gpu",
    **place,
    machine_types=["p5.48xlarge"],
    fabric="efa",
    local_disks="raid0",
    taints=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
    max_size=most["gpu"],
    opts=on_nodes,
)

# The CSI driver of FSx for Lustre, with the role of its controller.
fsx_role, fsx_attachments = pod_role("fsx-driver", ["AmazonFSxFullAccess"])
fsx_driver = aws.eks.Addon(
    "fsx-driver",
    cluster_name=cluster_name,
    addon_name="aws-fsx-csi-driver",
    pod_identity_associations=[{"service_account": "fsx-csi-controller-sa", "role_arn": fsx_role.arn}],
    opts=pulumi.ResourceOptions(depends_on=[pod_identity, *fsx_attachments]),
)

# In the zone of the nodes. It is deleted with the stack, with its data.
storage = EksSharedStorage(
    "data",
    kind="fsxLustre",
    cluster_name=cluster_name,
    subnet_ids=vpc.private_subnet_ids,
    pool=gpu.scheduling,
    capacity_gib=1200,
    retain_on_delete=False,
    opts=pulumi.ResourceOptions(providers=[kubernetes], depends_on=[fsx_driver]),
)

# When the queues are empty, only the lead broker and the agent run. The queue of a group determines its pods, and the
# pods determine the nodes.
lab = MiniCluster(
    "lab",
    lead={"resources": {"requests": {"cpu": "1", "memory": "2Gi"}}},
    # The view must be built for the operating system of the images; both are Ubuntu 22.04.
    flux={"container": {"image": "ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy"}},
    container={
        "image": "ubuntu:jammy",
        "volumes": {"data": {"path": "/data", "claim_name": storage.claim_name}},
    },
    groups={
        "cpu": {"pool": cpu.scheduling, "autoscale": {"max": most["cpu"], "idle_seconds": 600}},
        "gpu": {
            "pool": gpu.scheduling,
            "autoscale": {"max": most["gpu"], "idle_seconds": 600},
            "container": {
                "image": "public.ecr.aws/hpc-cloud/nccl-tests:"
                "cuda12.8.1-efa1.43.2-ofiv1.16.3-ncclv2.27.7-1-testsv2.16.9",
                "volumes": {"data": {"path": "/data", "claim_name": storage.claim_name}},
            },
        },
    },
    # A terminating pod waits for its jobs to end, for at most an hour. Its node is removed after the pod.
    drain_timeout_seconds=3600,
    # The nodes of the lead broker and the file system must exist first.
    wait_timeout_seconds=1800,
    opts=pulumi.ResourceOptions(providers=[kubernetes]),
)

pulumi.export("eksCluster", cluster_name)
pulumi.export("capacity", gpu.capacity)
pulumi.export("fileSystem", storage.file_system_id)
pulumi.export("connect", lab.connect_command)
pulumi.export("diagnose", lab.diagnose_command)
