import { type Fields, fieldsOf } from "../../../shared/reading";
import { type AddIssue, once } from "../../../shared/rules";
import { renderConfigFiles, renderServiceFiles } from "../../flux/configFiles";
import { buildJob } from "../../objects/job";
import { buildPodTemplate, buildServicesPod } from "../../objects/pods";
import type { MiniClusterSpec } from "../../parse/spec";
import { originInPod } from "./origins";
import { runtimeRule, scriptStringsRule } from "./runtime";
import { sizeRules } from "./sizes";

/**
 * Adds an issue for each part of a cluster's objects that no container starts with, or that is too large, at the argument that
 * causes it. Everything else is judged by the API server.
 */
export function admissionRules(spec: MiniClusterSpec, addIssue: AddIssue): void {
  const add = once(addIssue);
  const files = renderConfigFiles(spec);
  const serviceFiles = renderServiceFiles(spec);
  const template = buildPodTemplate(spec, files);
  const [containers, patch] = [[spec.main, ...spec.sidecars], spec.podTemplate];
  runtimeRule(template as Fields, (path, message) =>
    add([...originInPod({ spec, template: template as Fields, patch, list: "containers", containers }, path)], message),
  );
  const services = fieldsOf(buildServicesPod(spec, serviceFiles));
  runtimeRule(services, (path, message) =>
    add([...originInPod({ spec, template: services, list: "services", containers: spec.services }, path)], message),
  );
  scriptStringsRule(spec, add);
  sizeRules(spec, { job: buildJob(spec, template), data: { ...files, ...serviceFiles } }, add);
}
