import type * as pulumi from "@pulumi/pulumi";
import { beforeUpdate, type Diagnostic, type Inputs, mergeHooks } from "../../../diagnostics/hooks";
import { requireApi } from "../../../diagnostics/optionalApis";
import { isPlainObject, numberAt } from "../../../shared/objects";
import { localDiskNotices, newPoolHooks, type NodeCounts, type NodeFacts, resizeHooks } from "../../nodes/diagnostics";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { eksMachineType, leastMachine } from "../machines";
import { driverWarnings } from "../nodes/diagnostics";
import { gpusOfNewKubernetes } from "../nodes/parse/imageRules";
import type { KarpenterPoolSpec } from "./parse";
import { typesOutsideAutoMode } from "./parse/autoMode";

const remedyOf = ({ autoMode }: KarpenterPoolSpec) =>
  autoMode
    ? "enable EKS Auto Mode in the EKS cluster first, or remove autoMode"
    : "install Karpenter 1.11 or later with its CRDs first, or use an EksNodePool";

const requireKarpenter = (spec: KarpenterPoolSpec, parent: pulumi.Resource, groupVersion: string) =>
  requireApi(`minicluster:${spec.name}:${groupVersion}`, parent, { groupVersion, remedy: remedyOf(spec) });

/** Hooks on the node class of a spec. */
export const nodeClassHooks = (spec: KarpenterPoolSpec, parent: pulumi.Resource) =>
  requireKarpenter(spec, parent, spec.autoMode ? "eks.amazonaws.com/v1" : "karpenter.k8s.aws/v1");

/** Hooks on the NodePool of a spec. */
export const nodePoolHooks = (spec: KarpenterPoolSpec, parent: pulumi.Resource) =>
  mergeHooks(
    requireKarpenter(spec, parent, "karpenter.sh/v1"),
    newPoolHooks(
      spec,
      parent,
      spec.autoMode
        ? [...(spec.scheduling.localDisk ? localDiskNotices(spec, spec.machine) : []), ...autoModeNotices(spec)]
        : [
            ...localDiskNotices(spec, spec.machine),
            ...driverWarnings(spec),
            ...imageWarnings(spec),
            ...spotNotices(spec),
          ],
    ),
    resizeHooks(spec.scheduling, parent, factsIn(spec)),
    beforeUpdate(`minicluster:${spec.name}:sizing`, parent, sizingErrors(spec)),
    beforeUpdate(`minicluster:${spec.name}:class`, parent, classErrors(spec)),
  );

/** Notices of a new pool of EKS Auto Mode: the lifetime of its nodes, and types that AWS does not list for it. */
export function autoModeNotices({
  name,
  machineTypes,
}: Pick<KarpenterPoolSpec, "name" | "machineTypes">): Diagnostic[] {
  const types = typesOutsideAutoMode(machineTypes);
  const lifetime = `pool ${name}: EKS Auto Mode ends each node, with its brokers, 20 days after its start`;
  const unlisted =
    `pool ${name}: AWS does not list ${types.join(" and ")} for EKS Auto Mode; if pods stay Pending, choose another instance ` +
    "type, or remove autoMode";
  return [
    { severity: "info", message: lifetime },
    ...(types.length > 0 ? [{ severity: "warning" as const, message: unlisted }] : []),
  ];
}

/**
 * Warns of GPUs whose driver Bottlerocket has only for newer versions of Kubernetes: the version of the EKS cluster
 * determines the image.
 */
export function imageWarnings(spec: KarpenterPoolSpec): Diagnostic[] {
  const gpus = gpusOfNewKubernetes(spec);
  if (gpus.length === 0) return [];
  const message =
    `pool ${spec.name}: Bottlerocket has the driver for ${gpus.join(" and ")} from Kubernetes 1.37 on; in a cluster of an older ` +
    'version, use os "al2023"';
  return [{ severity: "warning", message }];
}

/** A notice of the interruption queue that Karpenter requires to evict pods before a spot machine ends. */
export function spotNotices({ name, scheduling }: Pick<KarpenterPoolSpec, "name" | "scheduling">): Diagnostic[] {
  if (!scheduling.interruption) return [];
  const message =
    `pool ${name}: Karpenter evicts the pods of a spot machine that AWS reclaims only if Karpenter has an interruption queue ` +
    "(settings.interruptionQueue of its chart); without this queue, jobs are lost without a drain";
  return [{ severity: "info", message }];
}

/**
 * Properties of the nodes from the inputs of a NodePool, also of other machine types, which Karpenter launches after
 * the change.
 */
export const factsIn =
  (spec: KarpenterPoolSpec) =>
  (inputs: Inputs): NodeFacts => {
    const types = typesIn(inputs);
    const machine = leastMachine(types.map((type) => eksMachineType(type, spec.hardware)));
    const counts = countsIn(inputs);
    if (!machine || (counts.fixed === undefined && counts.max === undefined)) return {};
    const machineType = types.join(" or ");
    if (machineType === spec.machineTypes.join(" or ")) return { ...counts, machineType };
    const { fabric } = spec.scheduling.node;
    const use = fabric && { fabric, interfaces: machine.efaInterfaces };
    return { ...counts, machineType, node: buildScheduling({ ...spec, machine, fabric: use }).node };
  };

/** Numbers of nodes in the inputs of a NodePool. */
function countsIn(inputs: Inputs): NodeCounts {
  const replicas = numberAt(inputs, "spec", "replicas");
  if (replicas !== undefined) return { fixed: replicas };
  const max = Number(at(inputs, "spec", "limits", "nodes") ?? NaN);
  return Number.isFinite(max) ? { max } : {};
}

/**
 * An error for a change between a fixed size and autoscaling, which the API server would reject in the middle of the
 * update.
 */
export const sizingErrors =
  ({ name }: Pick<KarpenterPoolSpec, "name">) =>
  (before: Inputs, after: Inputs): Diagnostic[] => {
    const [was, is] = [before, after].map((inputs) => countsIn(inputs).fixed !== undefined);
    const message = `pool ${name}: Karpenter cannot change a NodePool between a fixed size and autoscaling; set another name for the pool`;
    return was === is ? [] : [{ severity: "error", message }];
  };

/** An error for a change between Karpenter and EKS Auto Mode, which the API server would reject in the middle of the update. */
export const classErrors =
  ({ name }: Pick<KarpenterPoolSpec, "name">) =>
  (before: Inputs, after: Inputs): Diagnostic[] => {
    const [was, is] = [before, after].map((inputs) => at(inputs, "spec", "template", "spec", "nodeClassRef", "group"));
    const message = `pool ${name}: an existing NodePool cannot change autoMode; set another name for the pool`;
    return was === undefined || was === is ? [] : [{ severity: "error", message }];
  };

const at = (inputs: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((value, key) => (isPlainObject(value) ? (value as Inputs)[key] : undefined), inputs);

function typesIn(inputs: Inputs): string[] {
  const requirements = at(inputs, "spec", "template", "spec", "requirements");
  const all = Array.isArray(requirements) ? (requirements as { key?: unknown; values?: unknown }[]) : [];
  const values = all.find(({ key }) => key === "node.kubernetes.io/instance-type")?.values;
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}
