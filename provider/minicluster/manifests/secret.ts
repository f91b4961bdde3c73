import type * as pulumi from "@pulumi/pulumi";
import { secretName } from "../names";
import { curveFile } from "../paths";
import type { MiniClusterSpec } from "../spec";
import { metadata } from "./metadata";
import type { SecretManifest } from "./types";

/** The curve certificate that all brokers of the instance share. */
export function buildSecret(spec: MiniClusterSpec, certificate: pulumi.Output<string>): SecretManifest {
  const encoded = certificate.apply((text) => Buffer.from(text).toString("base64"));
  return {
    metadata: metadata(spec, secretName(spec)),
    type: "Opaque",
    // A certificate that changes under running brokers would part them from those that start later.
    immutable: true,
    data: { [curveFile]: encoded },
  };
}
