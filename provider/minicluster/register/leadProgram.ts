import { hasFixedSize, jobsOf, type MiniClusterSpec } from "../../core/parse/spec";
import type { Program } from "../../core/programs";
import type { Feature } from "../../core/register/feature";

/**
 * The program of the lead broker's pod: it serves the demand of the queue and the metrics, and requeues and moves jobs, each if
 * enabled.
 */
export const leadProgram: Program = {
  name: "lead",
  main: "minicluster.programs.lead",
  data: ["bursting/programs/frobnicator.py"],
};

/** The program of the lead broker's pod with the settings of all features, if any has some. */
export const leadProgramFeature: Feature = {
  name: "leadProgram",
  build: (spec) =>
    Object.keys(spec.additions.leadProgram).length === 0
      ? undefined
      : { manifests: {}, objects: [], programs: [{ program: leadProgram, settings: settingsOf(spec) }] },
};

function settingsOf(spec: MiniClusterSpec) {
  const { leadProgram: settings, prices } = spec.additions;
  const most = new Map(jobsOf(spec).map(({ name, autoscale }) => [name, autoscale?.max]));
  const clusters = spec.instance.clusters.map(({ name, hosts }, index) => ({
    name,
    hosts,
    max: index === 0 && hasFixedSize(spec) ? null : (most.get(name) ?? hosts),
  }));
  return {
    clusters,
    demandPort: null,
    metricsPort: null,
    ...settings,
    ...(Object.keys(prices).length > 0 && { prices }),
  };
}
