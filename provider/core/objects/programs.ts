import { type Program, programArchive, programsVersion } from "../programs";
import { programsAnnotation, programsName } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";
import { metadata } from "./manifest";

/** A program of a cluster and its settings, which the program reads as JSON. */
export interface ProgramWithSettings {
  program: Program;
  settings: object;
}

/**
 * The ConfigMap with the programs that run beside Flux and their settings, if there are any. The pod template does not mention its
 * content, so programs can be added and removed while the brokers run.
 */
export function buildPrograms(spec: MiniClusterSpec, all: ProgramWithSettings[]) {
  if (all.length === 0) return undefined;
  const archives = all.map(({ program }) => [`${program.name}.pyz`, programArchive(program).toString("base64")]);
  const settings = all.map(({ program: { name }, settings }) => [`${name}.json`, `${JSON.stringify(settings)}\n`]);
  return {
    metadata: metadata(spec, programsName(spec), {
      [programsAnnotation]: programsVersion(all.map(({ program }) => program)),
    }),
    data: Object.fromEntries(settings) as Record<string, string>,
    binaryData: Object.fromEntries(archives) as Record<string, string>,
  };
}
