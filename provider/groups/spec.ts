import { MiniClusterTaintEffect } from "../clouds/nodes/args";
import { hostHardware, hostProperties, type InstanceCluster, type InstanceSpec } from "../core/parse/instance";
import { absoluteName, brokerDomain, brokerPort, podHostname } from "../core/parse/names";
import { maxSizeOf, initialSizeOf, suspension } from "../core/parse/sizes";
import { type GroupSpec, type LeadSpec, noAdditions, buildBrokerPodsSpec } from "../core/parse/spec";
import { mergedResources } from "../core/pool/parse/givenRequests";
import type { WorkersFields } from "./fields";
import { groupsAnnotation } from "./names";

/** The spec of a cluster with a separate lead broker: its Job, which runs no jobs of Flux, with a Job for each group of workers. */
export function withGroups(spec: LeadSpec, workers: WorkersFields[], hasQueues: boolean): LeadSpec {
  const built = workers.map((group) => ({ group, pods: buildBrokerPodsSpec(group, true) }));
  const [home, ...joining] = spec.instance.clusters;
  const instance: InstanceSpec = {
    clusters: [
      ...(home ? [{ ...home, properties: [], hardware: { cores: 1, gpus: 0 }, isExcluded: true }] : []),
      ...built.map(({ group, pods }) => hostsOf(group, pods)),
      ...joining,
    ],
    hasQueues: hasQueues || spec.instance.hasQueues,
  };
  const address = absoluteName(`${podHostname(spec, 0)}.${brokerDomain(spec)}`);
  const groups = built.map(({ group, pods }): GroupSpec => ({
    ...pods,
    group: group.group.name,
    cluster: spec.name,
    role: "follower",
    instance,
    wait: spec.wait,
    cleanup: false,
    lead: { isLate: false, address, port: brokerPort },
    size: initialSizeOf(group),
    maxSize: maxSizeOf(group),
    hasMaxSize: group.maxSize !== undefined,
    autoscale: group.autoscale,
    ...suspension(initialSizeOf(group)),
    features: {},
    additions: noAdditions(),
  }));
  return {
    ...spec,
    instance,
    groups,
    avoidedNodes: nodesToAvoid(spec, workers),
    hasMaxSize: true,
    flux: { ...spec.flux, topology: "kary:0" },
    additions: {
      ...spec.additions,
      // The groups with their hosts, for the preview of another group.
      patchAnnotations: {
        [groupsAnnotation]: groups.map(({ group, maxSize }) => `${group}: ${maxSize}`).join(", "),
      },
    },
  };
}

/**
 * Labels of the pools that autoscale: a small pod beside the workers would keep one of their nodes. Pools with a taint, and a
 * lead broker whose arguments select nodes, need no labels. Sizes and bounds are not considered, because a change of them must
 * not replace the lead broker.
 */
function nodesToAvoid({ servicesPod, pool: own }: LeadSpec, workers: WorkersFields[]): Record<string, string[]> {
  const avoided: Record<string, string[]> = {};
  if (Object.keys(servicesPod.nodeSelector).length > 0) return avoided;
  for (const { pool } of workers) {
    const [label, ...more] = Object.entries(pool?.nodeSelector ?? {});
    // A pool with several labels may share each of them with other nodes.
    if (!pool || !label || more.length > 0 || pool.nodes !== undefined) continue;
    const repels = pool.taints.some(({ effect }) => effect !== MiniClusterTaintEffect.PreferNoSchedule);
    const [key, value] = label;
    const values = avoided[key] ?? [];
    if (repels || own?.pool === pool.pool || values.includes(value)) continue;
    avoided[key] = [...values, value];
  }
  return avoided;
}

/** The hosts of a group in the instance. */
function hostsOf(fields: WorkersFields, { main }: ReturnType<typeof buildBrokerPodsSpec>): InstanceCluster {
  const { name, pool, podTemplate, group } = fields;
  const ofPool = pool && hostHardware(pool, mergedResources(main, podTemplate), true);
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
