import { renderConfigFiles } from "../flux/configFiles";
import type { MiniClusterSpec } from "../spec";
import { buildConfigMap, buildConfigScale } from "./configMap";
import { buildJob, buildJobScale } from "./job";
import { buildPodTemplate } from "./podTemplate";
import { buildService } from "./service";

export { buildSecret } from "./secret";

/** Every object of a cluster that holds no secret, in the order in which they depend on each other. */
export type Manifests = ReturnType<typeof buildManifests>;

/** What a cluster consists of in Kubernetes, as plain data. */
export function buildManifests(spec: MiniClusterSpec) {
  const files = renderConfigFiles(spec);
  const template = buildPodTemplate(spec, files);
  return {
    configMap: buildConfigMap(spec, files),
    configScale: buildConfigScale(spec, files),
    service: buildService(spec),
    job: buildJob(spec, template),
    jobScale: buildJobScale(spec, template),
  };
}
