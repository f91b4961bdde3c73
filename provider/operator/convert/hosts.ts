import type { ReadDocument } from "../document";
import type { MiniClusterV1alpha2 } from "../fields/v1alpha2";
import { pathOf } from "../../shared/errors";
import type { Say } from "./say";

/** Warns of host names in commands and settings that lead to no host of the cluster: its service has another name. */
export function warnOfHosts(
  { name = "", namespace = "default" }: ReadDocument["metadata"],
  spec: MiniClusterV1alpha2,
  warn: Say,
) {
  const domain = `${spec.network?.headlessName ?? name}.${namespace}.svc`;
  const ownHosts = new RegExp(`^(%h|${name}-(\\d+|services|\\[[-\\d,]+\\]))$`);
  const wrong = (text: string) =>
    [...text.matchAll(/[\w%[\],.-]+/g)]
      .map(([word]) => word.split("."))
      .filter(([host = "", , , svc]) => svc === "svc" && ownHosts.test(host))
      .map((labels) => labels.slice(1, 4).join("."))
      .filter((found) => found !== domain);
  for (const [path, text] of textsOf(spec).filter(([, text]) => text.includes(".svc")))
    for (const found of new Set(wrong(text)))
      warn(
        path,
        `names hosts in ${found}, and those of this cluster are in ${domain}; correct it or set network.headlessName`,
      );
}

/** The texts that may name hosts, with their paths. */
function textsOf({ containers = [], services = [], flux }: MiniClusterV1alpha2): [string, string][] {
  const inContainers = Object.entries({ containers, services }).flatMap(([list, all]) =>
    all.flatMap(({ command, commands, environment }, index) => {
      const path = pathOf(`spec.${list}`, index);
      return [
        ...(command === undefined ? [] : [[`${path}.command`, command] as [string, string]]),
        ...texts(`${path}.commands`, commands),
        ...texts(`${path}.environment`, environment),
      ];
    }),
  );
  return [...inContainers, ...texts("spec.flux", { brokerConfig: flux?.brokerConfig })];
}

function texts(path: string, values: object | undefined): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, text]) =>
    typeof text === "string" ? [[pathOf(path, name), text] as [string, string]] : [],
  );
}
