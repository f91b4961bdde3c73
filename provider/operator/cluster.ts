import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../minicluster/args";
import { miniClusterSchema } from "../minicluster/parse";
import { propertyPath } from "../shared/errors";
import { clusterArgs } from "./convert/cluster";
import { type Origins, upgrade } from "./convert/upgrade";
import { buildVolumes, type MiniClusterManifestVolume } from "./convert/volumes";
import { type Manifest, type Metadata, readManifest } from "./manifest";
import { byPosition, type MiniClusterManifestWarning, type Report, type ReportPart } from "./problems";
import { type Position, readDocument, type ReportAt, type YamlDocument } from "./yaml";

/** One MiniCluster of a manifest. */
export interface MiniClusterFromManifest {
  name: string;
  namespace: string;
  /** Arguments of a `MiniCluster` that is the same cluster. A certificate among them is a secret. */
  args: MiniClusterArgs;
  /** Storage that the cluster mounts, from the volumes of a v1alpha1 manifest. */
  volumes: MiniClusterManifestVolume[];
  /** Fields that mean something else here than in the operator, or nothing. */
  warnings: MiniClusterManifestWarning[];
}

/** A document of a manifest that is a MiniCluster. */
export interface ReadCluster {
  name: string;
  namespace: string;
  headlessName: string;
  /** Names of the Services that lead to sidecars. */
  sidecarServices: string[];
  /** Adds an issue at the name of the cluster. */
  addNameIssue: (message: string) => void;
  /** The cluster, if nothing in it is wrong. */
  cluster: MiniClusterFromManifest | undefined;
}

/** The settings of the reading, and its problems. */
export interface ClusterReading {
  isStrict: boolean;
  position: (offset: number) => Position;
  problems: MiniClusterManifestWarning[];
}

/** Reads one document. Nothing, when it is not a MiniCluster that can be told from others. */
export function readCluster(document: YamlDocument, reading: ClusterReading): ReadCluster | undefined {
  const { isStrict, position, problems } = reading;
  const warnings: MiniClusterManifestWarning[] = [];
  const invalid = new Set<string>();
  const addIssueAt: ReportAt = (path, offset, message) => {
    invalid.add(path);
    problems.push({ path, ...position(offset), message });
  };
  const plain = readDocument(document, addIssueAt);
  if (!plain) return undefined;
  const { value, offsetOf } = plain;
  const addIssue: ReportPart = (path, message, part) => addIssueAt(propertyPath(path), offsetOf(path, part), message);
  const warn: ReportPart = (path, message, part) =>
    void warnings.push({ path: propertyPath(path), ...position(offsetOf(path, part)), message });
  const manifest = readManifest(value, { addIssue, unknownField: isStrict ? addIssue : warn });
  warnings.sort(byPosition);
  return manifest && convert(manifest, { invalid, addIssue, warn, warnings });
}

interface Reports {
  /** Paths with an issue. */
  invalid: ReadonlySet<string>;
  addIssue: Report;
  warn: Report;
  warnings: MiniClusterManifestWarning[];
}

/** Converts a manifest, and checks the cluster by the rules of a MiniCluster. */
function convert(manifest: Manifest, { invalid, addIssue, warn, warnings }: Reports): ReadCluster {
  const { metadata } = manifest;
  const { name = "", namespace = "default" } = metadata;
  if (metadata.name === undefined) addIssue(["metadata", "name"], "is missing; give the cluster a name");
  warnOfMetadata(metadata, warn);
  const { spec, volumes, origins } = newestForm(manifest, addIssue, warn);
  const atOrigin =
    (report: Report): Report =>
    (path, message) =>
      report(originOf(path, origins), message);
  const args = clusterArgs(metadata, spec, atOrigin(warn));
  const invalidBefore = new Set(invalid);
  const isValid = checkArgs(
    args,
    atOrigin((path, message) => {
      // What is invalid was left out, and that is no problem of its own.
      if (!isAtOrIn(path, invalidBefore)) addIssue(path, message);
    }),
  );
  return {
    ...{ name, namespace, headlessName: spec.network?.headlessName ?? name },
    sidecarServices: (args.containers ?? []).flatMap(({ serviceName }) => serviceName ?? []),
    addNameIssue: (message) => addIssue(["metadata", "name"], message),
    cluster: isValid ? { name, namespace, args: withSecrets(args), volumes, warnings } : undefined,
  };
}

/** A manifest in the form of the newest version, and the way back. */
function newestForm(manifest: Manifest, addIssue: Report, warn: Report) {
  const origins: Origins = [];
  const { metadata, version } = manifest;
  if (version === "v1alpha2") return { spec: manifest.spec, volumes: [], origins };
  const volumes = buildVolumes(metadata, manifest.spec, addIssue);
  return { spec: upgrade({ metadata, spec: manifest.spec, origins, addIssue, warn }), volumes, origins };
}

/** True if a MiniCluster takes these arguments. Adds an issue for each thing that it does not take, with the path in the manifest. */
function checkArgs(args: { name?: string }, addIssue: Report): args is MiniClusterArgs {
  const { error } = miniClusterSchema.safeParse(args, { jitless: true });
  const different = new Map<string, [path: PropertyKey[], message: string]>();
  for (const { path, message } of error?.issues ?? []) {
    const field = fieldOf(path);
    different.set(`${propertyPath(field)}: ${message}`, [field, message]);
  }
  for (const [path, message] of different.values()) addIssue(path, message);
  return !error;
}

/** Arguments that do not have the path of their field. */
const moved: Origins = [
  [["name"], ["metadata", "name"]],
  [["namespace"], ["metadata", "namespace"]],
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

/** The path in a manifest of an argument. */
function fieldOf(path: PropertyKey[]): PropertyKey[] {
  const [list, , property] = path;
  // The service of a sidecar is called like its container.
  const named = list === "containers" && property === "serviceName" ? [...path.slice(0, 2), "name"] : path;
  const origin = originOf(named, moved);
  return origin === named ? ["spec", ...named] : origin;
}

/** The older path of a newer one, by the longest pair that fits. */
function originOf(path: PropertyKey[], origins: Origins): PropertyKey[] {
  const [fitting] = origins
    .filter(([newer]) => newer.every((step, index) => step === path[index]))
    .sort(([one], [other]) => other.length - one.length);
  return fitting ? [...fitting[1], ...path.slice(fitting[0].length)] : path;
}

/** True if a path, or anything around it, is among some others. */
const isAtOrIn = (path: PropertyKey[], others: ReadonlySet<string>) =>
  path.some((_, index) => others.has(propertyPath(path.slice(0, index + 1))));

function warnOfMetadata({ labels = {}, annotations = {} }: Metadata, warn: Report): void {
  const message = "belong to the MiniCluster object, and there is none here; for the pods write them in spec.pod";
  if (Object.keys(labels).length > 0) warn(["metadata", "labels"], message);
  if (Object.keys(annotations).some((key) => !/^(kubectl\.)?kubernetes\.io\//.test(key)))
    warn(["metadata", "annotations"], message);
}

/** The arguments with the certificate as a secret, so that it stands nowhere in plain. */
function withSecrets(args: MiniClusterArgs): MiniClusterArgs {
  const { flux } = args;
  if (flux?.curveCert === undefined) return args;
  return { ...args, flux: { ...flux, curveCert: pulumi.secret(flux.curveCert) } };
}
