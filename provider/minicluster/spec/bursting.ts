import { dnsLabel, integer, list, nonEmptyText, object } from "../../shared/checks";

// Above this Kubernetes does not track the indexes of a Job exactly.
const hosts = integer(1, 100_000);

const hostlist = nonEmptyText.refine((value) => /^[\w.[\],-]+$/.test(value), {
  error: (issue) => `${JSON.stringify(issue.input)} must be a Flux hostlist such as "demo-[0-3],node[1-4]"`,
});

const leadBroker = object({
  address: nonEmptyText.refine((value) => !/[\s/]/.test(value), {
    error: (issue) =>
      `${JSON.stringify(issue.input)} must be an IP address or a host name alone; the port is its own property`,
  }),
  name: dnsLabel,
  size: hosts,
  port: integer(1, 65535).default(8050),
});

/** Brokers of other clusters in the same instance. */
export const bursting = object({
  leadBroker: leadBroker.optional(),
  hostlist: hostlist.optional(),
  clusters: list(object({ name: dnsLabel.optional(), size: hosts.optional() })).default([]),
});
