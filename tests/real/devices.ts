import * as fs from "node:fs";
import * as path from "node:path";

import { buildMissing, executable } from "../sandbox/build/binaries";
import { devicePluginModule } from "../sandbox/build/modules";
import { patchTypes } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";
import { lab, patience } from "./lab";

/** Devices of a node by their resource: true for a healthy one. */
export type Devices = Record<string, boolean[]>;

/** A change of a node. */
export interface NodeChange {
  labels?: Record<string, string | null>;
  taints?: { key: string; value?: string; effect: string }[];
  isCordoned?: boolean;
  devices?: Devices;
}

/** Changes a node, and waits until the API server has what its kubelet says of its devices. */
export type ChangeNode = (node: string, change: NodeChange) => Promise<void>;

/** Runs a test with device plugins on these nodes, which afterwards have neither labels nor taints of the test. */
export async function withDevicePlugins(nodes: string[], body: (change: ChangeNode) => Promise<void>): Promise<void> {
  await buildMissing([devicePluginModule]);
  const { directory, realNodes } = lab();
  const fileOf = (node: string) => path.join(directory, `devices-of-${node}.json`);
  const changed = new Map<string, Set<string>>();
  const change: ChangeNode = async (node, { labels = {}, devices, ...rest }) => {
    changed.set(node, new Set([...(changed.get(node) ?? []), ...Object.keys(labels)]));
    await patchNode(node, { labels, ...rest });
    if (devices) await advertise(node, fileOf(node), devices);
  };
  const plugins = realNodes
    .filter(({ name }) => nodes.includes(name))
    .map((node) => {
      write(fileOf(node.name), {});
      return node.startInside("device-plugin", [executable(devicePluginModule, "device-plugin"), fileOf(node.name)]);
    });
  try {
    await body(change);
  } finally {
    for (const [node, labels] of changed) {
      const none = Object.fromEntries([...labels].map((name) => [name, null]));
      await patchNode(node, { labels: none, taints: [], isCordoned: false });
    }
    await Promise.all(plugins.map((plugin) => plugin.stop()));
  }
}

async function patchNode(node: string, { labels, taints, isCordoned }: NodeChange): Promise<void> {
  const spec = { ...(taints && { taints }), ...(isCordoned !== undefined && { unschedulable: isCordoned }) };
  await lab().api.request("PATCH", `/api/v1/nodes/${node}`, { metadata: { labels }, spec }, patchTypes.strategic);
}

async function advertise(node: string, file: string, devices: Devices): Promise<void> {
  const former = JSON.parse(fs.readFileSync(file, "utf8")) as Devices;
  // The kubelet keeps the name of a resource whose devices are gone.
  const none = Object.fromEntries(Object.keys(former).map((resource) => [resource, []]));
  const all: Devices = { ...none, ...devices };
  write(file, all);
  await waitFor(
    `the devices of ${node}`,
    async () => {
      const { status } = await lab().api.request("GET", `/api/v1/nodes/${node}`);
      const { capacity, allocatable } = status as Record<"capacity" | "allocatable", Record<string, string>>;
      return Object.entries(all).every(
        ([resource, health]) =>
          capacity[resource] === String(health.length) &&
          allocatable[resource] === String(health.filter(Boolean).length),
      );
    },
    patience,
    200,
  );
}

// The plugin reads the file at any time.
function write(file: string, devices: Devices): void {
  fs.writeFileSync(`${file}.new`, JSON.stringify(devices));
  fs.renameSync(`${file}.new`, file);
}
