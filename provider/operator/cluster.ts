import * as pulumi from "@pulumi/pulumi";
import type { Document } from "yaml";
import type { MiniClusterConsoleArgs } from "../console/args";
import type { MiniClusterResize } from "../core/args";
import { headlessServiceName } from "../core/parse/names";
import { checkCluster } from "../minicluster/cluster";
import type { MiniClusterArgs } from "../minicluster/component";
import { propertyPath } from "../shared/errors";
import { isPlainObject } from "../shared/objects";
import { clusterArgs } from "./convert/cluster";
import { consoleArgs } from "./convert/console";
import { type Origins, type Upgrade, upgrade } from "./convert/upgrade";
import { withoutRetired } from "./convert/retired";
import { buildVolumes, type MiniClusterManifestVolume } from "./convert/volumes";
import { readDocument, type ReportAt } from "./document";
import type { MiniClusterManifestOverrideArgs } from "./args";
import { type Manifest, type Metadata, readManifest } from "./manifest";
import { isOverridden, mergedFields, type Overrides, withOverride } from "./overrides";
import { byPosition, type MiniClusterManifestWarning, type Report, type ReportPart } from "./problems";
import type { Position } from "./yaml";

/** One MiniCluster of a manifest. */
export interface MiniClusterFromManifest {
  name: string;
  namespace: string;
  /** Arguments of the equivalent `MiniCluster`. A certificate and tokens among them are secrets. */
  args: MiniClusterArgs;
  /** Storage that the cluster mounts, from the volumes of a v1alpha1 manifest. */
  volumes: MiniClusterManifestVolume[];
  /** Fields with a different effect here than in the operator, or without effect. */
  warnings: MiniClusterManifestWarning[];
}

/** A document of a manifest that is a MiniCluster. */
export interface ReadCluster {
  name: string;
  namespace: string;
  headlessName: string;
  /** Names of the Services of sidecars. */
  sidecarServices: string[];
  /** Adds an issue at the name of the cluster. */
  addNameIssue: (message: string) => void;
  /** The cluster, if it is valid. */
  cluster: MiniClusterFromManifest | undefined;
}

/** The settings of a read, and its problems. */
export interface ClusterReading {
  isStrict: boolean;
  overrides: Overrides;
  /** Resize of the clusters whose override has none. */
  resize?: MiniClusterResize | undefined;
  position: (offset: number) => Position;
  problems: MiniClusterManifestWarning[];
}

/** Reads the MiniClusters of one document, a single object or a list, without clusters whose name cannot be read. */
export function readClusters(document: Document, reading: ClusterReading): ReadCluster[] {
  const { isStrict, position, problems } = reading;
  const invalid = new Set<string>();
  const warnings: MiniClusterManifestWarning[] = [];
  const addIssueAt: ReportAt = (path, offset, message) => {
    invalid.add(path);
    problems.push({ path, ...position(offset), message });
  };
  const warnAt: ReportAt = (path, offset, message) => void warnings.push({ path, ...position(offset), message });
  const plain = readDocument(document, addIssueAt, warnAt);
  if (!plain) return [];
  const { value, offsetOf } = plain;
  const report =
    (prefix: PropertyKey[], reportAt: ReportAt): ReportPart =>
    (path, message, part) =>
      reportAt(propertyPath([...prefix, ...path]), offsetOf([...prefix, ...path], part), message);
  return objectsIn(value, report([], addIssueAt)).flatMap(({ prefix, object }) => {
    const addIssue = report(prefix, addIssueAt);
    const warn = report(prefix, warnAt);
    const manifest = readManifest(object, { addIssue, unknownField: isStrict ? addIssue : warn });
    warnings.sort(byPosition);
    // Warnings about the text of a list are reported with its first cluster.
    const takeWarnings = () => warnings.splice(0);
    const isInvalid = (path: PropertyKey[]) => isAtOrIn([...prefix, ...path], invalid);
    return manifest ? [convert(manifest, reading, { isInvalid, addIssue, warn, takeWarnings })] : [];
  });
}

interface Reports {
  /** True for a path inside a value with an issue. */
  isInvalid: (path: PropertyKey[]) => boolean;
  addIssue: Report;
  warn: Report;
  /** The warnings since the previous cluster. */
  takeWarnings: () => MiniClusterManifestWarning[];
}

