import type * as pulumi from "@pulumi/pulumi";
import { mapInput } from "../../shared/deferred";
import { withoutEmpty } from "../../shared/objects";
import type { NodePoolTaint } from "../nodes/args";
import { poolLabels } from "../nodes/parse/scheduling";
import type { Sizing } from "../nodes/parse/sizing";

/** A custom resource of Karpenter, in the input type of the Kubernetes provider. */
export interface KarpenterObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
}

/** What a NodePool consists of in every cloud. */
export interface KarpenterNodePoolParts {
  name: string;
  sizing: Sizing;
  /** Group and kind of the node class, which has the name of the NodePool. */
  nodeClass: { group: string; kind: string };
  /** Accepted values of labels of the nodes. A label without values is not required. */
  requirements: Record<string, pulumi.Input<string>[]>;
  labels: Record<string, pulumi.Input<string>>;
  taints: NodePoolTaint[];
  emptyForSeconds: pulumi.Input<number>;
  /** Time limits of the nodes. Default: no node expires while a broker runs on it. */
  lifetime?: { expireAfter: string; terminationGracePeriod: string };
}

/** The NodePool: which nodes Karpenter may launch, how many, and when it removes them. */
export const buildKarpenterNodePool = (parts: KarpenterNodePoolParts): KarpenterObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: parts.name },
  spec: {
    ...(parts.sizing.isFixed && { replicas: parts.sizing.initial }),
    template: {
      metadata: { labels: { ...parts.labels, ...poolLabels(parts.name) } },
      spec: withoutEmpty<Record<string, unknown>>({
        nodeClassRef: { ...parts.nodeClass, name: parts.name },
        requirements: Object.entries(parts.requirements)
          .filter(([, values]) => values.length > 0)
          .map(([key, values]) => ({ key, operator: "In", values })),
        taints: parts.taints.map((taint) => withoutEmpty(taint)),
        ...(parts.lifetime ?? { expireAfter: "Never" }),
      }),
    },
    // The maximum number of nodes; with a fixed size, Karpenter replaces nodes one by one.
    limits: { nodes: String(Math.max(1, parts.sizing.max)) },
    disruption: {
      // Only empty nodes are removed: neither a cheaper machine nor a newer image justifies the loss of a broker.
      consolidationPolicy: "WhenEmpty",
      consolidateAfter: mapInput(parts.emptyForSeconds, (seconds) => `${seconds}s`),
      budgets: [
        { nodes: "100%", reasons: ["Empty"] },
        { nodes: "0", reasons: ["Drifted", "Underutilized"] },
      ],
    },
  },
});
