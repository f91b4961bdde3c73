import * as pulumi from "@pulumi/pulumi";
import { tcpPort } from "../../shared/checks";
import { isDeferred } from "../../shared/deferred";
import { userError } from "../../shared/errors";
import { address } from "../../core/parse/hosts";
import { sourceRange } from "../parse/fields";
import { burstingOf } from "../parse/spec";
import type { FollowerSpec, MiniClusterSpec, RemoteLead } from "../../core/parse/spec";

/** `address:port` of a lead broker that runs elsewhere, if the configuration does not have it. */
export function leadEndpoint(resourceName: string, lead: RemoteLead): pulumi.Output<string> | undefined {
  if (!lead.isLate) return undefined;
  return pulumi.all([lead.address, lead.port]).apply(([host, number]) => {
    const wrong = [
      ...(address.safeParse(host).success ? [] : ["root.address must be an IPv4 address or a host name"]),
      ...(tcpPort.safeParse(number).success ? [] : ["root.port must be a TCP port"]),
    ];
    if (wrong.length > 0) throw userError(`BurstCluster ${resourceName}: ${wrong.join("; ")}`);
    return `${host}:${number}`;
  });
}

/** `address:port` at which the lead broker's pod elsewhere reports the demand of the queue, for an autoscaled cluster. */
export function demandEndpoint(resourceName: string, spec: FollowerSpec): pulumi.Output<string> | undefined {
  const { lead, autoscale } = spec;
  if (!lead.isLate || !autoscale) return undefined;
  return pulumi.all([lead.address, lead.demandPort]).apply(([host, port]) => {
    if (!tcpPort.safeParse(port).success)
      throw userError(
        `BurstCluster ${resourceName}: root.demandPort must be a TCP port; set bursting.expose.demand of the MiniCluster, or remove ` +
          "autoscale",
      );
    return `${host}:${port}`;
  });
}

/** The networks that may connect to the load balancer of the lead broker. */
export function checkedSourceRanges(spec: MiniClusterSpec): pulumi.Input<string>[] | undefined {
  return burstingOf(spec)?.expose.loadBalancer?.sourceRanges.map((range, index) =>
    isDeferred(range) ? pulumi.output(range).apply((value) => checkedRange(spec.name, index, value)) : range,
  );
}

function checkedRange(clusterName: string, index: number, range: string): string {
  if (sourceRange.safeParse(range).success) return range;
  throw userError(
    `MiniCluster ${clusterName}: bursting.expose.loadBalancer.sourceRanges[${index}] must be a network in CIDR form with a prefix of ` +
      "at least /8 (IPv4) or /16 (IPv6); to allow all addresses, set openToWorld: true",
  );
}
