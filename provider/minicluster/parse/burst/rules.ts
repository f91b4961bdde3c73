import { properties } from "../../../shared/checks";
import { isPlainObject } from "../../../shared/objects";
import { type BurstingClusterArgs, type MiniClusterArgs, MiniClusterNetworkPolicy } from "../../args";
import { maxHostnameLength, podHostname } from "../../names";
import { hostProperties } from "../pool/hardware";
import { poolOf } from "../pool/scheduling";
import type { AddIssue } from "../../../shared/rules";
import { exposeRules } from "./exposeRules";

type Cluster = Partial<BurstingClusterArgs>;

// In the flat tree each of them is a connection of the one lead broker, so let it be no more than one Job may have.
const maxInstanceHosts = 100_000;

/** The rules on a cluster that others may join. */
export function burstingRules(args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  if (args.bursting === undefined) return;
  const { clusters, expose } = properties(args.bursting);
  const at: AddIssue = (path, message) => addIssue(["bursting", ...path], message);
  besideRules(args, addIssue);
  if (isPlainObject(expose)) exposeRules(args, expose, at);
  if (!Array.isArray(clusters)) return;
  const all = clusters.map((cluster) => properties(cluster));
  all.forEach((cluster, index) => clusterRules(cluster, (path, message) => at(["clusters", index, ...path], message)));
  clashRules(args, all, at);
  propertyRules(args, all, at);
  totalRules(args, all, at);
}

/** What else is set for the cluster. */
function besideRules({ flux, network }: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const given = properties(flux);
  if (given.bursting !== undefined)
    addIssue(["flux", "bursting"], "is the operator's form of bursting; keep one of the two");
  if (given.brokerConfig !== undefined)
    addIssue(["flux", "brokerConfig"], "is the whole configuration, and bursting needs its hosts; keep one of them");
  if (typeof given.topology === "string" && given.topology !== "kary:0")
    addIssue(
      ["flux", "topology"],
      'brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
    );
  if (properties(given.scheduler).simple === true)
    addIssue(
      ["flux", "scheduler", "simple"],
      "has one line for all: a job that waits for a cluster to join would hold up every other one; use Fluxion",
    );
  const { policy } = properties(network);
  if (policy !== undefined && policy !== MiniClusterNetworkPolicy.None)
    addIssue(
      ["network", "policy"],
      "shuts out the brokers of the clusters that join; remove it, and write a policy that names them",
    );
}

function clusterRules({ name, size = 0, maxSize, cores, gpus, pool }: Cluster, addIssue: AddIssue): void {
  if (typeof maxSize !== "number") return;
  if (typeof size === "number" && size > maxSize)
    addIssue(["size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
  if (gpus !== undefined && cores === undefined && pool === undefined)
    addIssue(["gpus"], "only means something beside cores or pool; add one of them");
  if (typeof name !== "string") return;
  const excess = podHostname({ name }, maxSize - 1).length - maxHostnameLength;
  if (excess > 0)
    addIssue(
      ["name"],
      `its last host name, ${podHostname({ name }, maxSize - 1)}, is longer than ${maxHostnameLength} characters; ` +
        `shorten name by ${excess}`,
    );
}

/** A host belongs to one cluster: a rank is the place of its name. */
function clashRules({ name }: Partial<MiniClusterArgs>, clusters: Cluster[], addIssue: AddIssue): void {
  const taken = new Map<unknown, string>([[name, "this cluster"]]);
  clusters.forEach((cluster, index) => {
    if (typeof cluster.name !== "string") return;
    const holder = taken.get(cluster.name);
    if (holder)
      addIssue(["clusters", index, "name"], `"${cluster.name}" is the name of ${holder} too; rename one of them`);
    else taken.set(cluster.name, `clusters[${index}]`);
  });
}

/** A queue has the hosts with the name of its cluster as a property, so no host of another cluster may have it. */
function propertyRules({ name, pool }: Partial<MiniClusterArgs>, clusters: Cluster[], addIssue: AddIssue): void {
  const all = [{ name, properties: [], pool }, ...clusters].map(
    ({ name: own, properties: given, pool: home }, index) => ({
      own,
      place: index === 0 ? ["pool"] : ["clusters", index - 1, "properties"],
      properties: [...ofPool({ pool: home }), ...(Array.isArray(given) ? given : [])],
    }),
  );
  const names = new Map(all.map(({ own }, index) => [own, index === 0 ? "this cluster" : `clusters[${index - 1}]`]));
  for (const { own, place, properties: has } of all)
    for (const property of new Set(has)) {
      if (typeof property !== "string" || property === own) continue;
      const holder = names.get(property);
      if (holder === undefined) continue;
      addIssue(
        place,
        `its hosts would have the property "${property}", which is the name of ${holder}, and would be in the queue of that ` +
          "one; rename one of them",
      );
    }
}

const ofPool = (args: Pick<Cluster, "pool">): unknown[] => {
  const home = poolOf(args);
  return home ? hostProperties(home) : [];
};

function totalRules({ size = 1, maxSize = size }: Partial<MiniClusterArgs>, all: Cluster[], addIssue: AddIssue): void {
  const counts = [maxSize, ...all.map((cluster) => cluster.maxSize)];
  if (!counts.every((count) => typeof count === "number")) return;
  const total = counts.reduce<number>((sum, count) => sum + count, 0);
  if (total > maxInstanceHosts)
    addIssue(
      ["clusters"],
      `the instance would have ${total} hosts, this cluster's own ${maxSize} included, and ${maxInstanceHosts} are the most; ` +
        "lower a maxSize",
    );
}
