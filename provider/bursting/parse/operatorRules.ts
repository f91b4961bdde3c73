import { flatForBursting, isFlat, refusePolicy } from "../../core/parse/clusterRules";
import { runsFlux } from "../../core/parse/container";
import type { JoinedFields } from "./clusterFields";
import { burstName, joinsClusters } from "../../core/parse/flux";
import { maxSizeFields, maxSizeOf } from "../../core/parse/sizes";
import { type AddIssue, type Rule, forEachItem, type Picked, prefixPath, ruleOn } from "../../shared/rules";

const rule = ruleOn<JoinedFields>();

/** Fields that `noCommandRule` reads. */
export const commandFields = ["containers[].runFlux", "containers[].command", "containers[].commands.script"] as const;

// Fields that decide on the operator's form of bursting.
const burstingFields = [
  "flux.bursting.leadBroker",
  "flux.bursting.hostlist",
  "flux.bursting.clusters[].name",
  "flux.bursting.clusters[].size",
] as const;

/** True for a cluster that other clusters join. */
const isRoot = ({ flux: { bursting } }: Picked<JoinedFields, (typeof burstingFields)[number]>) =>
  joinsClusters(bursting) && !bursting?.leadBroker;

/** True for a cluster that joins another cluster. */
const isFollower = ({ flux: { bursting } }: { flux: { bursting?: { leadBroker?: object } } }) =>
  bursting?.leadBroker !== undefined;

const hostlistRule = rule(["flux.bursting.hostlist", "flux.bursting.clusters[]"], ({ flux }, addIssue) => {
  const { hostlist, clusters = [] } = flux.bursting ?? {};
  if (hostlist !== undefined && clusters.length > 0)
    addIssue(["flux", "bursting", "hostlist"], "lists all hosts of the instance, as do the clusters; keep one of them");
});

const topologyRule = rule([...burstingFields, "flux.topology"], ({ flux }, addIssue) => {
  if (joinsClusters(flux.bursting) && !isFlat(flux.topology)) addIssue(["flux", "topology"], flatForBursting);
});

const configRule = rule([...burstingFields, "flux.brokerConfig"], ({ flux }, addIssue) => {
  if (joinsClusters(flux.bursting) && flux.brokerConfig !== undefined)
    addIssue(["flux", "bursting"], "brokerConfig is the whole configuration; list the hosts there");
});

/** The rule that the names of the clusters are unique: a host belongs to one cluster, and its rank is the position of its name. */
const namesRule = rule(
  ["name", "flux.bursting.leadBroker.name", "flux.bursting.clusters[].name"],
  ({ name, flux }, addIssue) => {
    const { leadBroker, clusters = [] } = flux.bursting ?? {};
    const taken = new Map([[leadBroker?.name ?? name, "the lead broker's cluster"]]);
    forEachItem(clusters, (cluster, index) => {
      const own = burstName(cluster.name, index);
      const holder = taken.get(own);
      if (holder)
        addIssue(
          ["flux", "bursting", "clusters", index, "name"],
          `"${own}" is also the name of ${holder}; rename one of them`,
        );
      taken.set(own, `clusters[${index}]`);
    });
  },
);

const policyRule = rule([...burstingFields, "network.policy"], (fields, addIssue) => {
  if (isRoot(fields)) refusePolicy(fields, addIssue);
});

const archiveRule = rule(["flux.bursting.leadBroker?", "archive?"], (fields, addIssue) => {
  if (isFollower(fields) && fields.archive !== undefined)
    addIssue(["archive"], "saves the state of the lead broker, which runs in another cluster; set archive there");
});

const socketRule = rule(["flux.bursting.leadBroker?", "flux.disableSocket"], (fields, addIssue) => {
  if (isFollower(fields) && fields.flux.disableSocket)
    addIssue(
      ["flux", "disableSocket"],
      "Flux's default socket is named after the rank in the instance, which these pods do not know; remove it",
    );
});

/** The rule that the lead broker's configuration has the hosts of this cluster. */
const hostsRule = rule(["name", ...burstingFields, ...maxSizeFields], (fields, addIssue) => {
  if (!isFollower(fields)) return;
  const { name } = fields;
  const { hostlist, clusters = [] } = fields.flux.bursting ?? {};
  const own = clusters.findIndex((cluster, index) => cluster && burstName(cluster.name, index) === name);
  if (own < 0 && hostlist === undefined && !clusters.includes(undefined))
    addIssue(
      ["flux", "bursting", "clusters"],
      `has no cluster "${name}", so the lead broker has no hosts for this cluster; add it, or use a listed name for this cluster`,
    );
  const hosts = clusters[own]?.size;
  if (hosts !== undefined && maxSizeOf(fields) > hosts)
    addIssue(
      ["maxSize"],
      `the lead broker lists ${hosts} hosts of this cluster; lower maxSize or raise clusters[${own}].size`,
    );
});

const commandRule = rule(["flux.bursting.leadBroker?", "interactive", ...commandFields], (fields, addIssue) => {
  if (isFollower(fields) && !fields.interactive) noCommandRule(fields, addIssue);
});

/** The rules on brokers of other clusters in the form of the Flux Operator. */
export const operatorBurstingRules: Rule<JoinedFields>[] = [
  hostlistRule,
  topologyRule,
  configRule,
  namesRule,
  policyRule,
  archiveRule,
  socketRule,
  hostsRule,
  commandRule,
];

/** The rule that only the cluster with the lead broker has a command. */
export function noCommandRule(
  { containers }: Picked<JoinedFields, (typeof commandFields)[number]>,
  addIssue: AddIssue,
): void {
  forEachItem(containers, (container, index) => {
    if (!runsFlux(container, containers)) return;
    const at = prefixPath(addIssue, "containers", index);
    const message = "the lead broker runs the command, and this cluster only joins it; remove it here";
    if (container.command !== undefined) at(["command"], message);
    if (container.commands.script !== undefined) at(["commands", "script"], message);
  });
}
