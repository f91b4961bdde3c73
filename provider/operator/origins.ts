import type { Origins } from "./convert/upgrade";
import { isAtOrIn } from "./paths";

/** Where an argument comes from that does not have the path of its field. */
const argumentOrigins: Origins = [
  ["name", "metadata.name"],
  ["namespace", "metadata.namespace"],
  ["network.affinity", "spec.network.disableAffinity"],
  ["pod.resources.requests", "spec.pod.resources"],
  ["pod.resources.limits", "spec.pod.resources"],
];

/** The path in a manifest of an argument. */
export function pathOfArgument(path: string): string {
  // The service of a sidecar is called like its container.
  const named = path.replace(/^(containers\[\d+\])\.serviceName$/, "$1.name");
  const moved = originOf(named, argumentOrigins);
  if (moved !== named) return moved;
  return named === "" ? "spec" : `spec.${named}`;
}

/** The older path of a newer one, by the longest pair that fits. */
export function originOf(path: string, origins: Origins): string {
  const [newer, older] = origins
    .filter(([candidate]) => isAtOrIn(path, candidate))
    .sort(([one], [other]) => other.length - one.length)[0] ?? ["", ""];
  return newer === "" ? path : older + path.slice(newer.length);
}
