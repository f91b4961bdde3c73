import * as pulumi from "@pulumi/pulumi";
import { stringify } from "yaml";
import { readMiniClusterManifest } from "../../../../provider/operator/read";
import { buildManifests } from "../../../../provider/minicluster/objects";
import { randomCertificate } from "../../../../provider/minicluster/register/lateValues";
import { parseMiniClusterArgs } from "../../../../provider/minicluster/parse";

type Tree = Record<string | number, unknown>;

/** A value for a field of the operator's, and what shows it in the cluster. */
export interface Sample {
  value: unknown;
  /** Fields that the value needs beside it, by path; `.name` is a field beside this one. */
  beside?: Record<string, unknown>;
  /** Stands in the second container, which does not run Flux. */
  inSidecar?: boolean;
  /** Parts of lines that the cluster has with the field, and not without it. */
  shows?: string[];
  /** Parts of lines that the cluster has without the field alone. */
  hides?: string[];
  /** The cluster is the same with the field and without it. */
  changesNothing?: boolean;
  /** What a warning says of it. */
  warns?: RegExp;
  /** What refuses it. */
  refused?: RegExp;
}

/** Fields that the cluster has at a place with the values that they are given, but for what Linux has no use of. */
export const placed = (place: string, values: Record<string, unknown>): Record<string, Sample> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const lines = linesOf(value, `${place}.${name}`);
      const shows = lines.filter((line) => !line.includes("windowsOptions"));
      return [name, { value, shows, ...(shows.length < lines.length && { warns: /windowsOptions: is for Windows/ }) }];
    }),
  );

/** What the cluster of a manifest consists of, in lines of text, and the warnings that its reading gave. */
export interface ClusterRead {
  lines: string[];
  warnings: string[];
}

/** Reads a manifest with a value at the path of a field, and builds the cluster. */
export function readField(field: string, sample: Sample): ClusterRead {
  const manifest = manifestBeside(field, sample);
  place(manifest, stepsOf(field, sample.inSidecar ? 1 : 0), sample.value);
  return readManifest(manifest);
}

/** The same cluster without the field. */
export function readWithout(field: string, sample: Sample): ClusterRead {
  try {
    return readManifest(manifestBeside(field, sample));
  } catch {
    // What stands beside the field may mean nothing by itself.
    return readManifest(baseManifest(field, sample));
  }
}

function manifestBeside(field: string, sample: Sample): Tree {
  const { beside = {}, inSidecar } = sample;
  const manifest = baseManifest(field, sample);
  const path = stepsOf(field, inSidecar ? 1 : 0);
  for (const [name, other] of Object.entries(beside))
    place(manifest, name.startsWith(".") ? [...path.slice(0, -1), name.slice(1)] : stepsOf(name, 0), other);
  return manifest;
}

function baseManifest(field: string, { inSidecar }: Sample): Tree {
  const command = /commands\.script|bursting\.leadBroker/.test(field) ? {} : { command: "echo hello" };
  const main = { image: "ubuntu:noble", ...command, ...(inSidecar && { runFlux: true }) };
  const sidecar = { name: "side", image: "busybox" };
  return {
    apiVersion: "flux-framework.org/v1alpha2",
    kind: "MiniCluster",
    metadata: { name: "demo" },
    spec: {
      containers: inSidecar ? [main, sidecar] : [main],
      ...(field.startsWith("spec.services") && { services: [{ name: "db", image: "redis" }] }),
    },
  };
}

/** The steps of a path, with the first item of every list but the containers, and the name `data` for any. */
const stepsOf = (path: string, container: number): (string | number)[] =>
  path
    .replace("containers[]", `containers[${container}]`)
    .replaceAll("[]", "[0]")
    .replace("*", "data")
    .split(/\.|(?=\[)/)
    .map((step) => (step.startsWith("[") ? Number(step.slice(1, -1)) : step));

function place(tree: Tree, [step = "", ...rest]: (string | number)[], value: unknown): void {
  if (rest.length === 0) {
    tree[step] = value;
    return;
  }
  tree[step] ??= typeof rest[0] === "number" ? [] : {};
  place(tree[step] as Tree, rest, value);
}

function readManifest(manifest: Tree): ClusterRead {
  const [cluster] = readMiniClusterManifest(stringify(manifest));
  if (!cluster) throw new Error("no cluster was read");
  const { name, args, warnings } = cluster;
  const manifests = buildManifests(parseMiniClusterArgs(name, args), { certificate: randomCertificate(name, "a2V5") });
  return {
    lines: linesOf({ args, ...manifests, pod: manifests.job.spec.template.spec }, ""),
    warnings: warnings.map(({ path, message }) => `${path}: ${message}`),
  };
}

/** A tree in lines, with items of lists under their names and files by their lines. */
function linesOf(value: unknown, path: string): string[] {
  if (value === undefined) return [];
  if (pulumi.Output.isInstance(value)) return [`${path}: (output)`];
  if (Array.isArray(value)) return value.flatMap((item, index) => linesOf(item, `${path}[${itemName(item, index)}]`));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => linesOf(inner, path === "" ? key : `${path}.${key}`));
  const file = /^configMap\.data\.(.+)$/.exec(path)?.[1];
  if (file === undefined || typeof value !== "string") return [`${path}: ${JSON.stringify(value)}`];
  return value.split("\n").map((line) => `${file}: ${line.trim()}`);
}

const itemName = (item: unknown, index: number) =>
  typeof item === "object" && item !== null && "name" in item ? String(item.name) : index;
