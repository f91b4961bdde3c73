import type * as pulumi from "@pulumi/pulumi";
import { metadata, type ServiceManifest } from "../core/objects/manifest";
import { withoutWait } from "../core/objects/network";
import { brokerPort, demandPort, leadSelector } from "../core/parse/names";
import type { MiniClusterSpec } from "../core/parse/spec";
import { type BurstingFields, loadBalancers } from "./parse/fields";
import { leadServiceName } from "./parse/names";
import { burstingOf } from "./parse/spec";

/** The Service by which brokers of other clusters reach the lead broker, unless `expose` has an `endpoint`. */
export function buildLeadService(
  spec: MiniClusterSpec,
  sourceRanges?: pulumi.Input<string>[],
): ServiceManifest | undefined {
  const { nodePort, loadBalancer, demand } = burstingOf(spec)?.expose ?? {};
  const common = {
    selector: leadSelector(spec),
    // The other clusters may join before this cluster has its quorum.
    publishNotReadyAddresses: true,
  };
  if (nodePort)
    return {
      metadata: metadata(spec, leadServiceName(spec), withoutWait),
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

type LoadBalancer = NonNullable<BurstingFields["expose"]["loadBalancer"]>;

const servicePort = (name: string, port: number, nodePort?: number) => ({
  name,
  port,
  targetPort: port,
  protocol: "TCP",
  ...(nodePort !== undefined && { nodePort }),
});

// The pods are created after the Service and may take time; only the address is awaited.
const addressIsKnown = "jsonpath={.status.loadBalancer.ingress}";

function annotationsOf({ cloud, internetFacing, annotations, loadBalancerClass }: LoadBalancer) {
  const ofCloud = loadBalancers[cloud];
  return {
    ...(loadBalancerClass === undefined && ofCloud.withoutClass),
    ...(internetFacing ? ofCloud.internetFacing : ofCloud.internal),
    ...annotations,
    "pulumi.com/waitFor": addressIsKnown,
  };
}

const addressAnnotations = Object.values(loadBalancers).flatMap(({ withoutClass = {}, reach }) => [
  ...Object.keys(withoutClass),
  ...reach,
]);

/**
 * Fields that change the address of a load balancer, at once or later: their change replaces the Service, so that the outputs do
 * not have the old address.
 */
export const leadServiceReplaceOnChanges = [
  "spec.type",
  "spec.loadBalancerClass",
  ...addressAnnotations.map((key) => `metadata.annotations["${key}"]`),
];
