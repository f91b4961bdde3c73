import * as pulumi from "@pulumi/pulumi";
import { integer, properties } from "../shared/checks";
import { inputPropertiesError, type InputProblem, inputProblems, userError } from "../shared/errors";
import { isPlainObject } from "../shared/objects";
import type { MiniClusterArgs } from "../minicluster/args";
import { lateEndpoint } from "../minicluster/paths";
import { type MiniClusterSpec, miniClusterSchema } from "../minicluster/parse";
import { address } from "../minicluster/parse/burst/bursting";
import { planInstance } from "../minicluster/parse/instance";
import type { BurstClusterArgs } from "./args";
import { unsupportedArgs, withoutUnsupported } from "./unsupportedArgs";
import { port, root, type RootSpec } from "./root";

/** Arguments of a cluster that joins another, checked, with every default. */
export interface BurstSpec {
  spec: MiniClusterSpec;
  /** The certificate of the instance. */
  certificate: RootSpec["certificate"];
}

/** The spec of a BurstCluster, or one error that names every problem of its arguments. */
export function parseBurstClusterArgs(resourceName: string, args: BurstClusterArgs): BurstSpec {
  const given = properties(args);
  const name = given.name ?? resourceName;
  const told = root.safeParse(given.root, { jitless: true });
  const clusters = told.data?.plan.clusters ?? [];
  const [, own] =
    clusters.map((one, index) => [index, one] as const).find(([index, one]) => index > 0 && one.name === name) ?? [];
  const size = given.size ?? own?.size ?? 0;
  const problems: InputProblem[] = [
    ...(isPlainObject(args) ? [] : [{ propertyPath: "", reason: "must be an object with properties" }]),
    ...(told.error ? inputProblems(told.error).map(below("root")) : []),
    ...unsupportedArgs(given),
    ...(told.data && typeof name === "string" ? placeProblems(name, clusters) : []),
    ...sizeProblems(given, size, own?.maxSize),
  ];
  const parsed = miniClusterSchema.safeParse(
    asFollower(withoutUnsupported(given), { name, size, maxSize: own?.maxSize, mountPath: told.data?.plan.mountPath }),
    { jitless: true },
  );
  if (parsed.error) problems.push(...inputProblems(parsed.error).filter(isOfTheUsers(size)).map(inWordsOfThePlan));
  if (problems.length > 0 || !parsed.data || !told.data)
    throw inputPropertiesError(`BurstCluster ${resourceName}`, problems);
  const lead = { endpoint: lateEndpoint, late: endpoint(resourceName, told.data) };
  return {
    certificate: told.data.certificate,
    spec: { ...parsed.data, size, suspendAtZero: true, instance: planInstance(told.data.plan, lead) },
  };
}

const below =
  (parent: string) =>
  ({ propertyPath, reason }: InputProblem): InputProblem => ({
    propertyPath:
      propertyPath.startsWith("[") || propertyPath === "" ? `${parent}${propertyPath}` : `${parent}.${propertyPath}`,
    reason,
  });

/** The cluster is one of those that the root speaks of. */
function placeProblems(name: string, clusters: { name: string }[]): InputProblem[] {
  const [lead = "", ...others] = clusters.map((one) => one.name);
  if (others.includes(name)) return [];
  const reason =
    name === lead
      ? `"${name}" is the name of the cluster to join; choose one of its bursting.clusters: ${others.join(", ")}`
      : `the cluster to join knows no "${name}", only: ${others.join(", ")}; add it to bursting.clusters there, or rename this one`;
  return [{ propertyPath: "name", reason }];
}

const sizes = integer(0, 100_000);

function sizeProblems({ size: given, gang }: Partial<BurstClusterArgs>, size: unknown, maxSize: number | undefined) {
  const form = given === undefined ? undefined : sizes.safeParse(given).error;
  const problems: InputProblem[] = form ? inputProblems(form).map(below("size")) : [];
  const addIssue = (reason: string) => problems.push({ propertyPath: "size", reason });
  if (!form && typeof size === "number" && maxSize !== undefined && size > maxSize)
    addIssue(
      `size ${size} is above the ${maxSize} hosts that the cluster to join knows; lower it, or raise maxSize there`,
    );
  if (size === 0 && properties(gang).queueName !== undefined)
    addIssue("0 suspends the Job, and Kueue does that by itself; use at least 1, or remove gang.queueName");
  return problems;
}

/** The same arguments as those of a MiniCluster whose lead broker is elsewhere, for all rules on pods to apply. */
function asFollower(
  { root: _joined, flux, ...pods }: Partial<BurstClusterArgs>,
  { name, size, maxSize, mountPath }: { name: string; size: unknown; maxSize?: number; mountPath?: string },
): unknown {
  const isResting = size === 0;
  const most = maxSize ?? (typeof size === "number" ? Math.max(1, size) : 1);
  const bursting = {
    leadBroker: { address: "lead", name: `${name === "lead" ? "root" : "lead"}`, size: 1 },
    clusters: [{ name, size: most }],
  };
  const known: Partial<MiniClusterArgs> = {
    name,
    // What is wrong with it is said already.
    size: isResting || !sizes.safeParse(size).success ? 1 : Math.min(size as number, most),
    maxSize: most,
    ...(isResting && { suspend: true }),
  };
  if (flux !== undefined && !isPlainObject(flux)) return { ...pods, ...known, flux };
  const { container = {} }: { container?: unknown } = flux ?? {};
  const view = mountPath !== undefined && isPlainObject(container) ? { ...container, mountPath } : container;
  return { ...pods, ...known, flux: { ...flux, container: view, bursting } };
}

/** What the user can change: not what stands for the root, nor what stands for a size of 0. */
const isOfTheUsers =
  (size: unknown) =>
  ({ propertyPath }: InputProblem): boolean =>
    !propertyPath.startsWith("flux.bursting") && !(size === 0 && propertyPath === "suspend");

/** The largest size is no argument here: the cluster to join says it. */
const inWordsOfThePlan = ({ propertyPath, reason }: InputProblem): InputProblem =>
  propertyPath === "maxSize"
    ? {
        propertyPath: "pool",
        reason: reason.replace(/lower maxSize$/, "lower maxSize in bursting.clusters of the cluster to join"),
      }
    : { propertyPath, reason };

/** Where the lead broker is reached, checked as soon as it is known. What is only known later may be a secret, and is not shown. */
function endpoint(resourceName: string, { address: host, port: number }: RootSpec): pulumi.Output<string> {
  return pulumi.all([host, number]).apply(([name, at]) => {
    const wrong = [
      ...(address.safeParse(name).success ? [] : ["root.address is no IP address (version 4) and no host name"]),
      ...(port.safeParse(at).success ? [] : ["root.port is no TCP port"]),
    ];
    if (wrong.length > 0) throw userError(`BurstCluster ${resourceName}: ${wrong.join("; ")}`);
    return `${name}:${at}`;
  });
}
