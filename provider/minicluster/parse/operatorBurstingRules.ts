import { type AddIssue, forEachItem, prefixPath, type Rule } from "../../shared/rules";
import { flatForBursting, isFlat, policyRule } from "./clusterRules";
import { runsFlux } from "./container";
import { maxSizeOf, type MiniClusterFields } from "./fields";
import { burstName, joinsClusters, type OperatorBursting } from "./operatorBursting";

type OperatorRule = (fields: MiniClusterFields, bursting: OperatorBursting, addIssue: AddIssue) => void;

/** The rules on brokers of other clusters in the form of the Flux Operator. */
export const operatorBurstingRules = [
  hostlistRule,
  besideRule,
  namesRule,
  onlyRoot((fields, _, addIssue) => policyRule(fields, addIssue)),
  onlyFollower(archiveRule),
  onlyFollower(socketRule),
  onlyFollower(hostsRule),
  onlyFollower(commandRule),
].map((rule: OperatorRule): Rule<MiniClusterFields> => (fields, addIssue) => {
  const { bursting } = fields.flux;
  if (bursting !== undefined && joinsClusters(bursting)) rule(fields, bursting, addIssue);
});

/** A rule on a cluster that others join. */
function onlyRoot(rule: OperatorRule): OperatorRule {
  return (fields, bursting, addIssue) => {
    if (bursting.leadBroker === undefined) rule(fields, bursting, addIssue);
  };
}

/** A rule on a cluster that joins another one. */
function onlyFollower(rule: OperatorRule): OperatorRule {
  return (fields, bursting, addIssue) => {
    if (bursting.leadBroker !== undefined) rule(fields, bursting, addIssue);
  };
}

function hostlistRule(_: MiniClusterFields, { hostlist, clusters }: OperatorBursting, addIssue: AddIssue): void {
  if (hostlist !== undefined && clusters.length > 0)
    addIssue(
      ["flux", "bursting", "hostlist"],
      "names every host of the instance, and so do the clusters; give one of them",
    );
}

function besideRule({ flux }: MiniClusterFields, _: OperatorBursting, addIssue: AddIssue): void {
  if (!isFlat(flux.topology)) addIssue(["flux", "topology"], flatForBursting);
  if (flux.brokerConfig !== undefined)
    addIssue(["flux", "bursting"], "brokerConfig is the whole configuration; name the hosts there");
}

/** The rule that no two clusters have one name: a host belongs to one cluster, and its rank is the place of its name. */
function namesRule({ name }: MiniClusterFields, { leadBroker, clusters }: OperatorBursting, addIssue: AddIssue): void {
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

function archiveRule({ archive }: MiniClusterFields, _: OperatorBursting, addIssue: AddIssue): void {
  if (archive !== undefined)
    addIssue(["archive"], "the state is the lead broker's, and it runs in another cluster; set the archive there");
}

function socketRule({ flux }: MiniClusterFields, _: OperatorBursting, addIssue: AddIssue): void {
  if (flux.disableSocket)
    addIssue(
      ["flux", "disableSocket"],
      "Flux names its own socket after the rank in the instance, which no pod here knows; remove it",
    );
}

/** The rule that the lead broker knows the hosts of this cluster. */
function hostsRule(fields: MiniClusterFields, { hostlist, clusters }: OperatorBursting, addIssue: AddIssue): void {
  const { name } = fields;
  const own = clusters.findIndex((cluster, index) => burstName(cluster.name, index) === name);
  if (own < 0 && hostlist === undefined)
    addIssue(
      ["flux", "bursting", "clusters"],
      `the lead broker knows no hosts of "${name}"; add a cluster of this name, or name this cluster like one of them`,
    );
  const hosts = clusters[own]?.size;
  if (hosts !== undefined && maxSizeOf(fields) > hosts)
    addIssue(
      ["maxSize"],
      `the lead broker knows ${hosts} hosts of this cluster; lower maxSize or raise clusters[${own}].size`,
    );
}

function commandRule(fields: MiniClusterFields, _: OperatorBursting, addIssue: AddIssue): void {
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
