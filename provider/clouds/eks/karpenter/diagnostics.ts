import type * as pulumi from "@pulumi/pulumi";
import { beforeUpdate, type Diagnostic, type Inputs, mergeHooks } from "../../../diagnostics/hooks";
import { valueAt } from "../../../shared/objects";
import { factsOf, requireKind, sizingErrors } from "../../karpenter/diagnostics";
import { leastMachine } from "../../machines";
import { localDiskNotices, newPoolHooks, resizeHooks } from "../../nodes/diagnostics";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { eksMachineType } from "../machines";
import { driverWarnings } from "../nodes/diagnostics";
import { gpusOfNewKubernetes } from "../nodes/parse/imageRules";
import { typeLabel } from "./objects";
import type { KarpenterPoolSpec } from "./parse";
import { typesOutsideAutoMode } from "./parse/autoMode";

const remedyOf = ({ autoMode }: KarpenterPoolSpec) =>
  autoMode
    ? "enable EKS Auto Mode in the EKS cluster first, or remove autoMode"
    : "install Karpenter 1.11 or later with its CRDs first, or use an EksNodePool";

const requireKarpenter = (spec: KarpenterPoolSpec, parent: pulumi.Resource, groupVersion: string) =>
  requireKind(spec.name, parent, groupVersion, remedyOf(spec));

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

/** Properties of the nodes from the inputs of a NodePool. */
export const factsIn = (spec: KarpenterPoolSpec) =>
  factsOf(typeLabel, spec.machineTypes, (types) => {
    const machine = leastMachine(types.map((type) => eksMachineType(type, spec.hardware)));
    const { fabric } = spec.scheduling.node;
    const use = machine && fabric && { fabric, interfaces: machine.efaInterfaces };
    return machine && buildScheduling({ ...spec, machine, fabric: use }).node;
  });

/** An error for a change between Karpenter and EKS Auto Mode, which the API server would reject in the middle of the update. */
export const classErrors =
  ({ name }: Pick<KarpenterPoolSpec, "name">) =>
  (before: Inputs, after: Inputs): Diagnostic[] => {
    const [was, is] = [before, after].map((inputs) =>
      valueAt(inputs, "spec", "template", "spec", "nodeClassRef", "group"),
    );
    const message = `pool ${name}: an existing NodePool cannot change autoMode; set another name for the pool`;
    return was === undefined || was === is ? [] : [{ severity: "error", message }];
  };
