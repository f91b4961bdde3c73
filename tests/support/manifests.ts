import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../provider";
import type { MiniClusterSpec } from "../../provider/core/parse/spec";
import { randomCertificate } from "../../provider/core/register/certificate";
import { leadEndpoint } from "../../provider/bursting/diagnostics/lateValues";
import { aMiniCluster } from "./fixtures";
import { valueOf } from "./outputs";
import type { PlainPod } from "./pod";
import type { LooseArgs } from "./problems";
import { valueAt } from "./propertyPaths";
import { allManifests } from "./specs";

/** Secret key of a cluster in a test: 32 bytes that are visibly not secret. */
export const standInKey = Buffer.alloc(32, 7).toString("base64");

/** The manifests of a spec, around a certificate from that key. */
export const manifestsFor = (spec: MiniClusterSpec, key = standInKey) =>
  allManifests(spec, {
    certificate: randomCertificate(spec.name, key),
    leadEndpoint: spec.role === "follower" ? leadEndpoint(spec.name, spec.lead) : undefined,
  });

/** The manifests of a cluster. */
export const manifestsOf = (args: Partial<MiniClusterArgs> = {}) => manifestsFor(aMiniCluster(args));

/** The manifests for the API server: with the values of all outputs, and without undefined values. */
export async function sentFor(spec: MiniClusterSpec): Promise<Record<string, unknown>> {
  const known: unknown = await valueOf(pulumi.output(manifestsFor(spec)));
  return JSON.parse(JSON.stringify(known)) as Record<string, unknown>;
}
export const sentManifests = (args: Partial<MiniClusterArgs> = {}) => sentFor(aMiniCluster(args));

/** A test of values at paths in the manifests, and in template, pod, containers and volumes by name (viewOf). */
export const building =
  <Args>(specOf: (args: Args) => MiniClusterSpec) =>
  (name: string, args: Args, want: Record<string, unknown>) =>
    it(name, async () => {
      const built = viewOf(await sentFor(specOf(args)));
      assert.deepEqual(Object.fromEntries(Object.keys(want).map((path) => [path, valueAt(built, path)])), want);
    });
export const itBuilds = building<LooseArgs>((args) => aMiniCluster(args as Partial<MiniClusterArgs>));

function viewOf(sent: Record<string, unknown>): object {
  const { metadata, spec } = (sent.job as { spec: { template: { metadata: object; spec: PlainPod } } }).spec.template;
  const by = <T extends object>(key: keyof T, items: T[] = []) =>
    Object.fromEntries(items.map((item) => [item[key] as string, item]));
  const containers = [...(spec.initContainers ?? []), ...spec.containers].map((container) => ({
    ...container,
    mounts: by("mountPath", container.volumeMounts),
    variables: by("name", container.env),
  }));
  return {
    ...sent,
    template: metadata,
    pod: spec,
    container: by("name", containers),
    volume: by("name", spec.volumes),
  };
}

/** Hash of a cluster's pod template. */
export const templateHash = (args: Partial<MiniClusterArgs>) =>
  manifestsOf(args).jobScale.metadata.annotations["minicluster/template-hash"];
