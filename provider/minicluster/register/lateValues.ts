import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { RandomPassword } from "@pulumi/random/randomPassword";
import { address, sourceRange } from "../../bursting/fields";
import { tcpPort } from "../../shared/checks";
import { isDeferred } from "../../shared/deferred";
import { userError } from "../../shared/errors";
import { certificateProblem, renderCurveCertificate } from "../flux/curve";
import type { Certificate } from "../objects";
import type { FollowerSpec, MiniClusterSpec, RemoteLead } from "../parse/spec";

// What is only known later may be a secret: it is checked as soon as it is known, and never shown.

/** The user's own certificate, or one from a random key that is kept as a secret of the stack. */
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

/** A certificate that was given at some place of the arguments. */
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

/** `address:port` of a lead broker that runs elsewhere, where it is not in the configuration already. */
export function leadEndpoint(resourceName: string, lead: RemoteLead): pulumi.Output<string> | undefined {
  if (!lead.isLate) return undefined;
  return pulumi.all([lead.address, lead.port]).apply(([host, number]) => {
    const wrong = [
      ...(address.safeParse(host).success ? [] : ["root.address is no IP address (version 4) and no host name"]),
      ...(tcpPort.safeParse(number).success ? [] : ["root.port is no TCP port"]),
    ];
    if (wrong.length > 0) throw userError(`BurstCluster ${resourceName}: ${wrong.join("; ")}`);
    return `${host}:${number}`;
  });
}

/** `address:port` at which the lead broker's pod elsewhere tells what the queue needs, for a cluster that follows it. */
export function demandEndpoint(resourceName: string, spec: FollowerSpec): pulumi.Output<string> | undefined {
  const { lead, autoscale } = spec;
  if (!lead.isLate || !autoscale) return undefined;
  return pulumi.all([lead.address, lead.demandPort]).apply(([host, port]) => {
    if (!tcpPort.safeParse(port).success)
      throw userError(
        `BurstCluster ${resourceName}: root.demandPort is no TCP port; set bursting.expose.demand of the cluster to join, or remove ` +
          "autoscale",
      );
    return `${host}:${port}`;
  });
}

/** The networks that may connect to the load balancer of the lead broker. */
export function checkedSourceRanges(spec: MiniClusterSpec): pulumi.Input<string>[] | undefined {
  if (spec.role === "follower") return undefined;
  return spec.bursting?.expose.loadBalancer?.sourceRanges.map((range, index) =>
    isDeferred(range) ? pulumi.output(range).apply((value) => checkedRange(spec.name, index, value)) : range,
  );
}

function checkedRange(clusterName: string, index: number, range: string): string {
  if (sourceRange.safeParse(range).success) return range;
  throw userError(
    `MiniCluster ${clusterName}: bursting.expose.loadBalancer.sourceRanges[${index}] is no network in CIDR form, or a ` +
      "wider one than openToWorld: true is for",
  );
}
