import type * as pulumi from "@pulumi/pulumi";
import { hashDeferred } from "../../shared/hash";
import { secretName } from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import { curveFile } from "../paths";
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

/** Hash that tells one certificate from another, and nothing else of it. */
export const hashCertificate = (certificate: pulumi.Output<string>) => hashDeferred([certificate], certificate);
