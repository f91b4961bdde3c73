import { nodeAddress, simulatedLabel } from "../controlPlane/commands";
import type { Kube, KubeObject } from "../kube";
import { waitFor } from "../waiting";

/** Properties of simulated nodes; the defaults are those of `startCluster`. */
export interface NodeShape {
  /** Names are this and a number. Default: "node". */
  namePrefix?: string;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: string }[];
  /**
   * Added to, or in place of, cpu 96, memory 384Gi and pods 110: for GPUs and network devices. Of cpu and memory the
   * system of the node keeps some to itself.
   */
  capacity?: Record<string, string>;
  /** Default: "amd64". */
  architecture?: string;
  /** Nodes are spread over them in turn. Default: zone-a and zone-b. */
  zones?: string[];
}

const defaultCapacity = { cpu: "96", memory: "384Gi", pods: "110", "ephemeral-storage": "1Ti" };
const defaultZones = ["zone-a", "zone-b"];
const createdAtOnce = 32;

/** Creates nodes numbered from `first` and waits until the scheduler may use them. Returns their names. */
export async function createNodes(api: Kube, first: number, count: number, shape: NodeShape): Promise<string[]> {
  const nodes = Array.from({ length: count }, (_, i) => node(first + i, shape));
  for (let start = 0; start < count; start += createdAtOnce) {
    const batch = nodes.slice(start, start + createdAtOnce);
    await Promise.all(batch.map((item) => api.request("POST", "/api/v1/nodes", item)));
  }
  const names = nodes.map((item) => item.metadata.name);
  // Thousands take minutes on a small machine, and to list them all the time would take the processor that they need.
  const [timeout, interval] = [60_000 + 60 * count, Math.max(100, 2 * count)];
  await waitFor("simulated nodes to become ready", () => areUsable(api, names), timeout, interval);
  return names;
}

async function areUsable(api: Kube, names: string[]): Promise<boolean> {
  const { items } = await api.request<{ items: KubeObject[] }>("GET", "/api/v1/nodes");
  const usable = new Set(items.filter(isUsable).map((item) => item.metadata.name));
  return names.every((name) => usable.has(name));
}

function isUsable(item: KubeObject): boolean {
  const { spec } = item as { spec?: { taints?: { key: string }[] } };
  return !(spec?.taints ?? []).some((taint) => taint.key === "node.kubernetes.io/not-ready");
}

function node(index: number, shape: NodeShape): KubeObject {
  const name = `${shape.namePrefix ?? "node"}-${index}`;
  const architecture = shape.architecture ?? "amd64";
  const zones = shape.zones ?? defaultZones;
  const capacity = { ...defaultCapacity, ...shape.capacity };
  const labels = {
    "kubernetes.io/hostname": name,
    "kubernetes.io/arch": architecture,
    "kubernetes.io/os": "linux",
    "topology.kubernetes.io/zone": zones[index % zones.length],
    [simulatedLabel]: "",
    ...shape.labels,
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels },
    spec: { taints: shape.taints ?? [] },
    // The API server keeps the status of a node that is created with one. A node that is Ready from the start costs no
    // further write, neither of kwok nor of the node controller: of thousands these would take minutes.
    status: {
      capacity,
      allocatable: allocatableOf(capacity),
      phase: "Running",
      conditions: readyConditions(),
      addresses: [
        { type: "InternalIP", address: nodeAddress },
        { type: "Hostname", address: name },
      ],
      nodeInfo: { architecture, operatingSystem: "linux" },
    },
  } as KubeObject;
}

function readyConditions(): object[] {
  const now = new Date().toISOString();
  const common = { lastHeartbeatTime: now, lastTransitionTime: now, reason: "Simulated", message: "no kubelet runs" };
  const pressures = ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"];
  return [
    { type: "Ready", status: "True", ...common },
    ...pressures.map((type) => ({ type, status: "False", ...common })),
  ];
}

/** Allocatable resources of a node: less than its capacity, so that a pod that requests all of that stays pending. */
function allocatableOf({ cpu, memory, ...rest }: { cpu: string; memory: string }): Record<string, string> {
  const [, amount = "", unit = ""] = /^(\d+)(\w*)$/.exec(memory) ?? [];
  return { ...rest, cpu: `${Number(cpu) * 1000 - 200}m`, memory: `${Math.floor(Number(amount) * 0.9)}${unit}` };
}
