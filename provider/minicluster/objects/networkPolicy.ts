import { MiniClusterNetworkPolicy } from "../args";
import { brokerPort, brokerSelector, podSelector } from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import { metadata } from "./metadata";
import type { NetworkPolicyManifest, NetworkPolicyPort } from "./types";

const lastPort = 65_535;

/** Network policy of the pods, unless they accept every connection. */
export function buildNetworkPolicy(spec: MiniClusterSpec): NetworkPolicyManifest | undefined {
  const { policy } = spec.network;
  if (policy === MiniClusterNetworkPolicy.None) return undefined;
  const own = [{ podSelector: { matchLabels: podSelector(spec) } }];
  const isPortOnly = policy === MiniClusterNetworkPolicy.BrokerPort;
  return {
    metadata: metadata(spec, spec.name),
    spec: {
      podSelector: isPortOnly ? brokerSelector(spec) : { matchLabels: podSelector(spec) },
      policyTypes: ["Ingress"],
      // A pod that a policy selects takes nothing but what is named.
      ingress: isPortOnly
        ? [{ from: own, ports: [{ protocol: "TCP", port: brokerPort }] }, { ports: otherPorts }]
        : [{ from: own }],
    },
  };
}

const otherPorts: NetworkPolicyPort[] = [
  { protocol: "TCP", port: 1, endPort: brokerPort - 1 },
  { protocol: "TCP", port: brokerPort + 1, endPort: lastPort },
  { protocol: "UDP", port: 1, endPort: lastPort },
  { protocol: "SCTP", port: 1, endPort: lastPort },
];
