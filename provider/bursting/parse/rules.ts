import { MiniClusterResize } from "../../brokers/args";
import { BurstingCloud } from "../../brokers/args/bursting";
import { type BurstingFields, ownAnnotations } from "../../brokers/parse/bursting";
import { flatForBursting, isFlat, policyRule } from "../../brokers/parse/clusterRules";
import type { MiniClusterFields } from "../../brokers/parse/fields";
import { hostProperties } from "../../brokers/parse/instance";
import { demandPort, leadServiceName, maxHostnameLength, maxPods, podHostname } from "../../brokers/parse/names";
import { maxSizeOf } from "../../brokers/parse/sizes";
import { type AddIssue, forEachItem, prefixPath, type RuleBeside, where } from "../../shared/rules";

type BurstingRule = RuleBeside<BurstingFields, MiniClusterFields>;

/** The rules on a cluster that others may join. */
export const burstingRules = where<BurstingFields, MiniClusterFields>(
  ({ bursting }) => bursting,
  besideRule,
  (_, addIssue, fields) => policyRule(fields, addIssue),
  below(waysRule),
  below(demandRule),
  below(serviceNameRule),
  below(renderedRule),
  below(sourceRule),
  below(clusterRule),
  below(clusterNameRule),
  below(clashRule),
  below(propertyRule),
  below(totalRule),
);

/** A rule whose paths lie below `bursting`. */
function below(rule: BurstingRule): BurstingRule {
  return (bursting, addIssue, fields) => rule(bursting, prefixPath(addIssue, "bursting"), fields);
}

/** The rule on other arguments of the cluster that exclude `bursting`. */
function besideRule(_: BurstingFields, addIssue: AddIssue, { flux }: MiniClusterFields): void {
  const { bursting, brokerConfig, topology, scheduler } = flux;
  if (bursting !== undefined) addIssue(["flux", "bursting"], "is the operator's form of bursting; keep one of the two");
  if (brokerConfig !== undefined)
    addIssue(["flux", "brokerConfig"], "is the whole configuration, and bursting needs its hosts; keep one of them");
  if (!isFlat(topology)) addIssue(["flux", "topology"], flatForBursting);
  if (scheduler.simple)
    addIssue(
      ["flux", "scheduler", "simple"],
      "has one queue for all clusters: a job that waits for a cluster to join would hold up every other job; use Fluxion",
    );
}

const ways = ["nodePort", "loadBalancer", "endpoint"] as const;

/** The rule that there is exactly one way to the lead broker. */
function waysRule({ expose }: BurstingFields, addIssue: AddIssue): void {
  const given = ways.filter((way) => expose[way] !== undefined);
  if (given.length === 0)
    addIssue(
      ["expose"],
      "no broker of another cluster could reach the lead broker; add nodePort, loadBalancer or endpoint",
    );
  if (given.length > 1) addIssue(["expose"], `${given.join(" and ")} exclude each other; keep one of them`);
}

/** The rule on the port of the demand, beside that of the brokers. */
function demandRule({ expose }: BurstingFields, addIssue: AddIssue, { resize }: MiniClusterFields): void {
  const { nodePort, loadBalancer, endpoint, demand } = expose;
  if (demand === undefined) return;
  const at = prefixPath(addIssue, "expose", "demand", "port");
  if (demand.port === undefined) {
    if (nodePort && resize === MiniClusterResize.Manifest) at([], "has no default in rendered YAML; set it");
    return;
  }
  if (loadBalancer) at([], `is ${demandPort} of a load balancer; remove it`);
  if (demand.port === (nodePort ?? endpoint)?.port) at([], `${demand.port} is the brokers' port; choose another one`);
}

/** The rule on the name of the lead broker's service, which is made of the name of the cluster. */
function serviceNameRule({ expose }: BurstingFields, addIssue: AddIssue, { name, network }: MiniClusterFields): void {
  if ((expose.nodePort ?? expose.loadBalancer) === undefined) return;
  const { headlessName } = network;
  const own = leadServiceName({ name });
  const at = (reason: string) =>
    addIssue(["expose"], `needs the service ${own} for the lead broker, ${reason}, or use endpoint`);
  if (own === headlessName) at("which is the name of network.headlessName too; choose another one for that");
  const excess = own.length - maxHostnameLength;
  if (excess > 0) at(`and ${maxHostnameLength} characters are allowed; shorten name by ${excess}`);
  // Where the headless service takes the name, it is refused for that one already.
  if (/^\d/.test(name) && headlessName !== undefined)
    at("which starts with a digit, and a service's name cannot; rename the cluster");
}

