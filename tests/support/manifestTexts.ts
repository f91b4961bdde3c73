import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterManifestOptions } from "../../provider/operator/args";
import type { MiniClusterFromManifest } from "../../provider/operator/cluster";
import { readMiniClusterManifest } from "../../provider/operator/read";

/** A manifest of a cluster called demo, with these lines under `spec`. */
export function aManifest(spec: string, version = "v1alpha2"): string {
  const lines = spec.split("\n").filter((line) => line.trim() !== "");
  const margin = Math.min(...lines.map((line) => line.search(/\S/)));
  return [
    `apiVersion: flux-framework.org/${version}`,
    "kind: MiniCluster",
    "metadata:",
    "  name: demo",
    "spec:",
    ...lines.map((line) => `  ${line.slice(margin)}`),
    "",
  ].join("\n");
}

/** The one cluster of a manifest. */
export function readOne(text: string, options?: MiniClusterManifestOptions): MiniClusterFromManifest {
  const [cluster, ...others] = readMiniClusterManifest(text, options);
  assert.ok(cluster && others.length === 0);
  return cluster;
}

/** The arguments that are read of a manifest with these lines under `spec`. */
export const argsOf = (spec: string, version?: string) => readOne(aManifest(spec, version)).args;

/** The warnings for a manifest with these lines under `spec`, each as `path: message`. */
export const warningsOf = (spec: string, version?: string) =>
  readOne(aManifest(spec, version)).warnings.map(({ path, message }) => `${path}: ${message}`);

/** The problems of a text, one per line, empty without problems. */
export function problemsIn(text: string, options?: MiniClusterManifestOptions): string[] {
  try {
    readMiniClusterManifest(text, options);
    return [];
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    const [head, ...problems] = error.message.split("\n  ");
    assert.equal(head, "invalid MiniCluster manifest, nothing was created");
    assert.equal(problems.filter((problem) => !problem.startsWith("and ")).length, error.errors.length);
    return problems;
  }
}

const upstream = path.resolve(__dirname, "../../../shared");

/** Whether the operator's own examples are beside this checkout. They are not part of it. */
export const hasUpstreamExamples = fs.existsSync(path.join(upstream, "upstream-examples"));

/** Names of the operator's examples. */
export function upstreamExamples(): string[] {
  if (!hasUpstreamExamples) return [];
  return fs.readdirSync(path.join(upstream, "upstream-examples")).map((file) => file.replace(/\.yaml$/, ""));
}

/** One of the operator's examples: its path, its text, and the objects that the operator created from it. */
export function upstreamExample(name: string): { file: string; text: string; objects: string } {
  const read = (folder: string) => fs.readFileSync(path.join(upstream, folder, `${name}.yaml`), "utf8");
  const file = path.join(upstream, "upstream-examples", `${name}.yaml`);
  return { file, text: read("upstream-examples"), objects: read("upstream-objects") };
}
