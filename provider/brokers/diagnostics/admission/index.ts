import * as pulumi from "@pulumi/pulumi";
import { metadataRule } from "../../../kubernetes/data";
import { podTemplateRule } from "../../../kubernetes/pod";
import { type Fields, fieldsOf } from "../../../kubernetes/reading";
import { hashKnown, isDeferred } from "../../../shared/deferred";
import { type AddIssue, once } from "../../../shared/rules";
import { renderConfigFiles, renderServiceFiles } from "../../flux/configFiles";
import { buildJob } from "../../objects/job";
import { buildLeadService } from "../../objects/network";
import { buildPodTemplate, buildServicesPod } from "../../objects/pods";
import type { PodTemplate } from "../../objects/manifest";
import { buildMetrics } from "../../objects/metrics";
import { buildPrepull } from "../../objects/prepull";
import { buildAgent } from "../../objects/programFiles";
import { rankLabel } from "../../parse/names";
import type { MiniClusterSpec } from "../../parse/spec";
import { originInPod } from "./origins";
import { runtimeRule, scriptStringsRule } from "./runtime";
import { sizeRules } from "./sizes";

/** Adds an issue for each part of a cluster's objects that Kubernetes would reject, at the argument that causes it. */
export function admissionRules(spec: MiniClusterSpec, addIssue: AddIssue): void {
  const add = once(addIssue);
  const files = renderConfigFiles(spec);
  const serviceFiles = renderServiceFiles(spec);
  const template = buildPodTemplate(spec, files, hashes(spec));
  brokersRule(spec, template, add);
  servicesRule(spec, buildServicesPod(spec, serviceFiles), add);
  agentRule(spec, add);
  prepullRule(spec, template, add);
  scriptStringsRule(spec, add);
  const job = buildJob(spec, template);
  labelsRules(spec, job.metadata, add);
  sizeRules(spec, { job, data: { ...files, ...serviceFiles } }, add);
}

/** Hashes as long as those that are known only later. */
function hashes(spec: MiniClusterSpec) {
  const hash = hashKnown("");
  const hasLate = [spec.main, ...spec.sidecars].some(({ environment }) => Object.values(environment).some(isDeferred));
  return { certificate: hash, ...(hasLate && { environment: hash }) };
}

/** The rules of the API server and of the container runtime on a pod. */
function podRules(template: Fields, addIssue: AddIssue): void {
  podTemplateRule(template, addIssue);
  runtimeRule(template, addIssue);
}

function brokersRule(spec: MiniClusterSpec, built: object, addIssue: AddIssue): void {
  const { metadata, spec: pod } = built as Fields;
  const { labels, annotations } = fieldsOf(metadata);
  // The Job controller adds the index of the pod.
  const index = { [rankLabel]: String(spec.maxSize - 1) };
  const template = {
    metadata: { ...fieldsOf(metadata), labels, annotations: { ...fieldsOf(annotations), ...index } },
    spec: pod,
  };
  const containers = [spec.main, ...spec.sidecars];
  podRules(template, (path, message) =>
    addIssue(
      [...originInPod({ spec, template, patch: spec.podTemplate, list: "containers", containers }, path)],
      message,
    ),
  );
}

function servicesRule(spec: MiniClusterSpec, built: object | undefined, addIssue: AddIssue): void {
  if (!built) return;
  const { metadata, spec: pod } = built as Fields;
  const { labels, annotations } = fieldsOf(metadata);
  const template = { metadata: { labels, annotations }, spec: pod };
  podRules(template, (path, message) =>
    addIssue([...originInPod({ spec, template, list: "services", containers: spec.services }, path)], message),
  );
}

/** The rule on the pod of the agent, which takes its place and its image from the arguments. */
function agentRule(spec: MiniClusterSpec, addIssue: AddIssue): void {
  const agent = buildAgent(spec, { certificate: pulumi.output("") });
  if (!agent) return;
  const template = fieldsOf(fieldsOf(agent.deployment.spec).template);
  const image = spec.flux.container.disable ? ["containers", spec.main.index] : ["flux", "container"];
  podTemplateRule(template, (path, message) => {
    const [, list, , ...field] = path;
    const pod = { spec, template, list: "containers" as const, containers: [] };
    addIssue(list === "containers" ? [...image, ...field] : [...originInPod(pod, path)], message);
  });
}

/** The rule on the labels and annotations of the pods that pull the images: those of the pods, without the user's template. */
function prepullRule(spec: MiniClusterSpec, template: PodTemplate, addIssue: AddIssue): void {
  const { metadata } = fieldsOf(fieldsOf(buildPrepull(spec, template)?.spec).template);
  metadataRule(metadata, ([map = "", ...path], message) => addIssue(["pod", map, ...path], message));
}

/** The rules on labels and annotations of objects other than pods. */
function labelsRules(spec: MiniClusterSpec, job: object, addIssue: AddIssue): void {
  const from =
    (origins: Record<string, PropertyKey[]>): AddIssue =>
    ([map, ...path], message) =>
      addIssue([...(origins[String(map)] ?? []), ...path], message);
  metadataRule(job, from({ labels: ["jobLabels"] }));
  const service = buildLeadService(spec);
  const balancer = ["bursting", "expose", "loadBalancer"];
  if (service) metadataRule(service.metadata, from({ annotations: [...balancer, "annotations"] }));
  const monitor = buildMetrics(spec)?.podMonitor;
  if (monitor) metadataRule(monitor.metadata, from({ labels: ["metrics", "podMonitor", "labels"] }));
}
