import type { AutoscaleSpec } from "../autoscale/fields";
import type { BurstingFields } from "../bursting/parse/fields";
import { isFlat, nameFields, nameRule } from "../core/parse/clusterRules";
import { launchFields, launchMode, runsFlux } from "../core/parse/container";
import type { BrokerPodsFields } from "../core/parse/fields";
import { demandPort } from "../core/parse/names";
import { fluxVolumeRules, podsRules } from "../core/parse/podsRules";
import { takenPortsRule } from "../core/parse/portRules";
import { sidecarServiceFields, sidecarServiceRule } from "../core/parse/serviceRules";
import { largestSizeRule, maxSizeFields, maxSizeOf, sizeFields, initialSizeOf, sizeRule } from "../core/parse/sizes";
import { countRule, countsOf, podCountFields } from "../core/pool/parse/rules";
import { queuedAtZeroRule } from "../gang/rules";
import { forEachItem, prefixPath, type Rule, ruleOn } from "../shared/rules";
import type { GroupFields, LeadFields, WorkersFields } from "./fields";
import { groupJobName } from "./names";

/** The fields that the rules read in a cluster. */
interface GroupsFields extends BrokerPodsFields {
  lead?: LeadFields;
  groups?: Record<string, GroupFields>;
  size?: number;
  minSize?: number;
  maxSize?: number;
  autoscale?: AutoscaleSpec;
  suspend?: boolean;
  archive?: object;
  bursting?: BurstingFields;
}

const rule = ruleOn<GroupsFields>();

const ofGroups = (key: string) => `is separate for each group; set groups.NAME.${key}`;

/** The rules on the other arguments of a cluster with a separate lead broker. */
export const leadRules: Rule<GroupsFields>[] = [
  rule(launchFields, ({ containers }, addIssue) => {
    forEachItem(containers, (container, index) => {
      if (!runsFlux(container, containers) || launchMode(container) === "interactive") return;
      addIssue(
        ["containers", index, container.command === undefined ? "commands" : "command"],
        "a separate lead broker runs no command; submit the command to the instance instead, or remove lead and groups",
      );
    });
  }),
  rule(["minSize"], ({ minSize }, addIssue) => {
    if (minSize !== undefined)
      addIssue(
        ["minSize"],
        "waits for brokers before a command starts, and a separate lead broker runs none; remove it",
      );
  }),
  rule(["suspend"], ({ suspend }, addIssue) => {
    if (suspend === true)
      addIssue(
        ["suspend"],
        "is not supported with lead and groups; set the sizes to 0 instead, which suspends the workers",
      );
  }),
  rule(["size", "groups[]"], ({ size, groups }, addIssue) => {
    if (groups !== undefined && size !== undefined) addIssue(["size"], ofGroups("size"));
  }),
  rule(["maxSize", "groups[]"], ({ maxSize, groups }, addIssue) => {
    if (groups !== undefined && maxSize !== undefined) addIssue(["maxSize"], ofGroups("maxSize"));
  }),
  rule(["autoscale?", "groups[]"], ({ autoscale, groups }, addIssue) => {
    if (groups !== undefined && autoscale) addIssue(["autoscale"], ofGroups("autoscale"));
  }),
  rule(["lead.storage?", "archive?"], ({ lead, archive }, addIssue) => {
    if (lead?.storage && archive)
      addIssue(
        ["archive"],
        "saves the state that lead.storage already has, and only after a clean shutdown; keep one of them",
      );
  }),
  rule(["flux.bursting?"], ({ flux }, addIssue) => {
    if (flux.bursting !== undefined) addIssue(["flux", "bursting"], "names the hosts of one Job; use bursting");
  }),
  rule(["flux.brokerConfig"], ({ flux }, addIssue) => {
    if (flux.brokerConfig !== undefined)
      addIssue(["flux", "brokerConfig"], "is the whole configuration, and lead needs its hosts; keep one of them");
  }),
  rule(["flux.minimalService"], ({ flux }, addIssue) => {
    if (flux.minimalService)
      addIssue(
        ["flux", "minimalService"],
        "gives only the lead broker an address, and the workers need addresses; remove it",
      );
  }),
  rule(["flux.topology"], ({ flux }, addIssue) => {
    if (!isFlat(flux.topology))
      addIssue(
        ["flux", "topology"],
        'brokers of a group must not depend on brokers of another group; use "kary:0" or leave it out',
      );
  }),
  rule(["flux.completeWorkers"], ({ flux }, addIssue) => {
    if (flux.completeWorkers)
      addIssue(["flux", "completeWorkers"], "would end a Job when its first broker ends; remove it");
  }),
  rule(["flux.scheduler.simple"], ({ flux }, addIssue) => {
    if (flux.scheduler.simple)
      addIssue(
        ["flux", "scheduler", "simple"],
        "has one list of jobs for all queues, so a job that waits for one group blocks every other job; use Fluxion",
      );
  }),
  rule(["name", "groups[]", "bursting.clusters[].name"], ({ name, groups = {}, bursting }, addIssue) => {
    const joining = new Set(bursting?.clusters.map((cluster) => cluster?.name));
    for (const group of Object.keys(groups))
      for (const taken of [group, groupJobName({ name }, group)].filter((each) => joining.has(each)))
        addIssue(
          ["groups", group],
          `"${taken}" is also the name of a cluster in bursting.clusters; rename one of them`,
        );
  }),
  rule(["groups[]", "bursting.spanClusters"], ({ groups, bursting }, addIssue) => {
    if (groups !== undefined && bursting?.spanClusters)
      addIssue(["bursting", "spanClusters"], "removes the queues, and each group has a queue; remove it");
  }),
  rule(["groups[]"], ({ groups = {} }, addIssue) => {
    const holders = new Map<string, string>();
    for (const [group, { containers = [] }] of Object.entries(groups))
      for (const [index, { serviceName }] of containers.entries()) {
        if (serviceName === undefined) continue;
        const holder = holders.get(serviceName);
        if (holder !== undefined && holder !== group)
          addIssue(
            ["groups", group, "containers", index, "serviceName"],
            `"${serviceName}" conflicts with the Service of a container of groups.${holder}; choose another name`,
          );
        holders.set(serviceName, holder ?? group);
      }
  }),
  rule(["groups[]"], ({ groups = {} }, addIssue) => {
    const [first, ...others] = Object.entries(groups).flatMap(([group, { autoscale }]) =>
      autoscale ? [{ group, image: autoscale.image }] : [],
    );
    for (const { group, image } of others)
      if (typeof (image ?? first?.image ?? "") === "string" && image !== first?.image)
        addIssue(
          ["groups", group, "autoscale", "image"],
          `all groups have one agent; set the same image as in groups.${first?.group}, or none in both`,
        );
  }),
  rule(["autoscale?", "groups[]", "containers[].ports[]", "containers[].runFlux"], (fields, addIssue) => {
    const { autoscale, groups = {}, containers } = fields;
    if (!autoscale && !Object.values(groups).some((group) => group.autoscale)) return;
    forEachItem(containers, ({ runFlux, ports }, index) => {
      if (runsFlux({ runFlux }, containers))
        takenPortsRule(ports, new Map([[demandPort, "autoscale"]]), prefixPath(addIssue, "containers", index));
    });
  }),
  rule(["groups[]", "containers[].serviceName"], ({ groups = {}, containers }, addIssue) => {
    const sharing = Object.values(groups).filter((group) => group.containers === undefined);
    if (sharing.length < 2) return;
    forEachItem(containers, ({ serviceName }, index) => {
      if (serviceName !== undefined)
        addIssue(
          ["containers", index, "serviceName"],
          "would be a Service of several groups; set it in the containers of only one group, or remove it",
        );
    });
  }),
];

