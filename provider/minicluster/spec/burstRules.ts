import { properties } from "../../shared/checks";
import type { MiniClusterArgs } from "../args";
import { runsFlux } from "./containerRules";
import type { Complain } from "./rules";

/** The rules on brokers of other clusters. */
export function burstRules(args: Partial<MiniClusterArgs>, complain: Complain): void {
  const { leadBroker, hostlist, clusters = [] } = properties(properties(args.flux).bursting);
  if (!Array.isArray(clusters)) return;
  const at = (path: PropertyKey[], message: string) => complain(["flux", "bursting", ...path], message);
  if (hostlist !== undefined && clusters.length > 0)
    at(["hostlist"], "names every host of the instance, and so do the clusters; give one of them");
  nameRules(args, clusters.map(properties), at);
  if (leadBroker !== undefined) followerRules(args, clusters.map(properties), complain);
}

/** Name of a cluster that joins, by its place. */
export const burstName = (name: string | undefined, index: number) => name ?? `burst-${index}`;

/** A host belongs to one cluster: a rank is the place of its name. */
function nameRules({ name, flux }: Partial<MiniClusterArgs>, clusters: { name?: string }[], complain: Complain): void {
  const { leadBroker } = properties(properties(flux).bursting);
  const root = leadBroker === undefined ? name : properties(leadBroker).name;
  const taken = new Map([[root, "the lead broker's cluster"]]);
  clusters.forEach((cluster, index) => {
    const own = burstName(cluster.name, index);
    const holder = taken.get(own);
    if (holder) complain(["clusters", index, "name"], `"${own}" is the name of ${holder} too; rename one of them`);
    taken.set(own, `clusters[${index}]`);
  });
}

/** The rules on a cluster that joins another one. */
function followerRules(
  args: Partial<MiniClusterArgs>,
  clusters: { name?: string; size?: number }[],
  complain: Complain,
): void {
  const { name, size = 1, maxSize = size, interactive, containers, flux } = args;
  const { hostlist } = properties(properties(flux).bursting);
  const own = clusters.findIndex((cluster, index) => burstName(cluster.name, index) === name);
  if (own < 0 && hostlist === undefined)
    complain(
      ["flux", "bursting", "clusters"],
      `the lead broker knows no hosts of "${name}"; add a cluster of this name, or name this cluster like one of them`,
    );
  const hosts = clusters[own]?.size;
  if (typeof hosts === "number" && maxSize > hosts)
    complain(
      ["maxSize"],
      `the lead broker knows ${hosts} hosts of this cluster; lower maxSize or raise clusters[${own}].size`,
    );
  if (interactive === true || !Array.isArray(containers)) return;
  containers.map(properties).forEach((container, index, all) => {
    if (!runsFlux(container, all)) return;
    if (container.command !== undefined || properties(container.commands).script !== undefined)
      complain(
        ["containers", index, "command"],
        "the lead broker runs the command, and this cluster only joins it; remove it here",
      );
  });
}
