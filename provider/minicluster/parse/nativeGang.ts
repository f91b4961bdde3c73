import { properties } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import { type Rule, where } from "../../shared/rules";
import { MiniClusterGangVersion, MiniClusterResize } from "../args";
import { type MiniClusterFields, sizeOf } from "./fields";

/** The gang of Kubernetes itself that the pods of a cluster are. */
export interface PodGroupSpec {
  version: MiniClusterGangVersion;
  /** Pods that are placed together or not at all. */
  minCount: number;
}

/** The PodGroup of a cluster that is a gang of Kubernetes itself. Without a number of its own it is what the instance waits for. */
export function settlePodGroup(fields: MiniClusterFields): PodGroupSpec | undefined {
  const { native } = fields.gang;
  return native && { version: native.version, minCount: native.minCount ?? fields.minSize ?? sizeOf(fields) };
}

/** The rules on a gang of Kubernetes itself. */
export const nativeGangRules: Rule<MiniClusterFields>[] = where(
  ({ gang }) => gang.native,
  (_, addIssue, { gang }) => {
    if (gang.queueName !== undefined)
      addIssue(["gang", "native"], "Kueue admits the pods all together by itself; keep queueName or native");
    if (gang.schedulerName !== undefined)
      addIssue(["gang", "native"], "is for Kubernetes' own scheduler; keep schedulerName or native");
  },
  (_, addIssue, { pod }) => {
    if (pod.schedulerName !== undefined) addIssue(["pod", "schedulerName"], otherScheduler);
  },
  (_, addIssue, { podTemplate }) => {
    const { spec }: { spec?: unknown } = properties(podTemplate);
    const { schedulerName, schedulingGroup } = isPlainObject(spec) ? spec : {};
    if (schedulerName !== undefined) addIssue(["podTemplate", "spec", "schedulerName"], otherScheduler);
    if (schedulingGroup !== undefined)
      addIssue(["podTemplate", "spec", "schedulingGroup"], "is the PodGroup of gang.native; keep one of them");
  },
  ({ minCount = 1 }, addIssue, { size = 1, autoscale }) => {
    const [key, bound] = autoscale ? ["autoscale.min", autoscale.min] : ["size", size];
    if (minCount > bound)
      addIssue(
        ["gang", "native", "minCount"],
        `minCount ${minCount} is above ${key} ${bound}, with which no pod would ever be placed; lower minCount or raise ${key}`,
      );
  },
  ({ version }, addIssue, { resize, autoscale }) => {
    if (version !== MiniClusterGangVersion.V1alpha2) return;
    const at = ["gang", "native", "version"];
    const refused = "the API server of Kubernetes 1.36 refuses another number of pods of a gang";
    if (autoscale) addIssue(at, `${refused}, which autoscale sets; use "v1beta1", or remove autoscale`);
    else if (resize !== MiniClusterResize.Manifest)
      addIssue(at, `${refused}; set resize to "manifest", and each resize replaces the Job, or use "v1beta1"`);
  },
);

const otherScheduler = "another scheduler may know no gang.native; keep one of them";
