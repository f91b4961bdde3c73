import * as path from "node:path";
import { chargingText, leadTexts, placingText, requeueText, storedTexts } from "../../brokers/flux/programs";
import { programsName } from "../parse/names";
import { demandSettingsFile } from "../parse/paths";
import { hasFixedSize, jobsOf, type MiniClusterSpec } from "../parse/spec";
import { metadata } from "./manifest";

/**
 * The ConfigMap with the programs that run beside Flux and their settings, if there are any. The pod template does not mention its
 * content, so programs can be added and removed while the brokers run.
 */
export function buildPrograms(spec: MiniClusterSpec, ofFeatures: Record<string, string>) {
  const lead = Object.keys(spec.additions.leadProgram).length > 0 ? leadFiles(spec) : {};
  const data = { ...lead, ...ofFeatures };
  return Object.keys(data).length === 0 ? undefined : { metadata: metadata(spec, programsName(spec)), data };
}

/** The program of the lead broker's pod: it serves the demand of the queue and the metrics, and requeues and moves jobs, each if enabled. */
function leadFiles(spec: MiniClusterSpec): Record<string, string> {
  const { leadProgram, prices } = spec.additions;
  const most = new Map(jobsOf(spec).map(({ name, autoscale }) => [name, autoscale?.max]));
  const clusters = spec.instance.clusters.map(({ name, hosts }, index) => ({
    name,
    hosts,
    max: index === 0 && hasFixedSize(spec) ? null : (most.get(name) ?? hosts),
  }));
  const settings = {
    clusters,
    demandPort: null,
    metricsPort: null,
    ...leadProgram,
    ...(Object.keys(prices).length > 0 && { prices }),
  };
  return {
    ...leadTexts,
    ...requeueText,
    ...placingText,
    ...chargingText,
    ...storedTexts,
    [path.basename(demandSettingsFile)]: settingsText(settings),
  };
}

/** The text of a file of settings that a program reads. */
export const settingsText = (settings: object) => `${JSON.stringify(settings)}\n`;
