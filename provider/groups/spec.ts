import { MiniClusterTaintEffect } from "../clouds/nodes/args";
import type { MiniClusterFields } from "../minicluster/parse/fields";
import {
  hostHardware,
  type InstanceCluster,
  type InstanceSpec,
  settleInstance,
  hostProperties,
} from "../core/parse/instance";
import { absoluteName, brokerDomain, brokerPort, podHostname } from "../core/parse/names";
import { mergedResources } from "../core/pool/parse/requests";
import { settleStorage } from "../storage/fields";
import { maxSizeOf, sizeOf } from "../core/parse/sizes";
import { type GroupSpec, type MiniClusterSpec, settleMiniCluster, settlePods } from "../core/parse/spec";
import { groupViews, leadView, type WorkersFields } from "./jobs";

/** The spec of a cluster with a separate lead broker: that of its Job, with one for each group of workers. */
export function settleWithGroups(fields: MiniClusterFields): MiniClusterSpec {
  const { value: lead } = leadView(fields);
  const spec = settleMiniCluster(lead);
  if (spec.role === "follower") throw new Error("the rules let no cluster through that has and joins a lead broker");
  const workers = groupViews(fields).map(({ value }) => value);
  const settled = workers.map((group) => ({ group, pods: settlePods(group, true) }));
  const [home, ...joining] = settleInstance(lead, undefined).clusters;
  const instance: InstanceSpec = {
    clusters: [
      ...(home ? [{ ...home, properties: [], hardware: { cores: 1, gpus: 0 }, isExcluded: true }] : []),
      ...settled.map(({ group, pods }) => hostsOf(group, pods)),
      ...joining,
    ],
    hasQueues: fields.groups !== undefined || spec.instance.hasQueues,
  };
  const address = absoluteName(`${podHostname(spec, 0)}.${brokerDomain(spec)}`);
  const groups = settled.map(({ group, pods }): GroupSpec => ({
    ...pods,
    group: group.group.name,
    cluster: spec.name,
    role: "follower",
    instance,
    wait: fields.wait,
    cleanup: false,
    lead: { isLate: false, address, port: brokerPort },
    size: sizeOf(group),
    maxSize: maxSizeOf(group),
    autoscale: group.autoscale,
    suspendsAtZero: group.gang.queueName === undefined,
    suspend: group.gang.queueName === undefined ? sizeOf(group) === 0 : undefined,
  }));
  return {
    ...spec,
    instance,
    groups,
    avoidedNodes: nodesToAvoid(lead, workers),
    hasMaxSize: true,
    storage: fields.lead?.storage && settleStorage(fields.name, fields.lead.storage),
    flux: { ...spec.flux, topology: "kary:0" },
  };
}

/**
 * Labels of the pools that autoscale: a small pod beside the workers would keep one of their nodes. A taint keeps such a pod off
 * already, and arguments of the lead broker may select its nodes. Sizes and bounds play no part, because their change must not
 * replace the lead broker.
 */
function nodesToAvoid(lead: MiniClusterFields, workers: WorkersFields[]): Record<string, string[]> {
  const avoided: Record<string, string[]> = {};
  if (Object.keys(lead.pod.nodeSelector).length > 0) return avoided;
  for (const { pool } of workers) {
    const [label, ...more] = Object.entries(pool?.nodeSelector ?? {});
    // A pool with several labels may share each of them with other nodes.
    if (!pool || !label || more.length > 0 || pool.nodes !== undefined) continue;
    const repels = pool.taints.some(({ effect }) => effect !== MiniClusterTaintEffect.PreferNoSchedule);
    const [key, value] = label;
    const values = avoided[key] ?? [];
    if (repels || lead.pool?.pool === pool.pool || values.includes(value)) continue;
    avoided[key] = [...values, value];
  }
  return avoided;
}

/** The hosts of a group in the instance. */
function hostsOf(fields: WorkersFields, { main }: ReturnType<typeof settlePods>): InstanceCluster {
  const { name, pool, podTemplate, group } = fields;
  const ofPool = pool && hostHardware(pool, mergedResources(main, podTemplate));
  const cores = group.cores ?? ofPool?.cores;
  const properties = [group.name, ...(pool ? hostProperties(pool) : []), ...group.properties];
  return {
    name,
    queue: group.name,
    hosts: maxSizeOf(fields),
    properties: [...new Set(properties)],
    ...(cores !== undefined && { hardware: { cores, gpus: group.gpus ?? ofPool?.gpus ?? 0 } }),
  };
}
