import { properties } from "../../shared/checks";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../args";
import { maxHostnameLength } from "../names";
import { containerRules, runsFlux } from "./containerRules";

/** Tells of one thing that is wrong: where it stands and what to change. */
export type Complain = (path: PropertyKey[], message: string) => void;

/**
 * The rules that join several properties. They run on whatever was given, so that they report together with every single
 * property that is wrong; each one therefore looks only at values of the right type, and leaves the others to the schema.
 */
export function checkRules(args: Partial<MiniClusterArgs>, complain: Complain): void {
  sizeRules(args, complain);
  nameRules(args, complain);
  serviceRules(args, complain);
  waitRules(args, complain);
  reservedLabels(args, complain);
  const containers: MiniClusterContainerArgs[] | undefined = args.containers;
  if (Array.isArray(containers)) containerRules(containers.map(properties), args, complain);
}

function sizeRules(args: Partial<MiniClusterArgs>, complain: Complain): void {
  const { size = 1, minSize, maxSize } = args;
  if (!isNumber(size)) return;
  if (isNumber(maxSize) && size > maxSize)
    complain(["size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
  if (isNumber(minSize) && minSize > size)
    complain(["minSize"], `minSize ${minSize} is above size ${size}; lower minSize or raise size`);
}

function nameRules({ name, size, maxSize }: Partial<MiniClusterArgs>, complain: Complain): void {
  const hosts = maxSize ?? size ?? 1;
  if (typeof name !== "string" || !isNumber(hosts)) return;
  const longest = `${name}-${hosts - 1}`;
  const excess = longest.length - maxHostnameLength;
  if (excess > 0)
    complain(
      ["name"],
      `the highest host name ${longest} has ${longest.length} characters, ${maxHostnameLength} are allowed; ` +
        `shorten name by ${excess}`,
    );
}

/** The service takes the cluster's name, and Kubernetes wants more of a service than of a Job. */
function serviceRules({ name, network }: Partial<MiniClusterArgs>, complain: Complain): void {
  if (typeof name === "string" && /^\d/.test(name) && properties(network).headlessName === undefined)
    complain(["name"], `"${name}" starts with a digit, a service's name cannot; rename it or set network.headlessName`);
}

function waitRules(args: Partial<MiniClusterArgs>, complain: Complain): void {
  if (args.wait === "complete" && neverCompletes(args))
    complain(["wait"], 'an interactive cluster has no command that completes; wait for "ready" or "none"');
}

/** A cluster without a command is interactive, too. */
function neverCompletes({ interactive, containers }: Partial<MiniClusterArgs>): boolean {
  if (interactive === true) return true;
  if (!Array.isArray(containers)) return false;
  const isBlank = (text: unknown) => text === undefined || (typeof text === "string" && text.trim() === "");
  return containers
    .map(properties)
    .filter((container, _, all) => runsFlux(container, all))
    .some(({ command, commands }) => isBlank(command) && isBlank(properties(commands).script));
}

function reservedLabels({ jobLabels, pod }: Partial<MiniClusterArgs>, complain: Complain): void {
  for (const key of reservedKeys(jobLabels)) complain(["jobLabels", key], ownLabel);
  const { labels, annotations } = properties(pod);
  for (const key of reservedKeys(labels)) complain(["pod", "labels", key], ownLabel);
  for (const key of reservedKeys(annotations)) complain(["pod", "annotations", key], ownLabel);
}

const ownLabel = "is set by Kubernetes or by the component itself; choose another key";

function reservedKeys(map: Record<string, unknown> | undefined): string[] {
  return Object.keys(properties(map)).filter((key) =>
    /^(job-name|controller-uid|(batch\.kubernetes\.io|minicluster)\/.*)$/.test(key),
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
