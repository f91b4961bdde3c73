import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { type Inputs, mergeHooks } from "../../../shared/changes";
import type { ChildOptions } from "../../../shared/children";
import { type OptionalApi, refuseMissingApi } from "../../../shared/missing";
import { isPlainObject } from "../../../shared/objects";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { costed, type NodeFacts, registerDevicePlugins, remarkOnNewPool, remarkOnResize } from "../../nodes/register";
import { eksMachineType, leastMachine } from "../machines";
import { buildKarpenterPool, buildNodeClass } from "./objects";
import type { KarpenterPoolSpec } from "./parse";

const karpenter = (groupVersion: string): OptionalApi => ({
  groupVersion,
  remedy: "Karpenter is not there; install Karpenter 1.11 or later with its CRDs before, or use an EksNodePool",
});

/** Registers a pool's objects in Kubernetes, and its device plugins: the nodes are Karpenter's own affair. */
export function registerKarpenterPool(name: string, spec: KarpenterPoolSpec, options: ChildOptions) {
  const { parent } = options;
  // The names are fixed: the old object goes before the new one comes.
  const ofCluster = { ...options, deleteBeforeReplace: true };
  const refusal = (groupVersion: string) =>
    refuseMissingApi(`minicluster:${spec.name}:${groupVersion}`, parent, karpenter(groupVersion));
  const nodeClass = new CustomResource(`${name}-class`, buildNodeClass(spec), {
    ...ofCluster,
    hooks: refusal("karpenter.k8s.aws/v1"),
  });
  const nodePool = new CustomResource(name, buildKarpenterPool(spec), {
    ...ofCluster,
    dependsOn: [nodeClass],
    hooks: mergeHooks(
      refusal("karpenter.sh/v1"),
      remarkOnNewPool(spec, parent),
      remarkOnResize(costed(spec), parent, factsIn(spec)),
    ),
  });
  // Nothing at all is made where the pool is refused.
  const afterPool = { ...options, dependsOn: [nodePool] };
  const home = { pool: spec.name, staticCpu: spec.staticCpu };
  return { nodePool, plugins: registerDevicePlugins(name, spec.devicePlugins, home, afterPool) };
}

/** Facts on the nodes in the inputs of a NodePool, also of other machine types, which Karpenter brings from then on. */
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
