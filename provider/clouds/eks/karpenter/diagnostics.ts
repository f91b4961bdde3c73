import type * as pulumi from "@pulumi/pulumi";
import { type Inputs, mergeHooks } from "../../../diagnostics/hooks";
import { requireApi } from "../../../diagnostics/optionalApis";
import { isPlainObject } from "../../../shared/objects";
import { costed, newPoolHooks, type NodeFacts, resizeHooks } from "../../nodes/diagnostics";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { eksMachineType, leastMachine } from "../machines";
import type { KarpenterPoolSpec } from "./parse";

const remedy = "install Karpenter 1.11 or later with its CRDs first, or use an EksNodePool";

const requireKarpenter = ({ name }: KarpenterPoolSpec, parent: pulumi.Resource, groupVersion: string) =>
  requireApi(`minicluster:${name}:${groupVersion}`, parent, { groupVersion, remedy });

/** Hooks on the EC2NodeClass of a spec. */
export const nodeClassHooks = (spec: KarpenterPoolSpec, parent: pulumi.Resource) =>
  requireKarpenter(spec, parent, "karpenter.k8s.aws/v1");

/** Hooks on the NodePool of a spec. */
export const nodePoolHooks = (spec: KarpenterPoolSpec, parent: pulumi.Resource) =>
  mergeHooks(
    requireKarpenter(spec, parent, "karpenter.sh/v1"),
    newPoolHooks(spec, parent),
    resizeHooks(costed(spec), parent, factsIn(spec)),
  );

/** Facts on the nodes in the inputs of a NodePool, also of other machine types, which Karpenter launches from then on. */
export const factsIn =
  (spec: KarpenterPoolSpec) =>
  (inputs: Inputs): NodeFacts => {
    const types = typesIn(inputs);
    const machine = leastMachine(types.map((type) => eksMachineType(type, spec.hardware)));
    const cpus = Number(at(inputs, "spec", "limits", "cpu"));
    if (!machine || !Number.isFinite(cpus)) return {};
    const max = Math.floor(cpus / machine.vcpus);
    const machineType = types.join(" or ");
    if (machineType === spec.machineTypes.join(" or ")) return { max, machineType };
    const { fabric } = spec.scheduling.node;
    const use = fabric && { fabric, interfaces: machine.efaInterfaces };
    return { max, machineType, node: buildScheduling({ ...spec, machine, fabric: use }).node };
  };

const at = (inputs: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((value, key) => (isPlainObject(value) ? (value as Inputs)[key] : undefined), inputs);

function typesIn(inputs: Inputs): string[] {
  const requirements = at(inputs, "spec", "template", "spec", "requirements");
  const all = Array.isArray(requirements) ? (requirements as { key?: unknown; values?: unknown }[]) : [];
  const values = all.find(({ key }) => key === "node.kubernetes.io/instance-type")?.values;
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}
