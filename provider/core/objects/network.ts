import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterNetworkPolicy } from "../args";
import {
  brokerPort,
  brokerSelector,
  clusterSelector,
  jobSelector,
  leadSelector,
  servicesName,
  servicesSelector,
} from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";
import { metadata, type NetworkPolicyManifest, type NetworkPolicyPort, type ServiceManifest } from "./manifest";

/** Annotation by which the provider does not wait for the pods behind a Service. */
export const withoutWait = { "pulumi.com/skipAwait": "true" };

/** The service that gives every broker its host name, or the lead broker an address. */
export function buildService(spec: MiniClusterSpec): ServiceManifest {
  const { minimalService } = spec.flux;
  return {
    // The provider would wait for the pods behind a cluster IP, which are created after the Service.
    metadata: metadata(spec, spec.network.headlessName, minimalService ? withoutWait : {}),
    spec: {
      ...(minimalService
        ? { type: "ClusterIP", selector: leadSelector(spec) }
        : { clusterIP: "None", selector: clusterSelector(spec) }),
      // A broker is Ready only once the instance is running, and for that the brokers must find each other.
      publishNotReadyAddresses: true,
      ports: [{ name: "broker", port: brokerPort, protocol: "TCP" }],
    },
  };
}

/** The Services of the sidecars by their names, if there are any. */
export function buildSidecarServices(spec: MiniClusterSpec): Record<string, ServiceManifest> | undefined {
  const named = spec.sidecars.flatMap(({ name, serviceName, ports }) =>
    serviceName === undefined ? [] : [[name, buildSidecarService(spec, serviceName, ports)] as const],
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function buildSidecarService(spec: MiniClusterSpec, serviceName: string, ports: number[]): ServiceManifest {
  return {
    // Its pods are created later.
    metadata: metadata(spec, serviceName, withoutWait),
    spec: {
      type: "ClusterIP",
      selector: jobSelector(spec),
      // The command starts before Kubernetes marks the pods as Ready, and may connect to the sidecar at once.
      publishNotReadyAddresses: true,
      ports: tcpPorts(ports),
    },
  };
}

const tcpPorts = (ports: number[]) => ports.map((port) => ({ name: `tcp-${port}`, port, protocol: "TCP" }));

/** The service in front of the services pod, if there is one. Without ports it only gives the pod its name. */
export function buildServicesService(spec: MiniClusterSpec): ServiceManifest | undefined {
  if (spec.services.length === 0) return undefined;
  const ports = spec.services.flatMap((container) => container.ports);
  return {
    // The pod is already Ready; the provider would watch it for another ten seconds.
    metadata: metadata(spec, servicesName(spec), withoutWait),
    spec: {
      ...(ports.length === 0 ? { clusterIP: "None" } : { type: "ClusterIP" }),
      selector: servicesSelector(spec),
      ...(ports.length > 0 && { ports: tcpPorts(ports) }),
    },
  };
}

/** Network policy of the pods, unless they accept every connection. */
export function buildNetworkPolicy(spec: MiniClusterSpec): NetworkPolicyManifest | undefined {
  const { policy } = spec.network;
  if (policy === MiniClusterNetworkPolicy.None) return undefined;
  const matchLabels = clusterSelector(spec);
  const own = [{ podSelector: { matchLabels } }];
  const isPortOnly = policy === MiniClusterNetworkPolicy.BrokerPort;
  return {
    metadata: metadata(spec, spec.name),
    spec: {
      podSelector: isPortOnly ? { ...brokerSelector(spec), matchLabels } : { matchLabels },
      policyTypes: ["Ingress"],
      // A pod that a policy selects accepts only what the policy allows.
      ingress: isPortOnly
        ? [{ from: own, ports: [{ protocol: "TCP", port: brokerPort }] }, { ports: otherPorts }]
        : [{ from: own }],
    },
  };
}

const lastPort = 65_535;

const otherPorts: NetworkPolicyPort[] = [
  { protocol: "TCP", port: 1, endPort: brokerPort - 1 },
  { protocol: "TCP", port: brokerPort + 1, endPort: lastPort },
  { protocol: "UDP", port: 1, endPort: lastPort },
  { protocol: "SCTP", port: 1, endPort: lastPort },
];

/**
 * The exception to a policy that closes every port: pods of one namespace, or of all namespaces, can connect to one port of the
 * lead broker's pod.
 */
export function buildLeadPortPolicy(
  spec: MiniClusterSpec,
  name: string,
  { port, fromNamespace }: { port: number; fromNamespace?: pulumi.Input<string> | undefined },
): NetworkPolicyManifest | undefined {
  if (spec.network.policy !== MiniClusterNetworkPolicy.Pods) return undefined;
  return {
    metadata: metadata(spec, name),
    spec: {
      podSelector: { matchLabels: leadSelector(spec) },
      policyTypes: ["Ingress"],
      ingress: [{ from: fromNamespaces(fromNamespace), ports: [{ protocol: "TCP", port }] }],
    },
  };
}

const fromNamespaces = (namespace: pulumi.Input<string> | undefined) => [
  { namespaceSelector: namespace === undefined ? {} : { matchLabels: { [namespaceLabel]: namespace } } },
];

/** Label that Kubernetes gives every namespace: its name. */
const namespaceLabel = "kubernetes.io/metadata.name";
