import { type Fields, fieldsOf } from "../../../shared/reading";
import { type AddIssue, once } from "../../../shared/rules";
import { renderConfigFiles, renderServiceFiles } from "../../flux/configFiles";
import { buildJob } from "../../objects/job";
import { buildPodTemplate, buildServicesPod } from "../../objects/pods";
import type { MiniClusterSpec } from "../../parse/spec";
import { originInBrokers, originInServices } from "./origins";
import { runtimeRule, scriptStringsRule } from "./runtime";
import { sizeRules } from "./objectSizes";

/**
 * Adds an issue for each part of a cluster's objects with which no container can start, or that is too large, at the argument
 * that causes it. The API server checks everything else.
 */
export function admissionRules(spec: MiniClusterSpec, addIssue: AddIssue): void {
  const add = once(addIssue);
  const files = renderConfigFiles(spec);
  const serviceFiles = renderServiceFiles(spec);
  const template = buildPodTemplate(spec, files);
  runtimeRule(template as Fields, (path, message) =>
    add([...originInBrokers(spec, template as Fields, path)], message),
  );
  const services = fieldsOf(buildServicesPod(spec, serviceFiles));
  runtimeRule(services, (path, message) => add([...originInServices(spec, services, path)], message));
  scriptStringsRule(spec, add);
  sizeRules(spec, { job: buildJob(spec, template), data: { ...files, ...serviceFiles } }, add);
}
