import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterNetworkPolicy } from "../args";
import { consoleName, leadSelector } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";
import { metadata, type NetworkPolicyManifest, type ServiceManifest } from "./manifest";
import { fromNamespaces } from "./network";

/** What leads users to the console. */
export function buildConsole(spec: MiniClusterSpec) {
  if (spec.role === "follower" || !spec.console) return undefined;
  const { port, fromNamespace } = spec.console;
  return { service: service(spec, port), networkPolicy: networkPolicy(spec, port, fromNamespace) };
}

const service = (spec: MiniClusterSpec, port: number): ServiceManifest => ({
  // Its pod comes after it.
  metadata: metadata(spec, consoleName(spec), { "pulumi.com/skipAwait": "true" }),
  spec: { type: "ClusterIP", selector: leadSelector(spec), ports: [{ name: "http", port, protocol: "TCP" }] },
});

/** What a policy that closes every port has to let in: users, to one port of one pod. */
function networkPolicy(
  spec: MiniClusterSpec,
  port: number,
  namespace: pulumi.Input<string> | undefined,
): NetworkPolicyManifest | undefined {
  if (spec.network.policy !== MiniClusterNetworkPolicy.Pods) return undefined;
  return {
    metadata: metadata(spec, consoleName(spec)),
    spec: {
      podSelector: { matchLabels: leadSelector(spec) },
      policyTypes: ["Ingress"],
      ingress: [{ from: fromNamespaces(namespace), ports: [{ protocol: "TCP", port }] }],
    },
  };
}
