import { dnsLabel, list, nonEmptyText, object, tcpPort } from "../../shared/checks";
import { repeatedHost } from "../flux/hostlist";
import { brokerPort } from "../names";
import { address, hosts } from "../../bursting/fields";
import type { z } from "zod";

const hostlist = nonEmptyText
  .refine((value) => /^[\w.[\],-]+$/.test(value), {
    error: (issue) => `${JSON.stringify(issue.input)} must be a Flux hostlist such as "demo-[0-3],node[1-4]"`,
  })
  .superRefine((value, context) => {
    const host = repeatedHost(value);
    if (host !== undefined)
      context.addIssue({
        code: "custom",
        message: `names the host ${host} twice, and a host has one rank; name it once`,
      });
  });

const leadBroker = object({
  address,
  name: dnsLabel,
  size: hosts,
  port: tcpPort.default(brokerPort),
});

/** Brokers of other clusters in the same instance, in the form of the Flux Operator. */
export const operatorBursting = object({
  leadBroker: leadBroker.optional(),
  hostlist: hostlist.optional(),
  clusters: list(object({ name: dnsLabel.optional(), size: hosts.optional() })).default([]),
});

export type OperatorBursting = z.output<typeof operatorBursting>;

/** Name of a cluster that joins, by its place. */
export const burstName = (name: string | undefined, index: number) => name ?? `burst-${index}`;

/** True where brokers of other clusters belong to the instance. */
export const joinsClusters = (bursting: OperatorBursting | undefined) =>
  bursting !== undefined &&
  (bursting.leadBroker !== undefined || bursting.hostlist !== undefined || bursting.clusters.length > 0);
