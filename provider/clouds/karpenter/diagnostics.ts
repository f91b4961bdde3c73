import type * as pulumi from "@pulumi/pulumi";
import type { Diagnostic, Inputs } from "../../diagnostics/hooks";
import { requireApi } from "../../diagnostics/optionalApis";
import { numberAt, valueAt } from "../../shared/objects";
import type { NodePoolNode } from "../nodes/args";
import type { NodeCounts, NodeFacts } from "../nodes/diagnostics";

/** Hooks that reject an object of a pool if the Kubernetes cluster does not serve its kind. */
export const requireKind = (pool: string, parent: pulumi.Resource, groupVersion: string, remedy: string) =>
  requireApi(`minicluster:${pool}:${groupVersion}`, parent, { groupVersion, remedy });

/**
 * Properties of the nodes from the inputs of a NodePool, also of other machine types, which Karpenter launches after the
 * change. A label of the nodes has the machine type.
 */
export const factsOf =
  (label: string, machineTypes: string[], nodeOf: (types: string[]) => NodePoolNode | undefined) =>
  (inputs: Inputs): NodeFacts => {
    const types = requiredIn(inputs, label);
    const node = nodeOf(types);
    const counts = countsIn(inputs);
    if (!node || (counts.fixed === undefined && counts.max === undefined)) return {};
    const machineType = types.join(" or ");
    return { ...counts, machineType, ...(machineType !== machineTypes.join(" or ") && { node }) };
  };

/** Numbers of nodes in the inputs of a NodePool. */
function countsIn(inputs: Inputs): NodeCounts {
  const replicas = numberAt(inputs, "spec", "replicas");
  if (replicas !== undefined) return { fixed: replicas };
  const max = Number(valueAt(inputs, "spec", "limits", "nodes") ?? NaN);
  return Number.isFinite(max) ? { max } : {};
}

/** Accepted values of a label of the nodes in the inputs of a NodePool. */
function requiredIn(inputs: Inputs, label: string): string[] {
  const requirements = valueAt(inputs, "spec", "template", "spec", "requirements");
  const all = Array.isArray(requirements) ? (requirements as { key?: unknown; values?: unknown }[]) : [];
  const values = all.find(({ key }) => key === label)?.values;
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

/**
 * An error for a change between a fixed size and autoscaling, which the API server would reject in the middle of the
 * update.
 */
export const sizingErrors =
  ({ name }: { name: string }) =>
  (before: Inputs, after: Inputs): Diagnostic[] => {
    const [was, is] = [before, after].map((inputs) => countsIn(inputs).fixed !== undefined);
    const message = `pool ${name}: Karpenter cannot change a NodePool between a fixed size and autoscaling; set another name for the pool`;
    return was === is ? [] : [{ severity: "error", message }];
  };
