import { createHmac } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import { hashDeferred } from "../../shared/deferred";
import { autoscaleName, secretName } from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import { curveFile, demandKeyFile } from "../paths";
import { metadata } from "./metadata";
import type { SecretManifest } from "./types";

/** The Secret that holds the certificate, which comes in base64. */
export function buildSecret(spec: MiniClusterSpec, data: pulumi.Output<string>): SecretManifest {
  return {
    metadata: metadata(spec, secretName(spec)),
    type: "Opaque",
    // Not immutable: a kubelet keeps what it has read of an immutable Secret even when another one has taken its name.
    data: { [curveFile]: data },
  };
}

/**
 * The Secret that holds the key by which the agent and the lead broker's pod know each other. It is made of the certificate, which
 * both sides have, and leads to no instance.
 */
export function buildDemandSecret(spec: MiniClusterSpec, certificate: pulumi.Output<string>): SecretManifest {
  const key = certificate.apply((text) => createHmac("sha256", text).update("demand").digest("base64"));
  return { metadata: metadata(spec, autoscaleName(spec)), type: "Opaque", data: { [demandKeyFile]: key } };
}

/** Hash that tells one certificate from another, and nothing else of it. */
export const hashCertificate = (certificate: pulumi.Output<string>) => hashDeferred([certificate], certificate);
