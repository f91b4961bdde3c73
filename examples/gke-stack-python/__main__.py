import json

import pulumi
import pulumi_gcp as gcp
import pulumi_kubernetes as k8s
from pulumi_minicluster import GkeNodePool, GkeSharedStorage, MiniCluster

config = pulumi.Config()
zone = config.require("zone")
region = zone.rsplit("-", 1)[0]
# The largest number of nodes, and of the hosts on them.
most = config.get_int("maxGpuNodes") or 2
# Google's price list, which a preview could look up, has no prices of flex start.
price = config.get_float("pricePerHour")

network = gcp.compute.Network("flux", auto_create_subnetworks=False, mtu=8896)
subnetwork = gcp.compute.Subnetwork("flux", network=network.id, region=region, ip_cidr_range="10.0.0.0/16")

# RDMA by claims (DRANET) needs Dataplane V2 and multi-networking. The default pool is for the system pods, the lead
# broker and the agent; it remains when no job runs.
cluster = gcp.container.Cluster(
    "flux",
    location=zone,
    network=network.id,
    subnetwork=subnetwork.id,
    datapath_provider="ADVANCED_DATAPATH",
    enable_multi_networking=True,
    ip_allocation_policy={},
    initial_node_count=1,
    node_config={"machine_type": "e2-standard-4"},
    addons_config={"gcp_filestore_csi_driver_config": {"enabled": True}},
    deletion_protection=False,
)


def kubeconfig(values: list[str]) -> str:
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
on_gke = pulumi.ResourceOptions(providers=[gke])

# Eight H200 GPUs and eight RDMA interfaces in each node, whose networks GKE makes. Flex start provisions nodes when
# Google has capacity, without a reservation, and GKE's autoscaler removes them. GKE installs the drivers of the GPUs
# and of the interfaces and the plugin of the GPUs, and taints the nodes; the pool installs gIB, the plugin for NCCL.
pool = GkeNodePool(
    "h200",
    cluster_name=cluster.name,
    location=zone,
    zones=[zone],
    machine_type="a3-ultragpu-8g",
    capacity_type="flexStart",
    fabric="rdma",
    fabric_by="claim",
    max_size=most,
    price={"per_hour": price} if price else None,
    opts=on_gke,
)

# NFS in the zone of the nodes. It is deleted with the stack, with its data.
storage = GkeSharedStorage(
    "data",
    kind="filestore",
    network=network.id,
    pool=pool.scheduling,
    capacity_gib=1024,
    retain_on_delete=False,
    opts=on_gke,
)

# When the queue is empty, only the lead broker and the agent run. The queue determines the pods of the group, and the
# pods determine the nodes. The settings of gIB for NCCL are sourced from the node before Flux starts.
lab = MiniCluster(
    "lab",
    lead={"resources": {"requests": {"cpu": "1", "memory": "2Gi"}}},
    container={
        "image": "ubuntu:noble",
        "volumes": {"data": {"path": "/data", "claim_name": storage.claim_name}},
    },
    groups={
        "gpu": {
            "pool": pool.scheduling,
            "autoscale": {"max": most, "idle_seconds": 600},
            "container": {
                # Ubuntu 24.04, as the Flux view by default.
                "image": "nvcr.io/nvidia/pytorch:25.03-py3",
                "volumes": {"data": {"path": "/data", "claim_name": storage.claim_name}},
            },
        },
    },
    # A terminating pod waits for its jobs to end, for at most an hour. Its node is removed after the pod.
    drain_timeout_seconds=3600,
    wait_timeout_seconds=1800,
    opts=on_gke,
)

pulumi.export("cluster", cluster.name)
pulumi.export("capacity", pool.capacity)
pulumi.export("fileSystem", storage.file_system_id)
pulumi.export("connect", lab.connect_command)
pulumi.export("diagnose", lab.diagnose_command)
