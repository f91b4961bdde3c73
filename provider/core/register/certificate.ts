import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { RandomPassword } from "@pulumi/random/randomPassword";
import { userError } from "../../shared/errors";
import type { Certificate } from "../objects";
import { certificateProblem, renderCurveCertificate } from "../parse/curveCertificate";
import type { MiniClusterSpec } from "../parse/spec";

// A value that is only known later may be a secret: it is checked as soon as it is known, and never shown.

/** The user's certificate, or a certificate from a random key that the stack keeps as a secret. */
export function registerCertificate(
  name: string,
  spec: MiniClusterSpec,
  parent: pulumi.ComponentResource,
): Certificate {
  const { curveCert } = spec.flux;
  if (curveCert !== undefined) return givenCertificate(`MiniCluster ${spec.name}: flux.curveCert`, curveCert);
  // Not RandomBytes: their identifier is the value itself, and no identifier is encrypted.
  const key = new RandomPassword(`${name}-curve`, { length: 64, special: false }, { parent });
  return randomCertificate(
    spec.name,
    key.result.apply((text) => createHash("sha256").update(text).digest("base64")),
  );
}

/** The certificate from a random key of 32 bytes in base64. */
export const randomCertificate = (clusterName: string, key: pulumi.Input<string>): Certificate =>
  encoded(
    pulumi.secret(pulumi.output(key).apply((text) => renderCurveCertificate(clusterName, Buffer.from(text, "base64")))),
  );

/** A certificate from an argument. */
export const givenCertificate = (place: string, certificate: pulumi.Input<string>): Certificate =>
  encoded(
    pulumi.secret(certificate).apply((text) => {
      const problem = certificateProblem(text);
      if (problem !== undefined) throw userError(`${place} ${problem}`);
      return text;
    }),
  );

const encoded = (text: pulumi.Output<string>): Certificate => ({
  text,
  data: text.apply((plain) => Buffer.from(plain).toString("base64")),
});
