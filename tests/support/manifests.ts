import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../provider";
import { buildManifests } from "../../provider/minicluster/objects";
import { checkedSourceRanges, leadEndpoint, randomCertificate } from "../../provider/minicluster/register/lateValues";
import type { MiniClusterSpec } from "../../provider/minicluster/parse/spec";
import { aMiniCluster } from "./fixtures";
import { valueOf } from "./mocks";

/** Secret key of a cluster in a test: 32 bytes of which everybody sees that they are no secret. */
export const standInKey = Buffer.alloc(32, 7).toString("base64");

/** The manifests of a spec, around a certificate from that key. */
export const manifestsFor = (spec: MiniClusterSpec, key = standInKey) =>
  buildManifests(spec, {
    certificate: randomCertificate(spec.name, key),
    leadEndpoint: spec.role === "follower" ? leadEndpoint(spec.name, spec.lead) : undefined,
    sourceRanges: checkedSourceRanges(spec),
  });

/** The manifests of a cluster. */
export const manifestsOf = (args: Partial<MiniClusterArgs> = {}) => manifestsFor(aMiniCluster(args));

/** The manifests as the API server gets them: with the values of all outputs, and without what is undefined. */
export async function sentManifests(args: Partial<MiniClusterArgs> = {}): Promise<Record<string, unknown>> {
  const known: unknown = await valueOf(pulumi.output(manifestsOf(args)));
  return JSON.parse(JSON.stringify(known)) as Record<string, unknown>;
}

/** Hash of a cluster's pod template. */
export const templateHash = (args: Partial<MiniClusterArgs>) =>
  manifestsOf(args).jobScale.metadata.annotations["minicluster/template-hash"];
