import { runsFlux } from "../core/parse/container";
import { listContainer } from "../core/parse/containerArgs";
import { brokerPodsFields } from "../core/parse/fields";
import { headlessServiceName, onlyGroup } from "../core/parse/names";
import { withoutQueueLabels } from "../gang/spec";
import { dnsLabel, properties } from "../shared/checks";
import { isPlainObject } from "../shared/objects";
import type { Moved, MovedArgs } from "../shared/rules";
import { leadResources, overrides } from "./fields";
import { groupJobName } from "./names";

/** Unchecked arguments of a cluster. */
type Args = Record<string, unknown>;

/** The unchecked arguments of a Job of a cluster, with their source paths. */
export interface JobArgs extends MovedArgs {
  /** The group of workers. None for the Job with the lead broker. */
  group?: {
    name: string;
    /** True for a group of `groups`, and not of all arguments of the cluster. */
    isOwn: boolean;
  };
}

/** True for a cluster whose lead broker has a separate Job. */
export const hasLead = ({ lead, groups }: { lead?: unknown; groups?: unknown }) =>
  lead !== undefined || groups !== undefined;

/** Unchecked arguments of a cluster with each `container` as the only item of `containers`, its groups' as well. */
export function listContainers(given: Args): MovedArgs {
  const { args, moved } = listContainer(given);
  if (!isPlainObject(args["groups"])) return { args, moved };
  const groups = Object.entries(args["groups"]).map(([name, group]) => ({
    name,
    // A group without containers has the containers of the cluster.
    ...(isPlainObject(group) && group["container"] !== undefined
      ? listContainer(group)
      : { args: group, moved: [] as Moved }),
  }));
  const inGroup = (name: string, path: readonly PropertyKey[]) => ["groups", name, ...path];
  return {
    args: { ...args, groups: Object.fromEntries(groups.map(({ name, args: group }) => [name, group])) },
    moved: [
      ...moved,
      ...groups.flatMap(({ name, moved: own }) =>
        own.map(([from, to]) => [inGroup(name, from), inGroup(name, to)] as const),
      ),
    ],
  };
}

/**
 * The Jobs of a cluster: the one with the lead broker, and one for each group of workers, in the order of their names. `ofFeatures`
 * are the arguments of features that every Job has.
 */
export const jobsOfArgs = (args: Args, ofFeatures: string[]): [JobArgs, ...JobArgs[]] =>
  hasLead(args)
    ? [leadJob(args), ...groupsOf(args).map(([name, group]) => workersJob(args, ofFeatures, name, group))]
    : [{ args, moved: [] }];

/** The Job of a separate lead broker: the cluster with another pod in place of the workers' pods. */
function leadJob(args: Args): JobArgs {
  const lead = properties(args["lead"] as Args | undefined);
  const { resources = leadResources, nodeSelector = {}, tolerations = [], pool, podTemplate } = lead;
  const place = brokerIndex(args);
  const broker = place < 0 ? undefined : (args["containers"] as Args[])[place];
  const pod = {
    ...properties(args["pod"] as Args | undefined),
    nodeSelector,
    tolerations,
    nodeAffinity: {},
    resources: undefined,
    runtimeClassName: undefined,
  };
  return {
    args: {
      ...args,
      groups: undefined,
      // Only the volume of the state is an argument of the Job itself.
      lead: { storage: lead["storage"] },
      // The sidecars belong to the workers' nodes.
      ...(broker && { containers: [{ ...withoutLocalDisks(broker), resources }] }),
      pool,
      podTemplate,
      size: 1,
      maxSize: undefined,
      autoscale: undefined,
      gang: {},
      jobLabels: withoutQueueLabels(args["jobLabels"]),
      prepull: false,
      pod: args["pod"] === undefined || isPlainObject(args["pod"]) ? pod : args["pod"],
      disruptionBudget: args["disruptionBudget"] ?? true,
    },
    moved: movedInLead(place),
  };
}

/** Index of the container that runs Flux. */
function brokerIndex({ containers }: Args): number {
  return Array.isArray(containers)
    ? containers.findIndex((each) => isPlainObject(each) && runsFlux(each, containers))
    : -1;
}

function movedInLead(broker: number): Moved {
  const own = ["pool", "podTemplate", "size", "maxSize", "autoscale", "gang", "prepull"];
  return [
    ...(broker < 0
      ? []
      : ([
          [
            ["containers", 0, "resources"],
            ["lead", "resources"],
          ],
          [
            ["containers", 0],
            ["containers", broker],
          ],
        ] as const)),
    ...["nodeSelector", "tolerations"].map(
      (key) =>
        [
          ["pod", key],
          ["lead", key],
        ] as const,
    ),
    ...own.map((key) => [[key], ["lead", key]] as const),
  ];
}

/** The container that runs Flux without volumes on local disks, which only the workers' pool has. */
function withoutLocalDisks({ runFlux: _, volumes, ...container }: Args): Args {
  if (!isPlainObject(volumes)) return { ...container, ...(volumes !== undefined && { volumes }) };
  const kept = Object.entries(volumes).filter(
    ([, volume]) => properties(volume as { localDisk?: unknown }).localDisk !== true,
  );
  return { ...container, volumes: Object.fromEntries(kept) };
}

/** Arguments that a group sets independently of the cluster. */
const ownKeys = ["size", "maxSize", "autoscale"];

/** Arguments of the cluster that the Job of each group also has. The Job with the lead broker has the services. */
const shared = Object.keys(brokerPodsFields).filter((key) => !["name", "services"].includes(key));

/** The groups of a cluster with a separate lead broker. Without `groups`, the only group has no separate settings. */
function groupsOf({ groups }: Args): [name: string, group: Args | undefined][] {
  if (groups === undefined) return [[onlyGroup, undefined]];
  return Object.entries(properties(groups as Args))
    .filter((entry): entry is [string, Args] => isPlainObject(entry[1]))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The Job of a group of workers. */
function workersJob(args: Args, ofFeatures: string[], name: string, own: Args | undefined): JobArgs {
  const group = own ?? args;
  const overridden = Object.keys(overrides).filter((key) => own?.[key] !== undefined);
  const pick = (from: Args, keys: string[]) => Object.fromEntries(keys.map((key) => [key, from[key]]));
  const network = args["network"];
  const clusterName = args["name"];
  // The Job of the lead broker reports invalid names and networks.
  const named = dnsLabel.safeParse(clusterName).data ?? "";
  const ofCluster = properties(network as { headlessName?: string } | undefined);
  return {
    group: { name, isOwn: own !== undefined },
    args: {
      ...pick(args, [...shared, ...ofFeatures]),
      ...pick(group, [...overridden, ...ownKeys]),
      name: groupJobName({ name: named }, name),
      network: { ...ofCluster, headlessName: headlessServiceName({ name: named, network: ofCluster }) },
      group: { name, ...pick(own ?? {}, ["properties", "cores", "gpus"]) },
    },
    moved: [
      ...(own ? [...ownKeys, ...overridden].map((key) => [[key], ["groups", name, key]] as const) : []),
      ...["properties", "cores", "gpus"].map(
        (key) =>
          [
            ["group", key],
            ["groups", name, key],
          ] as const,
      ),
    ],
  };
}
