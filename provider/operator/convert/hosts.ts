import type { Metadata } from "../fields/manifest";
import type { MiniClusterV1alpha2 } from "../fields/v1alpha2";
import type { Report } from "../problems";

/** Warns of host names in commands and settings that lead to no host of the cluster: its service has another name. */
export function warnOfHosts({ name = "", namespace = "default" }: Metadata, spec: MiniClusterV1alpha2, warn: Report) {
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

type TextAt = [path: PropertyKey[], text: string];

/** The texts that may name hosts, with their paths. */
function textsOf({ containers = [], services = [], flux }: MiniClusterV1alpha2): TextAt[] {
  const inContainers = Object.entries({ containers, services }).flatMap(([list, all]) =>
    all.flatMap(({ command, commands, environment }, index) => {
      const path = ["spec", list, index];
      return [
        ...textsIn(path, { command }),
        ...textsIn([...path, "commands"], commands),
        ...textsIn([...path, "environment"], environment),
      ];
    }),
  );
  return [...inContainers, ...textsIn(["spec", "flux"], { brokerConfig: flux?.brokerConfig })];
}

const textsIn = (path: PropertyKey[], values: object = {}): TextAt[] =>
  Object.entries(values).flatMap(([name, text]): TextAt[] =>
    typeof text === "string" ? [[[...path, name], text]] : [],
  );
