import type { BurstingFields } from "../bursting/parse/fields";
import type { MiniClusterFields } from "../minicluster/parse/fields";
import { type ContainerFields, runsFlux } from "../core/parse/container";
import type { BrokerPodsFields } from "../core/parse/fields";
import { queuedView, withoutQueueLabels } from "../gang/rules";
import { type GroupFields, leadResources } from "./fields";
import { groupJobName, headlessServiceName } from "../core/parse/names";
import { burstPrice } from "../bursting/parse/place";
import { nodesOfJob, type PricedNodes } from "../budget/price";
import { sizeOf } from "../core/parse/sizes";
import { properties } from "../shared/checks";
import { isPlainObject } from "../shared/objects";
import type { View } from "../shared/rules";

/** Name of the only group of a cluster with `lead` and without `groups`. */
const onlyGroup = "workers";

/** True for a cluster whose lead broker has a separate Job. */
export const hasLead = ({ lead, groups }: Pick<MiniClusterFields, "lead" | "groups">) =>
  lead !== undefined || groups !== undefined;

/** The given cluster, if it has a separate lead broker, or if it has none. */
export const ifSeparateLead = (fields: MiniClusterFields) => asGiven(fields, hasLead(fields));
export const ifNoSeparateLead = (fields: MiniClusterFields) => asGiven(fields, !hasLead(fields));

const asGiven = (value: MiniClusterFields, isMeant: boolean): View<MiniClusterFields>[] =>
  isMeant ? [{ value, moved: [] }] : [];

/** The Job of the lead broker: the whole cluster, unless the lead broker is separate. */
export const leadViews = (fields: MiniClusterFields): View<MiniClusterFields>[] => [
  hasLead(fields) ? leadView(fields) : queuedView(fields),
];

/** The fields that determine the places of arguments, in the given arguments as well as in parsed ones. */
type Places = Pick<MiniClusterFields, "lead" | "groups" | "containers">;

/** Place of the container that runs Flux. */
const brokerPlace = ({ containers }: Pick<Places, "containers">) =>
  Array.isArray(containers) ? containers.findIndex((each) => isPlainObject(each) && runsFlux(each, containers)) : -1;

/** The arguments of each Job of a cluster with a separate lead broker, that of the lead broker first. */
export const movedInJobs = (places: Places): Pick<View<unknown>, "moved">[] => [
  { moved: movedInLead(places) },
  ...groupsOf(places).map(([name, group]) => ({ moved: movedInGroup(name, group) })),
];

function movedInLead(places: Places): View<unknown>["moved"] {
  const own = (...keys: string[]) => keys.map((key) => [[key], ["lead", key]] as const);
  const broker = brokerPlace(places);
  const container: View<unknown>["moved"] = [
    [
      ["containers", 0, "resources"],
      ["lead", "resources"],
    ],
    [
      ["containers", 0],
      ["containers", broker],
    ],
  ];
  return [
    ...(broker < 0 ? [] : container),
    ...["nodeSelector", "tolerations"].map(
      (key) =>
        [
          ["pod", key],
          ["lead", key],
        ] as const,
    ),
    ...own("pool", "podTemplate", "size", "maxSize", "autoscale", "gang", "prepull"),
  ];
}

/** The cluster for the Job of its lead broker: with its own pod in place of the workers'. */
export function leadView(fields: MiniClusterFields): View<MiniClusterFields> {
  const { containers, pod } = fields;
  const lead: Partial<NonNullable<MiniClusterFields["lead"]>> = isPlainObject(fields.lead) ? fields.lead : {};
  const { resources = leadResources, nodeSelector = {}, tolerations = [], pool, podTemplate } = lead;
  const place = brokerPlace(fields);
  const broker = place < 0 ? undefined : containers[place];
  const value: MiniClusterFields = {
    ...fields,
    // The sidecars belong to the workers' nodes.
    ...(broker && { containers: [{ ...onItsOwn(broker), resources }] }),
    pool,
    podTemplate,
    size: 1,
    maxSize: undefined,
    autoscale: undefined,
    gang: {},
    jobLabels: withoutQueueLabels(fields.jobLabels),
    prepull: false,
    pod: { ...pod, nodeSelector, tolerations, nodeAffinity: {}, resources: undefined, runtimeClassName: undefined },
    disruptionBudget: fields.disruptionBudget ?? true,
  };
  return { value, moved: movedInLead(fields) };
}

/** The container that runs Flux without the mounts of the workers' pool, whose local disks the lead broker does not have. */
const onItsOwn = ({ runFlux: _, volumes, ...container }: ContainerFields): ContainerFields => ({
  ...container,
  volumes: Object.fromEntries(
    Object.entries<ContainerFields["volumes"][string]>(isPlainObject(volumes) ? volumes : {}).filter(
      ([, volume]) => properties(volume).localDisk !== true,
    ),
  ),
});

