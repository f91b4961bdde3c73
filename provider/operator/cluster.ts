import * as pulumi from "@pulumi/pulumi";
import type { Document, ParsedNode } from "yaml";
import type { MiniClusterArgs } from "../minicluster/args";
import { parseMiniClusterArgs } from "../minicluster/parse";
import { clusterArgs } from "./convert/cluster";
import type { Say } from "./convert/say";
import { type Origins, upgrade } from "./convert/upgrade";
import { buildVolumes, type MiniClusterManifestVolume } from "./convert/volumes";
import { type ReadDocument, readDocument, type Reporting } from "./document";
import { originOf, pathOfArgument } from "./origins";
import { parentOf } from "./paths";
import type { MiniClusterManifestWarning } from "./problems";
import type { AddIssueAt } from "./yaml/inspect";
import type { Place } from "./yaml/parse";

/** One MiniCluster of a manifest. */
export interface MiniClusterFromManifest {
  name: string;
  namespace: string;
  /** Arguments of a `MiniCluster` that is the same cluster. A certificate among them is a secret. */
  args: MiniClusterArgs;
  /** Storage that the cluster mounts, from the volumes of a v1alpha1 manifest. */
  volumes: MiniClusterManifestVolume[];
  /** What means something else here than in the operator, or nothing. */
  warnings: MiniClusterManifestWarning[];
}

/** A MiniCluster, and what it must not share with another one of its manifest. */
export interface ReadCluster extends MiniClusterFromManifest {
  headlessName: string;
  /** Names of the Services that lead to sidecars. */
  sidecarServices: string[];
  /** Where the name stands. */
  offset: number;
}

/** How a document of a manifest is read, and where its problems go. */
export interface ClusterReading {
  isStrict: boolean;
  place: Place;
  addIssue: AddIssueAt;
}

/** Reads one document. Nothing, when it is not a MiniCluster that can be told from others. */
export function readCluster(
  document: Document.Parsed<ParsedNode>,
  { isStrict, place, addIssue }: ClusterReading,
): ReadCluster | undefined {
  const warnings: MiniClusterManifestWarning[] = [];
  const warnAt: AddIssueAt = (path, offset, message) => void warnings.push({ path, ...place(offset), message });
  const refused = new Set<string>();
  const addIssueAt: AddIssueAt = (path, offset, message) => {
    refused.add(path);
    addIssue(path, offset, message);
  };
  const reporting: Reporting = { addIssue: addIssueAt, unknownField: isStrict ? addIssueAt : warnAt };
  const read = readDocument(document, reporting);
  return read && convert(read, refused, { addIssue: sayAt(addIssueAt, read), warn: sayAt(warnAt, read), warnings });
}

/** Says something at the place of a path, or of the nearest thing around it. */
function sayAt(tell: AddIssueAt, { places }: ReadDocument): Say {
  return (path, message) => {
    let nearest = path;
    while (nearest !== "" && !places.has(nearest)) nearest = parentOf(nearest);
    tell(path, places.get(nearest) ?? 0, message);
  };
}

interface Telling {
  addIssue: Say;
  warn: Say;
  warnings: MiniClusterManifestWarning[];
}

/** What was read as a cluster, checked by the rules of a MiniCluster. */
function convert(read: ReadDocument, refused: ReadonlySet<string>, { addIssue, warn, warnings }: Telling): ReadCluster {
  const { metadata, places } = read;
  const { name = "", namespace = "default" } = metadata;
  if (metadata.name === undefined) addIssue("metadata.name", "is missing; give the cluster a name");
  warnOfMetadata(metadata, warn);
  const { spec, volumes, origins } = newestForm(read, addIssue, warn);
  const older: (say: Say) => Say = (say) => (path, message) => say(originOf(path, origins), message);
  const args = clusterArgs(metadata, spec, older(warn)) as MiniClusterArgs;
  const known = new Set(refused);
  checkArgs(
    args,
    older((path, message) => {
      // What was refused already is missing now, and that is no problem of its own.
      if (isIn(path, known)) return;
      const isMissing = message.startsWith("must be") && !places.has(path);
      addIssue(path, isMissing ? `is missing; ${message}` : message);
    }),
  );
  const headlessName = spec.network?.headlessName ?? name;
  const offset = places.get("metadata.name") ?? 0;
  const sidecarServices = (args.containers ?? []).flatMap(({ serviceName }) => serviceName ?? []);
  return { name, namespace, volumes, warnings, args: withSecrets(args), headlessName, sidecarServices, offset };
}

/** A document in the form of the newest version, and the way back. */
function newestForm(read: ReadDocument, addIssue: Say, warn: Say) {
  const origins: Origins = [];
  const { metadata } = read;
  if (read.version === "v1alpha2") return { spec: read.spec, volumes: [], origins };
  const volumes = buildVolumes(metadata, read.spec, addIssue);
  return { spec: upgrade({ metadata, spec: read.spec, origins, addIssue, warn }), volumes, origins };
}

/** Tells what the rules of a MiniCluster say of some arguments, each thing once, with its path in the manifest. */
function checkArgs(args: MiniClusterArgs, addIssue: Say): void {
  try {
    parseMiniClusterArgs(args.name ?? "", args);
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    const problems = error.errors.map(({ propertyPath, reason }) => ({ path: pathOfArgument(propertyPath), reason }));
    const different = new Map(problems.map((problem) => [`${problem.path}: ${problem.reason}`, problem]));
    for (const { path, reason } of different.values()) addIssue(path, reason);
  }
}

/** Whether a path, or anything around it, is one of some others. */
function isIn(path: string, others: ReadonlySet<string>): boolean {
  for (let outer = path; outer !== ""; outer = parentOf(outer)) if (others.has(outer)) return true;
  return false;
}

function warnOfMetadata({ labels = {}, annotations = {} }: ReadDocument["metadata"], warn: Say): void {
  const word = "belong to the MiniCluster object, and there is none here; for the pods write them in spec.pod";
  if (Object.keys(labels).length > 0) warn("metadata.labels", word);
  if (Object.keys(annotations).some((key) => !/^(kubectl\.)?kubernetes\.io\//.test(key)))
    warn("metadata.annotations", word);
}

/** The arguments with the certificate as a secret, so that it stands nowhere in plain. */
function withSecrets(args: MiniClusterArgs): MiniClusterArgs {
  const { flux } = args;
  if (flux?.curveCert === undefined) return args;
  return { ...args, flux: { ...flux, curveCert: pulumi.secret(flux.curveCert) } };
}