/** The objects of a document, each with its path: a list, such as the output of `kubectl get -o yaml`, has several. */
function objectsIn(value: unknown, addIssue: Report): { prefix: PropertyKey[]; object: unknown }[] {
  if (!isPlainObject(value) || !["List", "MiniClusterList"].includes(String(value["kind"])))
    return [{ prefix: [], object: value }];
  const { items } = value;
  if (Array.isArray(items) && items.length > 0)
    return items.map((object: unknown, index) => ({ prefix: ["items", index], object }));
  addIssue(["items"], "must be a list of MiniClusters; this list is empty");
  return [];
}

/** Converts a manifest, and checks the cluster by the rules of a MiniCluster. */
function convert(given: Manifest, { overrides, resize }: ClusterReading, reports: Reports): ReadCluster {
  const { isInvalid, addIssue, warn, takeWarnings } = reports;
  const { name = "", namespace: written = "default" } = given.metadata;
  const own = overrides.of(name, written);
  const namespace = own?.override.namespace ?? written;
  const metadata = own?.override.namespace === undefined ? given.metadata : { ...given.metadata, namespace };
  const manifest: Manifest = { ...given, metadata };
  if (metadata.name === undefined && !isInvalid(["metadata", "name"]))
    addIssue(["metadata", "name"], missingName(metadata));
  warnOfMetadata(metadata, warn);
  const { spec, volumes, origins, console } = newestForm(manifest, addIssue, warn);
  const atOrigin =
    (report: Report): Report =>
    (path, message) =>
      report(originalPath(path, origins), message);
  const warnOf: Report = (path, message) => {
    if (!own || !isOverridden(path.slice(1), own.override, spec)) atOrigin(warn)(path, message);
  };
  const manifestArgs = {
    ...clusterArgs(metadata, spec, warnOf),
    ...(console && { console }),
    ...(resize && { resize }),
  };
  const args = own ? withOverride(manifestArgs, own.override) : manifestArgs;
  const addOverrideIssue: ReportOverride = (path, message) => {
    const isOwn = own !== undefined && isOverridden(path, own.override, manifestArgs);
    // No field of the manifest sets it.
    const isOutside = isOwn || path[0] === "resize";
    if (isOutside) overrides.issues.push({ path: isOwn ? ["overrides", own.key, ...path] : path, message });
    return isOutside;
  };
  const issues: Parameters<Report>[] = [];
  const isValid = checkArgs(args, addOverrideIssue, (...issue) => {
    atOrigin((...atField) => issues.push(atField))(...issue);
  });
  // Invalid values were removed; their absence is not another problem.
  for (const [path, message] of issues.filter(([path]) => !isInvalid(path))) addIssue(path, message);
  const { network, containers = [] } = isValid ? args : manifestArgs;
  return {
    name,
    namespace,
    headlessName: headlessServiceName({ name, network }),
    sidecarServices: containers.flatMap(({ serviceName }) => serviceName ?? []),
    addNameIssue: (message) => addIssue(["metadata", "name"], message),
    cluster: isValid
      ? {
          name,
          namespace,
          args: withSecrets(forBrokersAlone(args, own?.override)),
          volumes,
          warnings: takeWarnings(),
        }
      : undefined,
  };
}

const missingName = ({ generateName }: Metadata) =>
  generateName === undefined
    ? "is missing; set a name for the cluster"
    : "is missing; generateName is not supported, because an update finds the cluster by its name: set name";

/** A manifest in the newest version, and the mapping of its paths to the original paths. */
function newestForm(manifest: Manifest, addIssue: Report, warn: Report) {
  const origins: Origins = [];
  const { metadata, version } = manifest;
  if (version === "v1alpha2")
    return { origins, ...withoutRetired({ metadata, spec: manifest.spec, origins, addIssue, warn }) };
  const volumes = buildVolumes(metadata, manifest.spec, addIssue);
  const upgraded: Upgrade = { metadata, spec: manifest.spec, origins, addIssue, warn };
  return { spec: upgrade(upgraded), console: consoleArgs(upgraded), volumes, origins };
}

/** Adds an issue of an argument at its override, if the override sets the argument. */
type ReportOverride = (path: PropertyKey[], message: string) => boolean;

