import json

import pulumi
import pulumi_gcp as gcp
import pulumi_kubernetes as k8s
from pulumi_minicluster import GkeNodePool, MiniCluster

config = pulumi.Config()
zone = config.require("zone")
region = zone.rsplit("-", 1)[0]
sizes = {"size": config.get_int("size", 2), "max_size": 8}

network = gcp.compute.Network("flux", auto_create_subnetworks=False, mtu=8896)
subnetwork = gcp.compute.Subnetwork("flux", network=network.id, region=region, ip_cidr_range="10.0.0.0/16")

# RDMA by claims (DRANET) needs Dataplane V2 and multi-networking. The default pool runs the pods of the system.
cluster = gcp.container.Cluster(
    "flux",
    location=zone,
    network=network.id,
    subnetwork=subnetwork.id,
    datapath_provider="ADVANCED_DATAPATH",
    enable_multi_networking=True,
    ip_allocation_policy={},
    initial_node_count=1,
    deletion_protection=False,
)


def kubeconfig(values: list) -> str:
    endpoint, authority = values
    login = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "gke-gcloud-auth-plugin",
        "provideClusterInfo": True,
    }
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [
                {
                    "name": "flux",
                    "cluster": {"server": f"https://{endpoint}", "certificate-authority-data": authority},
                }
            ],
            "users": [{"name": "flux", "user": {"exec": login}}],
            "contexts": [{"name": "flux", "context": {"cluster": "flux", "user": "flux"}}],
            "current-context": "flux",
        }
    )


authority = cluster.master_auth.cluster_ca_certificate
gke = k8s.Provider("gke", kubeconfig=pulumi.Output.all(cluster.endpoint, authority).apply(kubeconfig))

# Eight H200 GPUs and eight RDMA interfaces in each node, whose networks GKE makes. The pool installs gIB, Google's plugin for NCCL.
pool = GkeNodePool(
    "h200",
    cluster_name=cluster.name,
    location=zone,
    zones=[zone],
    machine_type="a3-ultragpu-8g",
    capacity_type="reservation",
    reservation_name=config.require("reservationName"),
    fabric="rdma",
    fabric_by="claim",
    **sizes,
    opts=pulumi.ResourceOptions(providers=[gke]),
)

# One rank on each GPU. The settings of gIB for NCCL are sourced from the node before Flux starts.
nccl = MiniCluster(
    "nccl",
    **sizes,
    pool=pool.scheduling,
    wait_timeout_seconds=1800,
    tasks=8 * sizes["size"],
    logging={"quiet": True},
    containers=[
        {
            "image": "us-docker.pkg.dev/gce-ai-infra/gpudirect-gib/nccl-plugin-gib-diagnostic:v1.1.0",
            "command": "/third_party/nccl-tests/build/all_reduce_perf -b 8M -e 8G -f 2 -g 1",
        }
    ],
    opts=pulumi.ResourceOptions(providers=[gke]),
)

pulumi.export("cluster", cluster.name)
pulumi.export("capacity", pool.capacity)
pulumi.export("logs", nccl.logs_command)
pulumi.export("diagnose", nccl.diagnose_command)
