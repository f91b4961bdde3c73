import type { Diagnostic, Inputs } from "../../diagnostics/hooks";
import { isPlainObject, numberAt } from "../../shared/objects";
import type { NodeCounts } from "../nodes/diagnostics";

/** Numbers of nodes in the inputs of a NodePool. */
export function countsIn(inputs: Inputs): NodeCounts {
  const replicas = numberAt(inputs, "spec", "replicas");
  if (replicas !== undefined) return { fixed: replicas };
  const max = Number(at(inputs, "spec", "limits", "nodes") ?? NaN);
  return Number.isFinite(max) ? { max } : {};
}

/** Accepted values of a label of the nodes in the inputs of a NodePool. */
export function requiredIn(inputs: Inputs, label: string): string[] {
  const requirements = at(inputs, "spec", "template", "spec", "requirements");
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

const at = (inputs: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((value, key) => (isPlainObject(value) ? (value as Inputs)[key] : undefined), inputs);
