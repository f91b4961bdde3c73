import * as path from "node:path";
import { hashKnown } from "../../shared/deferred";
import { agentProgram } from "../flux/programs/agent";
import { demandProgram } from "../flux/programs/demand";
import { metricsProgram } from "../flux/programs/metrics";
import { configMapName, demandPort, programsName, sizeKey } from "../names";
import { agentFile, agentSettingsFile, demandFile, demandSettingsFile, metricsFile } from "../paths";
import {
  type FollowingSpec,
  type LeadSpec,
  type MiniClusterSpec,
  sizeFollowsQueue,
  suspendsAtZero,
  tellsDemand,
} from "../parse/spec";
import { metadata, patchMetadata } from "./manifest";

/** Seconds between two looks at the queue. */
const interval = 5;

/** The ConfigMap with the programs that run beside Flux, if any does. */
export function buildPrograms(spec: MiniClusterSpec) {
  const serves = spec.role === "lead" && (spec.metrics !== undefined || tellsDemand(spec));
  const data = { ...(serves && leadPrograms(spec)), ...(sizeFollowsQueue(spec) && agentPrograms(spec)) };
  return Object.keys(data).length === 0 ? undefined : { metadata: metadata(spec, programsName(spec)), data };
}

/** The program of the lead broker's pod: it tells what the queue needs, and metrics, each where it is asked for. */
function leadPrograms(spec: LeadSpec): Record<string, string> {
  const { instance, autoscale, metrics } = spec;
  const [home, ...others] = instance.clusters.map(({ name, hosts }) => ({ name, hosts, max: hosts }));
  // Without an agent the lead broker's cluster has the size that its user gives it.
  const clusters = [{ ...home, max: autoscale?.max ?? null }, ...others];
  const ports = { demandPort: tellsDemand(spec) ? demandPort : null, metricsPort: metrics?.port ?? null };
  return {
    [path.basename(demandFile)]: demandProgram,
    [path.basename(metricsFile)]: metricsProgram,
    [path.basename(demandSettingsFile)]: json({ clusters, ...ports }),
  };
}

/** The agent, and the settings that it runs by. */
export function agentPrograms(spec: FollowingSpec): Record<string, string> {
  const { name, namespace, autoscale } = spec;
  const settings = { name, namespace, ...autoscale, restsAtZero: suspendsAtZero(spec), intervalSeconds: interval };
  return { [path.basename(agentFile)]: agentProgram, [path.basename(agentSettingsFile)]: json(settings) };
}

const json = (value: object) => `${JSON.stringify(value)}\n`;

/** The scripts and the broker configuration, and the size that a container reads when it starts. */
export function buildConfigMap(spec: MiniClusterSpec, files: Record<string, string>) {
  return { metadata: metadata(spec, configMapName(spec)), data: { ...files, [sizeKey]: String(spec.size) } };
}

/** The part of the ConfigMap that a resize changes. */
export function buildConfigScale(spec: MiniClusterSpec, files: Record<string, string>) {
  return {
    metadata: patchMetadata(spec, configMapName(spec), hashKnown(files)),
    data: { [sizeKey]: String(spec.size) },
  };
}
