import type * as pulumi from "@pulumi/pulumi";
import { BurstingCloud } from "../args";
import { brokerPort, demandPort, leadSelector, leadServiceName } from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import { type BurstingFields, loadBalancerAnnotations, ownAnnotations } from "../../bursting/fields";
import { metadata, type ServiceManifest } from "./manifest";

type Expose = BurstingFields["expose"];
type LoadBalancer = NonNullable<Expose["loadBalancer"]>;

/** The service by which brokers of other clusters reach the lead broker, unless another way leads there already. */
export function buildLeadService(
  spec: MiniClusterSpec,
  sourceRanges?: pulumi.Input<string>[],
): ServiceManifest | undefined {
  if (spec.role === "follower") return undefined;
  const { nodePort, loadBalancer, demand } = spec.bursting?.expose ?? {};
  const common = {
    selector: leadSelector(spec),
    // The others may come before this cluster has its quorum.
    publishNotReadyAddresses: true,
  };
  if (nodePort)
    return {
      metadata: metadata(spec, leadServiceName(spec), { "pulumi.com/skipAwait": "true" }),
      spec: {
        type: "NodePort",
        ...common,
        ports: [
          servicePort("broker", brokerPort, nodePort.port),
          ...(demand ? [servicePort("demand", demandPort, demand.port)] : []),
        ],
      },
    };
  if (!loadBalancer) return undefined;
  return {
    metadata: metadata(spec, leadServiceName(spec), annotationsOf(loadBalancer)),
    spec: {
      type: "LoadBalancer",
      ...common,
      ports: [servicePort("broker", brokerPort), ...(demand ? [servicePort("demand", demandPort)] : [])],
      loadBalancerClass: loadBalancer.loadBalancerClass,
      loadBalancerSourceRanges: loadBalancer.openToWorld ? undefined : sourceRanges,
    },
  };
}

const servicePort = (name: string, port: number, nodePort?: number) => ({
  ...{ name, port, targetPort: port, protocol: "TCP" },
  ...(nodePort !== undefined && { nodePort }),
});

// The pods come after the service and may take their time; the address is all that is waited for.
const addressIsKnown = "jsonpath={.status.loadBalancer.ingress}";

function annotationsOf({ cloud, internetFacing, annotations, loadBalancerClass }: LoadBalancer) {
  const isChosen = cloud === BurstingCloud.Aws && loadBalancerClass === undefined;
  return {
    // A class says by itself who makes the load balancer, and EKS Auto Mode knows no other way.
    ...(isChosen && { [awsType]: "external" }),
    ...(internetFacing ? publicAnnotations : privateAnnotations)[cloud],
    ...annotations,
    "pulumi.com/waitFor": addressIsKnown,
  };
}

const { awsType, awsTarget, awsScheme, gcpType, gcpBackend, azureInternal } = loadBalancerAnnotations;

/**
 * Fields that change the address of a load balancer, at once or some time later: a change of theirs replaces the service,
 * so that nobody takes the old address for the new one.
 */
export const leadServiceReplaceOnChanges = [
  "spec.type",
  "spec.loadBalancerClass",
  ...[awsType, ...ownAnnotations].map((key) => `metadata.annotations["${key}"]`),
];

const awsAnnotations = (scheme: string) => ({ [awsTarget]: "ip", [awsScheme]: scheme });

/** Annotations that keep a load balancer off the Internet, from the documents of each cloud. */
const privateAnnotations: Record<BurstingCloud, Record<string, string>> = {
  [BurstingCloud.Aws]: awsAnnotations("internal"),
  [BurstingCloud.Gcp]: { [gcpType]: "Internal" },
  [BurstingCloud.Azure]: { [azureInternal]: "true" },
  [BurstingCloud.Other]: {},
};

/** Annotations that give a load balancer a public address, where a service has none by itself. */
const publicAnnotations: Record<BurstingCloud, Record<string, string>> = {
  [BurstingCloud.Aws]: awsAnnotations("internet-facing"),
  [BurstingCloud.Gcp]: { [gcpBackend]: "enabled" },
  [BurstingCloud.Azure]: {},
  [BurstingCloud.Other]: {},
};
