import { flatForBursting, isFlat, policyRule } from "../../brokers/parse/clusterRules";
import { runsFlux } from "../../brokers/parse/container";
import type { MiniClusterFields } from "../../brokers/parse/fields";
import { burstName, joinsClusters, type OperatorBursting } from "../../brokers/parse/flux";
import { maxSizeOf } from "../../brokers/parse/sizes";
import { type AddIssue, forEachItem, prefixPath, type RuleBeside, where } from "../../shared/rules";

type OperatorRule = RuleBeside<OperatorBursting, MiniClusterFields>;

/** The rules on brokers of other clusters in the form of the Flux Operator. */
export const operatorBurstingRules = where<OperatorBursting, MiniClusterFields>(
  ({ flux: { bursting } }) => (joinsClusters(bursting) ? bursting : undefined),
  hostlistRule,
  besideRule,
  namesRule,
  onlyRoot((_, addIssue, fields) => policyRule(fields, addIssue)),
  onlyFollower(archiveRule),
  onlyFollower(socketRule),
  onlyFollower(hostsRule),
  onlyFollower(commandRule),
);

/** A rule on a cluster that others join. */
function onlyRoot(rule: OperatorRule): OperatorRule {
  return (bursting, addIssue, fields) => {
    if (bursting.leadBroker === undefined) rule(bursting, addIssue, fields);
  };
}

/** A rule on a cluster that joins another one. */
function onlyFollower(rule: OperatorRule): OperatorRule {
  return (bursting, addIssue, fields) => {
    if (bursting.leadBroker !== undefined) rule(bursting, addIssue, fields);
  };
}

function hostlistRule({ hostlist, clusters }: OperatorBursting, addIssue: AddIssue): void {
  if (hostlist !== undefined && clusters.length > 0)
    addIssue(
      ["flux", "bursting", "hostlist"],
      "names every host of the instance, and so do the clusters; give one of them",
    );
}

function besideRule(_: OperatorBursting, addIssue: AddIssue, { flux }: MiniClusterFields): void {
  if (!isFlat(flux.topology)) addIssue(["flux", "topology"], flatForBursting);
  if (flux.brokerConfig !== undefined)
    addIssue(["flux", "bursting"], "brokerConfig is the whole configuration; name the hosts there");
}

/** The rule that no two clusters have one name: a host belongs to one cluster, and its rank is the place of its name. */
function namesRule({ leadBroker, clusters }: OperatorBursting, addIssue: AddIssue, { name }: MiniClusterFields): void {
  const taken = new Map([[leadBroker?.name ?? name, "the lead broker's cluster"]]);
  forEachItem(clusters, (cluster, index) => {
    const own = burstName(cluster.name, index);
    const holder = taken.get(own);
    if (holder)
      addIssue(
        ["flux", "bursting", "clusters", index, "name"],
        `"${own}" is the name of ${holder} too; rename one of them`,
      );
    taken.set(own, `clusters[${index}]`);
  });
}

function archiveRule(_: OperatorBursting, addIssue: AddIssue, { archive }: MiniClusterFields): void {
  if (archive !== undefined)
    addIssue(["archive"], "the state is the lead broker's, and it runs in another cluster; set the archive there");
}

function socketRule(_: OperatorBursting, addIssue: AddIssue, { flux }: MiniClusterFields): void {
  if (flux.disableSocket)
    addIssue(
      ["flux", "disableSocket"],
      "Flux names its own socket after the rank in the instance, which no pod here has; remove it",
    );
}

/** The rule that the lead broker lists the hosts of this cluster. */
function hostsRule({ hostlist, clusters }: OperatorBursting, addIssue: AddIssue, fields: MiniClusterFields): void {
  const { name } = fields;
  const own = clusters.findIndex((cluster, index) => burstName(cluster.name, index) === name);
  if (own < 0 && hostlist === undefined)
    addIssue(
      ["flux", "bursting", "clusters"],
      `the lead broker lists no hosts of "${name}"; add a cluster of this name, or name this cluster like one of them`,
    );
  const hosts = clusters[own]?.size;
  if (hosts !== undefined && maxSizeOf(fields) > hosts)
    addIssue(
      ["maxSize"],
      `the lead broker lists ${hosts} hosts of this cluster; lower maxSize or raise clusters[${own}].size`,
    );
}

function commandRule(_: OperatorBursting, addIssue: AddIssue, fields: MiniClusterFields): void {
  if (!fields.interactive) noCommandRule(fields, addIssue);
}

/** The rule that only the cluster with the lead broker has a command. */
export function noCommandRule({ containers }: Pick<MiniClusterFields, "containers">, addIssue: AddIssue): void {
  forEachItem(containers, (container, index) => {
    if (!runsFlux(container, containers)) return;
    const at = prefixPath(addIssue, "containers", index);
    const message = "the lead broker runs the command, and this cluster only joins it; remove it here";
    if (container.command !== undefined) at(["command"], message);
    if (container.commands.script !== undefined) at(["commands", "script"], message);
  });
}
