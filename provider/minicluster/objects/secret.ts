import * as pulumi from "@pulumi/pulumi";
import { userError } from "../../shared/errors";
import { hashDeferred } from "../../shared/hash";
import { certificateProblem, renderCurveCertificate } from "../flux/curve";
import { secretName } from "../names";
import { curveFile } from "../paths";
import type { MiniClusterSpec } from "../parse";
import { metadata } from "./metadata";
import type { SecretManifest } from "./types";

/** The text of the curve certificate that all brokers of the instance share, from a random key in base64. */
export function randomCertificate({ name }: MiniClusterSpec, secretKey: pulumi.Input<string>): pulumi.Output<string> {
  const text = pulumi.output(secretKey).apply((key) => renderCurveCertificate(name, Buffer.from(key, "base64")));
  return pulumi.secret(text);
}

/** The text of a certificate that was given. One that is only known later is checked as soon as it is known. */
export function givenCertificate(place: string, certificate: pulumi.Input<string>): pulumi.Output<string> {
  return pulumi.secret(certificate).apply((text) => {
    const problem = certificateProblem(text);
    if (problem !== undefined) throw userError(`${place} ${problem}`);
    return text;
  });
}

/** The Secret that holds the certificate. */
export function buildSecret(spec: MiniClusterSpec, certificate: pulumi.Output<string>): SecretManifest {
  return {
    metadata: metadata(spec, secretName(spec)),
    type: "Opaque",
    // Not immutable: a kubelet keeps what it has read of an immutable Secret even when another one has taken its name.
    data: { [curveFile]: certificate.apply((text) => Buffer.from(text).toString("base64")) },
  };
}

/** Tells one certificate from another, and nothing else of it. */
export const hashCertificate = (certificate: pulumi.Output<string>) => hashDeferred([certificate], certificate);