/** The rule that the address is known when the YAML is rendered. */
function renderedRule({ expose }: BurstingFields, addIssue: AddIssue, { resize }: MiniClusterFields): void {
  if (resize !== MiniClusterResize.Manifest) return;
  if (expose.loadBalancer !== undefined)
    addIssue(["expose", "loadBalancer"], "has no address in rendered YAML; use endpoint");
  if (expose.nodePort !== undefined && expose.nodePort.port === undefined)
    addIssue(["expose", "nodePort", "port"], "has no default in rendered YAML; set it");
}

/** The rule that a load balancer is closed but for the named sources, and public only by a separate argument. */
function sourceRule({ expose: { loadBalancer } }: BurstingFields, addIssue: AddIssue): void {
  if (!loadBalancer) return;
  const { sourceRanges, openToWorld, internetFacing, annotations, cloud } = loadBalancer;
  const at = prefixPath(addIssue, "expose", "loadBalancer");
  for (const key of Object.keys(annotations))
    if (cloud !== BurstingCloud.Other && ownAnnotations.includes(key))
      at(["annotations", key], "is set by cloud and internetFacing; remove it");
  if (!openToWorld && sourceRanges.length === 0)
    at(["sourceRanges"], "is empty, so no address may connect; add the networks of the clusters that join");
  if (openToWorld && sourceRanges.length > 0)
    at(["openToWorld"], "openToWorld and sourceRanges exclude each other; keep one of them");
  if (openToWorld && !internetFacing)
    at(["openToWorld"], "requires internetFacing: true; add it, or name sourceRanges");
}

function clusterRule({ clusters }: BurstingFields, addIssue: AddIssue): void {
  forEachItem(clusters, ({ size, maxSize }, index) => {
    if (size > maxSize)
      addIssue(["clusters", index, "size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
  });
  forEachItem(clusters, ({ gpus, cores, pool }, index) => {
    if (gpus !== undefined && cores === undefined && pool === undefined)
      addIssue(["clusters", index, "gpus"], "requires cores or pool; add one of them");
  });
}

function clusterNameRule({ clusters }: BurstingFields, addIssue: AddIssue): void {
  forEachItem(clusters, ({ name, maxSize }, index) => {
    const last = podHostname({ name }, maxSize - 1);
    const excess = last.length - maxHostnameLength;
    if (excess > 0)
      addIssue(
        ["clusters", index, "name"],
        `its last host name, ${last}, is longer than ${maxHostnameLength} characters; shorten name by ${excess}`,
      );
  });
}

/** The rule that no two clusters have one name: a host belongs to one cluster, and its rank is the place of its name. */
function clashRule({ clusters }: BurstingFields, addIssue: AddIssue, { name }: MiniClusterFields): void {
  const taken = new Map([[name, "this cluster"]]);
  forEachItem(clusters, (cluster, index) => {
    const holder = taken.get(cluster.name);
    if (holder)
      addIssue(["clusters", index, "name"], `"${cluster.name}" is the name of ${holder} too; rename one of them`);
    else taken.set(cluster.name, `clusters[${index}]`);
  });
}

/**
 * The rule on properties: a queue has all hosts with the name of its cluster as a property, so no host of another cluster
 * may have it.
 */
function propertyRule({ clusters }: BurstingFields, addIssue: AddIssue, { name, pool }: MiniClusterFields): void {
  const ofPool = (home: MiniClusterFields["pool"]) => (home ? hostProperties(home) : []);
  const all = [
    { own: name, place: ["pool"], has: ofPool(pool) },
    ...clusters.map((cluster, index) => ({
      own: cluster.name,
      place: ["clusters", index, "properties"],
      has: [...ofPool(cluster.pool), ...cluster.properties],
    })),
  ];
  const names = new Map(all.map(({ own }, index) => [own, index === 0 ? "this cluster" : `clusters[${index - 1}]`]));
  for (const { own, place, has } of all)
    for (const property of new Set(has)) {
      const holder = property === own ? undefined : names.get(property);
      if (holder === undefined) continue;
      addIssue(
        place,
        `its hosts would have the property "${property}", which is the name of ${holder}, and would be in the queue of that ` +
          "one; rename one of them",
      );
    }
}

function totalRule({ clusters }: BurstingFields, addIssue: AddIssue, fields: MiniClusterFields): void {
  const own = maxSizeOf(fields);
  const total = clusters.reduce((sum, { maxSize }) => sum + maxSize, own);
  // In the flat tree each of them is a connection of the one lead broker, so let it be no more than one Job may have.
  if (total > maxPods)
    addIssue(
      ["clusters"],
      `the instance would have ${total} hosts, this cluster's own ${own} included, above the maximum of ${maxPods}; ` +
        "lower a maxSize",
    );
}
