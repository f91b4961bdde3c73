import type { Kube } from "../sandbox/kube";
import { createNodes, type NodeShape } from "../sandbox/nodes/simulated";
import { waitFor } from "../sandbox/waiting";

/** Nodes as the places of docs/how-to/existing-nodes.md have them, by the documents that its table names. */
export const places: Record<string, NodeShape & { count: number }> = {
  rack: {
    count: 6,
    labels: { "example.com/rack": "gpu" },
    taints: [{ key: "gpu", value: "true", effect: "NoSchedule" }],
    capacity: { memory: "2Ti", "nvidia.com/gpu": "8", "rdma/ib": "1" },
  },
  "on-premises": {
    count: 6,
    labels: {
      "example.com/partition": "compute",
      "feature.node.kubernetes.io/cpu-hardware_multithreading": "true",
    },
    capacity: { "rdma/rdma_shared_device_a": "63" },
  },
  coreweave: {
    count: 2,
    labels: {
      "node.coreweave.cloud/type": "gd-8xh100ib-i128",
      "node.kubernetes.io/instance-type": "gd-8xh100ib-i128",
      "backend.coreweave.cloud/flavor": "infiniband",
      "gpu.nvidia.com/model": "H100_NVLINK_80GB",
    },
    capacity: { cpu: "128", memory: "2Ti", "nvidia.com/gpu": "8", "rdma/ib": "1k" },
  },
  oke: {
    count: 4,
    labels: { "node.kubernetes.io/instance-type": "BM.GPU.H100.8", "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" },
    taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }],
    capacity: { cpu: "224", memory: "2Ti", "nvidia.com/gpu": "8", "nvidia.com/rdma-vf": "16" },
  },
  nebius: {
    count: 2,
    labels: { "node.kubernetes.io/instance-type": "gpu-h200-sxm", "nebius.com/gpu-name": "H200" },
    capacity: { cpu: "128", memory: "1600Gi", "nvidia.com/gpu": "8", "rdma/ib": "63" },
  },
};

const attachments = "network-attachment-definitions";

/** The definition of the networks that Multus attaches, as its manifests have it. */
const attachmentDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${attachments}.k8s.cni.cncf.io` },
  spec: {
    group: "k8s.cni.cncf.io",
    scope: "Namespaced",
    names: { plural: attachments, kind: "NetworkAttachmentDefinition" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** The network of OKE's virtual functions. */
const attachment = {
  apiVersion: "k8s.cni.cncf.io/v1",
  kind: "NetworkAttachmentDefinition",
  metadata: {
    name: "rdma-vf",
    namespace: "default",
    annotations: { "k8s.v1.cni.cncf.io/resourceName": "nvidia.com/rdma-vf" },
  },
  spec: { config: "{}" },
};

/** Creates the nodes of every place, cordoned, so that no pod of another test runs on them. Returns their removal. */
export async function createPlaces(kube: Kube): Promise<() => Promise<void>> {
  const names: string[] = [];
  for (const [place, { count, ...shape }] of Object.entries(places))
    names.push(...(await createNodes(kube, 0, count, { namePrefix: `place-${place}`, ...shape })));
  const nodeOf = (name: string) => ({ apiVersion: "v1", kind: "Node", name });
  for (const name of names) await kube.patch(nodeOf(name), { spec: { unschedulable: true } });
  await kube.create(attachmentDefinition);
  const networks = "/apis/k8s.cni.cncf.io/v1/namespaces/default/network-attachment-definitions";
  await waitFor("the networks of Multus", () => kube.request("POST", networks, attachment));
  return async () => {
    await kube.delete({ ...attachmentDefinition, name: attachmentDefinition.metadata.name });
    for (const name of names) await kube.delete(nodeOf(name));
  };
}
