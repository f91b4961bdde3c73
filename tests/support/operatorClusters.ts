import * as assert from "node:assert/strict";
import type { types } from "@pulumi/kubernetes";
import { parseMiniClusterArgs } from "../../provider/minicluster/parse";
import { sentFor } from "./manifests";
import { aManifest, argsOf, warningsOf } from "./manifestTexts";
import { files } from "./scripts/paths";
import { aPod } from "./scripts/pod";

export type Job = types.output.batch.v1.Job;
export type Container = types.output.core.v1.Container;

/** A cluster of one container, with further lines under `spec` and in the container. */
export const aCluster = (lines: string[] = [], container: string[] = []) =>
  [...lines, "containers:", "  - image: a", ...container.map((line) => `    ${line}`)].join("\n");

export const plain = aCluster([], ["command: hostname"]);

/** What is sent to the API server for a manifest with these lines under `spec`. */
export async function sent(spec: string) {
  const objects = await sentFor(parseMiniClusterArgs("demo", argsOf(spec)));
  return objects as Record<string, { metadata: { name: string }; data: Record<string, string> }> & { job: Job };
}

export const jobOf = async (spec: string) => (await sent(spec)).job.spec;
export const podOf = async (spec: string) => (await jobOf(spec)).template.spec;
export const mainOf = async (spec: string): Promise<Container> => (await podOf(spec)).containers[0] ?? assert.fail();

/** A script of a cluster. */
export const fileOf = async (spec: string, file: string) => (await sent(spec)).configMap?.data[file] ?? "";

/** A run of the lead's script, and its pod. */
export async function run(spec: string, env: Record<string, string> = {}) {
  const pod = aPod(argsOf(spec));
  return { pod, ...(await pod.run(files.broker, { env: { STUB_SUBMIT: "run", ...env } })) };
}

export const warns = (spec: string, message: RegExp, version?: string) =>
  assert.match(warningsOf(spec, version).join("\n"), message);

export const withCommand = (command: string, ...more: string[]) =>
  aCluster([], [`command: ${JSON.stringify(command)}`, ...more]);
export const withSidecar = (...lines: string[]) =>
  [
    aCluster(["logging: {quiet: true}"], ["runFlux: true", "command: hostname"]),
    "  - image: b",
    "    name: side",
    ...lines.map((line) => `    ${line}`),
  ].join("\n");

/** A manifest with a configuration of its own. */
export const upstreamLike = () =>
  aManifest(
    aCluster([
      "flux:",
      "  brokerConfig: |",
      "    [bootstrap]",
      '    curve_cert = "/mnt/flux/config/curve/curve.cert"',
      '    hosts = [{ host = "demo-0" }]',
      "    [resource]",
      '    path = "/mnt/flux/config/etc/flux/system/R"',
    ]),
  );