/** The workers of a group as a Job of followers. */
export interface WorkersFields extends BrokerPodsFields, Pick<GroupFields, "size" | "maxSize" | "autoscale"> {
  /** The group: its name, Flux properties and hardware. */
  group: { name: string } & Pick<GroupFields, "properties" | "cores" | "gpus">;
}

/** Arguments that a group sets independently of the cluster. */
const ownKeys = ["size", "maxSize", "autoscale"] as const;

/** Arguments of the cluster that a group may override. */
const overrides = [
  ...(["pool", "containers", "pod", "podTemplate", "gang", "prepull"] as const),
  ...(["drainTimeoutSeconds", "disruptionBudget"] as const),
];

/** The groups of a cluster with a separate lead broker. Without `groups`, the only group has no separate settings. */
function groupsOf({ groups }: Pick<Places, "groups">): [name: string, group: Partial<GroupFields> | undefined][] {
  if (groups === undefined) return [[onlyGroup, undefined]];
  return Object.entries(properties(groups)).filter((entry): entry is [string, GroupFields] => isPlainObject(entry[1]));
}

const movedInGroup = (name: string, group: Partial<GroupFields> | undefined): View<unknown>["moved"] =>
  group === undefined
    ? []
    : [...ownKeys, ...overrides.filter((key) => group[key] !== undefined)].map((key) => [[key], ["groups", name, key]]);

/** The groups of a cluster with a separate lead broker, each for its Job. */
export const groupViews = (fields: MiniClusterFields): View<WorkersFields>[] =>
  hasLead(fields)
    ? groupsOf(fields).map(([name, group]) => {
        const { value, moved } = queuedView(workers(fields, name, group));
        return { value, moved: [...moved, ...movedInGroup(name, group)] };
      })
    : [];

/** Fields of a cluster that determine the price of its nodes. */
interface PricedFields extends Pick<MiniClusterFields, "name" | "pool" | "lead" | "groups" | "size"> {
  autoscale?: { max: number };
  bursting?: {
    clusters: Pick<BurstingFields["clusters"][number], "name" | "maxSize" | "pool" | "pricePerHour">[];
    place?: { clusters?: string[] };
  };
}

/**
 * The nodes of a cluster. A separate lead broker without a pool shares an existing node. Clusters to which jobs move automatically
 * count with all their hosts.
 */
export function pricedNodes(fields: PricedFields): PricedNodes[] {
  const { bursting } = fields;
  const { clusters = [], place } = bursting ?? {};
  const joining = place ? clusters.filter(({ name }) => place.clusters?.includes(name) ?? true) : [];
  return [
    ...ownNodes(fields),
    ...joining.map((cluster) => ({
      name: cluster.name,
      nodes: cluster.maxSize,
      price: burstPrice(cluster),
      argument: `pricePerHour of ${cluster.name} in bursting.clusters`,
    })),
  ];
}

/** Fields with the pools of a cluster and of those that may join. */
interface PooledFields extends Pick<MiniClusterFields, "pool" | "lead" | "groups"> {
  bursting?: { clusters: Pick<BurstingFields["clusters"][number], "pool">[] };
}

/** The pools of a cluster and of those that may join, each with its place. */
export const pricedPools = ({ pool, lead, groups, bursting }: PooledFields) => [
  { path: ["pool"], pool },
  { path: ["lead", "pool"], pool: lead?.pool },
  ...Object.entries(groups ?? {}).map(([name, group]) => ({ path: ["groups", name, "pool"], pool: group.pool })),
  ...(bursting?.clusters ?? []).map((cluster, index) => ({
    path: ["bursting", "clusters", index, "pool"],
    pool: cluster.pool,
  })),
];

function ownNodes(fields: PricedFields): PricedNodes[] {
  const { name, pool, lead } = fields;
  const countOf = ({ size, autoscale }: Pick<PricedFields, "size" | "autoscale">) => autoscale?.max ?? sizeOf({ size });
  if (!hasLead(fields)) return [nodesOfJob(name, countOf(fields), pool)];
  const workers = groupsOf(fields).map(([group, own]) =>
    nodesOfJob(groupJobName({ name }, group), countOf(own ?? fields), own?.pool ?? pool),
  );
  return [...(lead?.pool ? [nodesOfJob(name, 1, lead.pool)] : []), ...workers];
}

function workers(fields: MiniClusterFields, name: string, own?: Partial<GroupFields>): WorkersFields {
  const group: Partial<GroupFields> = own ?? fields;
  const given = Object.fromEntries(overrides.flatMap((key) => (group[key] === undefined ? [] : [[key, group[key]]])));
  const { size, maxSize, autoscale, cores, gpus } = group;
  return {
    ...fields,
    ...given,
    size,
    maxSize,
    autoscale,
    // An invalid name is reported already.
    name: typeof fields.name === "string" ? groupJobName(fields, name) : "",
    // The lead broker's Job has them.
    services: [],
    network: {
      ...fields.network,
      headlessName: headlessServiceName({ name: fields.name, network: properties(fields.network) }),
    },
    group: { name, properties: group.properties ?? [], cores, gpus },
  };
}
