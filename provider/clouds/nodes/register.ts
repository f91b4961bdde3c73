import { isDeepStrictEqual } from "node:util";
import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import * as pulumi from "@pulumi/pulumi";
import { type Inputs, type Remark, remarkOnCreate, remarkOnUpdate } from "../../shared/changes";
import type { ChildOptions } from "../../shared/children";
import { attachKnownValue } from "../../shared/deferred";
import type { NodePoolScheduling } from "./args";
import { buildDevicePlugin, type PluginHome } from "./objects";
import { capacityOf, describeCapacity, describeChange } from "./parse/capacity";
import { type DevicePlugin, pluginName } from "./parse/devicePlugins";
import type { Sizing } from "./parse/sizing";

/** Registers the device plugins of a pool. */
export function registerDevicePlugins(
  name: string,
  devicePlugins: DevicePlugin[],
  home: PluginHome,
  options: ChildOptions,
): pulumi.Resource[] {
  return devicePlugins.map(
    (plugin) =>
      // Two pools of one program may have one name, in two clusters.
      new DaemonSet(pluginName(name, plugin.kind), buildDevicePlugin(plugin, home), {
        ...options,
        // The name is fixed: the old DaemonSet goes before the new one comes.
        deleteBeforeReplace: true,
      }),
  );
}

/**
 * Outputs that all pools have. Both are known in every preview; a resource that uses `scheduling` waits for the pool and its
 * plugins.
 */
export function poolOutputs(scheduling: NodePoolScheduling, resources: pulumi.Resource[]) {
  const { gpus = 0, fabricInterfaces = 0, ...node } = scheduling.node;
  const nodes = scheduling.nodes ?? scheduling.maxNodes ?? 0;
  // The URN of a resource is known before the resource exists.
  const ready = pulumi.all(resources.map(({ urn }) => urn));
  return {
    scheduling: attachKnownValue(
      ready.apply(() => scheduling),
      scheduling,
    ),
    capacity: pulumi.output(capacityOf(nodes, { ...node, gpus, fabricInterfaces })),
  };
}

/** Numbers of nodes in the inputs of a cloud's pool, as far as they are known. */
export interface NodeCounts {
  /** Nodes of a pool of fixed size. */
  fixed?: number;
  /** Limit of a pool that an autoscaler sizes. */
  max?: number;
}

/** Facts on the nodes in the inputs of a cloud's pool, as far as they are known. */
export interface NodeFacts extends NodeCounts {
  /** The cloud's name for the machine type. */
  machineType?: string;
  /** A node of that type. Read before a change only; left out where the machine type is that of the pool now. */
  node?: NodePoolScheduling["node"];
}

/** Name of a pool, a node of it, and what that costs for an hour, if the user says it. */
export interface Pool extends Pick<NodePoolScheduling, "pool" | "node"> {
  pricePerHour?: number;
}

/** The part of a pool's spec that remarks on its size depend on. */
export const costed = ({
  scheduling,
  pricePerHour,
}: {
  scheduling: NodePoolScheduling;
  pricePerHour?: number;
}): Pool => ({
  ...scheduling,
  pricePerHour,
});

/** The hook that says what a new pool comes to, with other remarks on it. */
export const remarkOnNewPool = (
  spec: Parameters<typeof costed>[0] & { name: string; sizing: Sizing },
  component: pulumi.Resource,
  others: Remark[] = [],
): pulumi.ResourceHookBinding =>
  remarkOnCreate(`minicluster:${spec.name}:create`, component, [
    ...creationRemarks(costed(spec), spec.sizing),
    ...others,
  ]);

/** The hook that reports what a change of a pool's size or machine type adds or removes, and warns where ranks may be hit. */
export const remarkOnResize = (
  pool: Pool,
  component: pulumi.Resource,
  factsIn: (inputs: Inputs) => NodeFacts,
): pulumi.ResourceHookBinding =>
  remarkOnUpdate(`minicluster:${pool.pool}:nodes`, component, (before, after) =>
    resizeRemarks(pool, factsIn(before), factsIn(after)),
  );

/** Remarks on a change of the number of nodes, or of what each of them has. */
export function resizeRemarks({ pool, node, pricePerHour }: Pool, before: NodeFacts, after: NodeFacts): Remark[] {
  const [old, changed] = [before.fixed ?? before.max, after.fixed ?? after.max];
  const isSameType = before.machineType === after.machineType;
  const current = settled(node);
  const previous = before.node ? settled(before.node) : isSameType ? current : undefined;
  const isSame = old === changed && isSameType && isDeepStrictEqual(previous, current);
  if (old === undefined || changed === undefined || isSame) return [];
  const change = describeChange({ count: old, node: previous }, { count: changed, node: current });
  const cost = priceChange(pricePerHour, isSameType ? old : undefined, changed);
  const isFixed = before.fixed !== undefined && after.fixed !== undefined;
  const text = `pool ${pool}${isFixed ? "" : " (maximum)"}: ${typeChange(before, after)}${change}${cost}`;
  const loss: Remark = { severity: "warning", text: lossOf({ pool, isFixed, old, changed }) };
  return [{ severity: "info", text }, ...(changed < old ? [loss] : [])];
}

/** Remarks on a new pool: what it comes to, where the user says what a node costs. */
export function creationRemarks({ pool, node, pricePerHour }: Pool, { isFixed, initial, max }: Sizing): Remark[] {
  if (pricePerHour === undefined) return [];
  const sum = (count: number) => `price for an hour ${priceOf(count, pricePerHour)}`;
  const count = isFixed ? initial : max;
  const start = isFixed ? "" : `; it starts with nodes ${initial}, ${sum(initial)}`;
  const capacity = describeCapacity({ count, node: settled(node) });
  return [{ severity: "info", text: `pool ${pool}${isFixed ? "" : " (maximum)"}: ${capacity}, ${sum(count)}${start}` }];
}

const priceOf = (count: number, price: number) => Number((count * price).toFixed(2));

/** A node with the defaults of what it may have. */
const settled = ({ gpus = 0, fabricInterfaces = 0, ...node }: Pool["node"]) => ({ ...node, gpus, fabricInterfaces });

const typeChange = ({ machineType: old }: NodeFacts, { machineType }: NodeFacts) =>
  old === undefined || machineType === undefined || old === machineType ? "" : `machines ${old} => ${machineType}, `;

/** The sum for an hour. What machines of another type cost is not known. */
function priceChange(price: number | undefined, old: number | undefined, changed: number): string {
  if (price === undefined) return "";
  const [before, after] = [old, changed].map((count) => count !== undefined && priceOf(count, price));
  return before === false ? `, price for an hour ${after}` : `, price for an hour ${before} => ${after}`;
}

interface Loss {
  pool: string;
  isFixed: boolean;
  old: number;
  changed: number;
}

const lossOf = ({ pool, isFixed, old, changed }: Loss) =>
  isFixed
    ? `pool ${pool} loses ${old - changed} of ${old} nodes; the cloud chooses which, even where ranks run. Shrink the ` +
      "MiniCluster first, in an update of its own, and drain the nodes that it leaves, or use autoscale"
    : `pool ${pool} may have at most ${changed} nodes instead of ${old}; if more are running, the cloud chooses which go, ` +
      "even where ranks run. Shrink the MiniCluster first, in an update of its own";