/** The rules on a cluster without a separate lead broker. */
export const ownLeadRules: Rule<GroupsFields>[] = [
  rule(["autoscale.min"], ({ autoscale }, addIssue) => {
    if (autoscale?.min === 0)
      addIssue(
        ["autoscale", "min"],
        "0 would remove pod 0, which runs the lead broker; use at least 1, or add lead, which moves the lead broker to a separate Job",
      );
  }),
];

const workersRule = ruleOn<WorkersFields>();

/** The rules on the Job of each group of workers. */
export const workersRules: Rule<WorkersFields>[] = [
  sizeRule,
  largestSizeRule,
  workersRule(["gang.queueName", ...sizeFields], (fields, addIssue) =>
    queuedAtZeroRule(fields, initialSizeOf(fields), addIssue),
  ),
  workersRule(["gang.native?"], ({ gang }, addIssue) => {
    if (gang.native)
      addIssue(
        ["gang", "native"],
        "schedules the pods of a whole instance together, and workers join separately; remove it",
      );
  }),
  workersRule([...nameFields, ...maxSizeFields], (fields, addIssue) => nameRule(fields, maxSizeOf(fields), addIssue)),
  workersRule([...podCountFields, ...maxSizeFields], (fields, addIssue) =>
    countRule(fields, { ...countsOf(fields), isSuspended: initialSizeOf(fields) === 0 }, addIssue),
  ),
  workersRule(["group.cores", "group.gpus", "pool?"], ({ group, pool }, addIssue) => {
    if (group.gpus !== undefined && group.cores === undefined && !pool)
      addIssue(["group", "gpus"], "requires cores or pool; add one of them");
  }),
  ...podsRules,
  ...fluxVolumeRules,
  workersRule([...sidecarServiceFields, "network.headlessName"], (fields, addIssue) =>
    sidecarServiceRule(fields, [[fields.network.headlessName ?? "", "the Service of the brokers"]], addIssue),
  ),
];
