import { properties } from "../../../shared/checks";
import { type MiniClusterArgs, MiniClusterNetworkPolicy } from "../../args";
import { runsFlux } from "../containerRules";
import type { AddIssue } from "../../../shared/rules";

/** The rules on brokers of other clusters in the form of the Flux Operator. */
export function operatorBurstRules(args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const { leadBroker, hostlist, clusters = [] } = properties(properties(args.flux).bursting);
  if (!Array.isArray(clusters)) return;
  const at = (path: PropertyKey[], message: string) => addIssue(["flux", "bursting", ...path], message);
  if (hostlist !== undefined && clusters.length > 0)
    at(["hostlist"], "names every host of the instance, and so do the clusters; give one of them");
  nameRules(args, clusters.map(properties), at);
  if (leadBroker !== undefined) followerRules(args, clusters.map(properties), addIssue);
  else if (clusters.length > 0 || hostlist !== undefined) rootRules(args, addIssue);
}

/** Name of a cluster that joins, by its place. */
export const burstName = (name: string | undefined, index: number) => name ?? `burst-${index}`;

/** A host belongs to one cluster: a rank is the place of its name. */
function nameRules({ name, flux }: Partial<MiniClusterArgs>, clusters: { name?: string }[], addIssue: AddIssue): void {
  const { leadBroker } = properties(properties(flux).bursting);
  const root = leadBroker === undefined ? name : properties(leadBroker).name;
  const taken = new Map<unknown, string>([[root, "the lead broker's cluster"]]);
  clusters.forEach((cluster, index) => {
    const own: unknown = burstName(cluster.name, index);
    if (typeof own !== "string") return;
    const holder = taken.get(own);
    if (holder) addIssue(["clusters", index, "name"], `"${own}" is the name of ${holder} too; rename one of them`);
    taken.set(own, `clusters[${index}]`);
  });
}

/** The rules on a cluster that others join: their brokers must be let in. */
function rootRules({ network }: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const { policy } = properties(network);
  if (policy !== undefined && policy !== MiniClusterNetworkPolicy.None)
    addIssue(
      ["network", "policy"],
      "shuts out the brokers of the clusters that join; remove it, and write a policy that names them",
    );
}

/** The rules on a cluster that joins another one. */
function followerRules(
  args: Partial<MiniClusterArgs>,
  clusters: { name?: string; size?: number }[],
  addIssue: AddIssue,
): void {
  const { name, size = 1, maxSize = size, interactive, containers, flux } = args;
  if (args.archive !== undefined)
    addIssue(["archive"], "the state is the lead broker's, and it runs in another cluster; set the archive there");
  if (properties(flux).disableSocket === true)
    addIssue(
      ["flux", "disableSocket"],
      "Flux names its own socket after the rank in the instance, which no pod here knows; remove it",
    );
  const { hostlist } = properties(properties(flux).bursting);
  const own = clusters.findIndex((cluster, index) => burstName(cluster.name, index) === name);
  if (typeof name === "string" && own < 0 && hostlist === undefined)
    addIssue(
      ["flux", "bursting", "clusters"],
      `the lead broker knows no hosts of "${name}"; add a cluster of this name, or name this cluster like one of them`,
    );
  const hosts = clusters[own]?.size;
  if (typeof hosts === "number" && typeof maxSize === "number" && maxSize > hosts)
    addIssue(
      ["maxSize"],
      `the lead broker knows ${hosts} hosts of this cluster; lower maxSize or raise clusters[${own}].size`,
    );
  if (interactive === true || !Array.isArray(containers)) return;
  containers.map(properties).forEach((container, index, all) => {
    if (!runsFlux(container, all)) return;
    const given = { command: container.command, "commands.script": properties(container.commands).script };
    for (const [key, command] of Object.entries(given))
      if (command !== undefined)
        addIssue(
          ["containers", index, ...key.split(".")],
          "the lead broker runs the command, and this cluster only joins it; remove it here",
        );
  });
}