/** True if a MiniCluster accepts these arguments. Adds an issue for each that it rejects, with the path in the manifest. */
function checkArgs(
  args: { name?: string },
  addOverrideIssue: ReportOverride,
  addIssue: Report,
): args is MiniClusterArgs {
  const different = new Map<string, [path: PropertyKey[], message: string]>();
  let isValid = true;
  const add = (path: PropertyKey[], message: string) => {
    const field = fieldOf(path);
    different.set(`${propertyPath(field)}: ${message}`, [field, message]);
  };
  for (const { path, message } of checkCluster(args).issues) {
    isValid = false;
    if (!addOverrideIssue(path, message)) add(path, message);
  }
  for (const [path, message] of different.values()) addIssue(path, message);
  return isValid;
}

/** Arguments whose path differs from the path of their field. */
const moved: Origins = [
  [["name"], ["metadata", "name"]],
  [["namespace"], ["metadata", "namespace"]],
  [["container"], ["spec", "containers"]],
  [
    ["network", "affinity"],
    ["spec", "network", "disableAffinity"],
  ],
  [
    ["pod", "resources", "requests"],
    ["spec", "pod", "resources"],
  ],
  [
    ["pod", "resources", "limits"],
    ["spec", "pod", "resources"],
  ],
];

/** The manifest's path of an argument. */
function fieldOf(path: PropertyKey[]): PropertyKey[] {
  const [list, , property] = path;
  // The Service of a sidecar is named after its container.
  const named = list === "containers" && property === "serviceName" ? [...path.slice(0, 2), "name"] : path;
  const origin = originalPath(named, moved);
  return origin === named ? ["spec", ...named] : origin;
}

/** The original path of a path in the newest version, by the longest matching pair. */
function originalPath(path: PropertyKey[], origins: Origins): PropertyKey[] {
  const [fitting] = origins
    .filter(([newer]) => newer.every((step, index) => step === path[index]))
    .sort(([one], [other]) => other.length - one.length);
  return fitting ? [...fitting[1], ...path.slice(fitting[0].length)] : path;
}

/** True if a path or one of its prefixes is among `paths`. */
const isAtOrIn = (path: PropertyKey[], paths: ReadonlySet<string>) =>
  path.some((_, index) => paths.has(propertyPath(path.slice(0, index + 1))));

function warnOfMetadata({ labels = {}, annotations = {} }: Metadata, warn: Report): void {
  const message = "belong to the MiniCluster object, which is not created here; for the pods set them in spec.pod";
  if (Object.keys(labels).length > 0) warn(["metadata", "labels"], message);
  if (Object.keys(annotations).some((key) => !/^(kubectl\.)?kubernetes\.io\//.test(key)))
    warn(["metadata", "annotations"], message);
}

/**
 * The arguments with a security context only for the pods of the brokers: in the operator, the pod of the services has
 * no security context. An override sets it for all pods, as in a program.
 */
function forBrokersAlone(args: MiniClusterArgs, override?: MiniClusterManifestOverrideArgs): MiniClusterArgs {
  const { services = [], pod: { securityContext, ...pod } = {} } = args;
  if (services.length === 0 || securityContext === undefined || override?.pod?.securityContext) return args;
  return { ...args, pod, podTemplate: mergedFields({ spec: { securityContext } }, args.podTemplate ?? {}) };
}

/** The arguments with the certificate and the tokens as secrets, so that they appear nowhere in plain text. */
function withSecrets(args: MiniClusterArgs): MiniClusterArgs {
  const { flux, console } = args;
  return {
    ...args,
    ...(flux?.curveCert !== undefined && { flux: { ...flux, curveCert: pulumi.secret(flux.curveCert) } }),
    ...(console && { console: withSecretTokens(console) }),
  };
}

function withSecretTokens({ tokens = {}, secretKey, ...console }: MiniClusterConsoleArgs): MiniClusterConsoleArgs {
  const secrets = Object.entries(tokens).map(([name, token]) => [name, pulumi.secret(token)] as const);
  return {
    ...console,
    tokens: Object.fromEntries(secrets),
    ...(secretKey !== undefined && { secretKey: pulumi.secret(secretKey) }),
  };
}
