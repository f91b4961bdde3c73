import * as path from "node:path";
import { quoteWord } from "../../../shared/quote";
import { sharedPaths } from "../../parse/paths";
import type { MiniClusterSpec } from "../../parse/spec";
import { brokerPaths, describeResources, writesResources } from "../brokerConfig";
import { clusterHostlist } from "../hosts";
import { indent, lines } from "./pieces";

/**
 * Bash code that describes the resources before the user's code, which may describe others in the same file, and leaves
 * the hosts beside it. Flux may be on the path only after that code.
 */
export function prepareResources(spec: MiniClusterSpec): string | undefined {
  const file = brokerPaths(spec.flux).resources;
  const encode = describeResources(spec, file);
  if (encode === undefined || !hasCode(spec)) return encode;
  return lines(
    `printf '%s\\n' ${quoteWord(clusterHostlist(spec))} >${quoteWord(sharedPaths(spec.flux.container).hostlist)}`,
    `: >${quoteWord(file)}`,
    "if command -v flux >/dev/null; then",
    indent(`${encode} || : >${quoteWord(file)}`),
    "fi",
    ...linkInView(spec, file),
  );
}

/** Bash code that takes the description that the user's code has left, or makes one where there is none. */
export function adoptResources(spec: MiniClusterSpec): string | undefined {
  const file = brokerPaths(spec.flux).resources;
  const encode = describeResources(spec, file);
  if (encode === undefined || !hasCode(spec)) return undefined;
  const inView = viewFile(spec);
  return lines(
    inView && `if [[ -f ${inView} && ! -L ${inView} ]]; then cp -f ${inView} ${quoteWord(file)}; fi`,
    `if [[ ! -s ${quoteWord(file)} ]]; then`,
    indent(encode),
    "fi",
    ...(writesResources(spec) ? countHosts(spec, file) : []),
  );
}

/** True where code of the user's runs before the broker. */
function hasCode({ main: { commands } }: MiniClusterSpec): boolean {
  const { pre, brokerPre, workerPre } = commands;
  return [pre, brokerPre, workerPre].some((code) => code !== undefined);
}

/** The file in the view. A view that is an image volume is read-only. */
function viewFile({ flux: { container } }: MiniClusterSpec): string | undefined {
  return container.imageVolume ? undefined : quoteWord(`${sharedPaths(container).view}/etc/flux/system/R`);
}

/** Until October 2025 the operator's brokers read the description in the view, and most manifests write it there. */
function linkInView(spec: MiniClusterSpec, file: string): string[] {
  const inView = viewFile(spec);
  if (inView === undefined) return [];
  const directory = quoteWord(path.posix.join(sharedPaths(spec.flux.container).view, "etc/flux/system"));
  return [`{ mkdir -p ${directory} && ln -sfn ${quoteWord(file)} ${inView}; } 2>/dev/null || true`];
}

/** Brokers that are not the hosts of the description do not start, and a quiet one does not say why. */
function countHosts(spec: MiniClusterSpec, file: string): string[] {
  const count = spec.instance.hostlist === undefined ? hostsOf(spec) : undefined;
  if (count === undefined) return [];
  return [
    `if described=$(flux R decode --count=node <${quoteWord(file)}) && ((described != ${count})); then`,
    `  echo "minicluster: "${quoteWord(file)}" describes $described hosts, and the instance has ${count}:" \\`,
    `    "no broker starts; encode every host of \${hosts}, also those beyond the present size" >&2`,
    "fi",
  ];
}

const hostsOf = ({ instance }: MiniClusterSpec) => instance.clusters.reduce((sum, { hosts }) => sum + hosts, 0);
