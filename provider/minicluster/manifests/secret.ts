import * as pulumi from "@pulumi/pulumi";
import { renderCurveCertificate } from "../flux/curve";
import { secretName } from "../names";
import { curveFile } from "../paths";
import type { MiniClusterSpec } from "../spec";
import { metadata } from "./metadata";
import type { SecretManifest } from "./types";

/** The curve certificate that all brokers of the instance share, from their secret key in base64. */
export function buildSecret(spec: MiniClusterSpec, secretKey: pulumi.Input<string>): SecretManifest {
  const certificate = pulumi
    .output(secretKey)
    .apply((text) => renderCurveCertificate(spec.name, Buffer.from(text, "base64")));
  return {
    metadata: metadata(spec, secretName(spec)),
    type: "Opaque",
    // A certificate that changes under running brokers would part them from those that start later.
    immutable: true,
    data: { [curveFile]: certificate.apply((text) => Buffer.from(text).toString("base64")) },
  };
}
