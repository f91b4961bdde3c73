import { containersRule } from "./containers";
import { addressProblem, dnsLabelProblem, keyProblem, searchProblem, subdomainProblem } from "./formats";
import { annotationsRule, labelsRule, podAnnotationsRule } from "./metadata";
import {
  type At,
  checked,
  eachIn,
  type Fields,
  fieldsOf,
  isKnown,
  itemsOf,
  notEmpty,
  oneOf,
  oneSource,
  partIn,
  required,
  within,
} from "./reading";
import { podResourcesRule, resourcesRule } from "./resources";
import { schedulingRule } from "./scheduling";
import { podSecurityRule } from "./security";
import { structureRule } from "./structure";
import { volumesRule } from "./volumes";

/**
 * The rule on a pod template: the checks of Kubernetes 1.36 on it, and on a pod that is created from it. Values known only later
 * are not checked. Source: `pkg/apis/core/validation/validation.go`, `ValidatePodTemplateSpec`.
 */
export function podTemplateRule(template: unknown, at: At): void {
  let isSound = true;
  structureRule(template, "PodTemplateSpec", (path, message) => {
    isSound = false;
    at(path, message);
  });
  // The rules below rely on the types of fields in Kubernetes.
  if (!isSound) return;
  const { metadata, spec } = fieldsOf(template);
  const [{ labels, annotations }, pod] = [fieldsOf(metadata), fieldsOf(spec)];
  labelsRule(labels, below(at, "metadata", "labels"));
  annotationsRule(annotations, below(at, "metadata", "annotations"));
  podAnnotationsRule(annotations, pod, below(at, "metadata", "annotations"));
  podRule(pod, fieldsOf(labels), below(at, "spec"));
}

const below =
  (at: At, ...prefix: PropertyKey[]): At =>
  (path, message) =>
    at([...prefix, ...path], message);

/** The rules on a pod. Source: there, `ValidatePodSpec`. */
function podRule(pod: Fields, labels: Fields, at: At): void {
  const volumes = volumesRule(pod, at);
  claimsRule(pod, at);
  containersRule(pod, volumes, at);
  podResourcesRule(pod, at);
  podSecurityRule(pod, at);
  schedulingRule(pod, labels, at);
  dnsRule(pod, at);
  hostRule(pod, at);
  namesRule(pod, at);
  within(pod, "activeDeadlineSeconds", [1, 2 ** 31 - 1], at);
  resourcesRule({ limits: pod.overhead }, "container", ([, ...path], message) => at(["overhead", ...path], message));
  eachIn(pod, "readinessGates", at, (gate, at) => {
    required(gate, ["conditionType"], at);
    checked(gate, "conditionType", keyProblem, at);
  });
  partIn(pod, "os", at, (os, at) => {
    required(os, ["name"], at);
    checked(os, "name", oneOf("linux"), at);
  });
}

function namesRule(pod: Fields, at: At): void {
  for (const name of ["serviceAccountName", "serviceAccount", "nodeName", "priorityClassName", "runtimeClassName"])
    checked(pod, name, subdomainProblem, at);
  notEmpty(pod, ["runtimeClassName", "preemptionPolicy"], at);
  checked(pod, "subdomain", dnsLabelProblem, at);
  checked(pod, "restartPolicy", oneOf("Always", "OnFailure", "Never"), at);
  checked(pod, "preemptionPolicy", oneOf("PreemptLowerPriority", "Never"), at);
}

function claimsRule(pod: Fields, at: At): void {
  const names = new Set<unknown>();
  eachIn(pod, "resourceClaims", at, (claim, at) => {
    required(claim, ["name"], at);
    checked(claim, "name", dnsLabelProblem, at);
    if (names.has(claim.name)) at(["name"], "is the name of another claim; choose another");
    names.add(claim.name);
    const sources = ["resourceClaimName", "resourceClaimTemplateName"];
    oneSource(claim, sources, at);
    notEmpty(claim, sources, at);
    for (const name of sources) checked(claim, name, subdomainProblem, at);
  });
}

const [maxNameservers, maxSearches, maxSearchCharacters] = [3, 32, 2048];

/** The rule on the name resolution of a pod. Source: there, `validatePodDNSConfig`. */
function dnsRule(pod: Fields, at: At): void {
  checked(pod, "dnsPolicy", oneOf("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"), at);
  const config = fieldsOf(pod.dnsConfig);
  const [nameservers, searches] = [itemsOf(config.nameservers), itemsOf(config.searches)];
  const areKnown = isKnown(pod.dnsConfig) && (config.nameservers === undefined || Array.isArray(config.nameservers));
  if (pod.dnsPolicy === "None" && areKnown && nameservers.length === 0)
    at(["dnsPolicy"], '"None" requires nameservers; add them in dnsConfig, or use another policy');
  const inConfig = below(at, "dnsConfig");
  if (nameservers.length > maxNameservers)
    inConfig(["nameservers"], `has ${nameservers.length}, ${maxNameservers} are allowed`);
  if (searches.length > maxSearches) inConfig(["searches"], `has ${searches.length}, ${maxSearches} are allowed`);
  if (searches.join(" ").length > maxSearchCharacters)
    inConfig(["searches"], `has more than ${maxSearchCharacters} characters; shorten it`);
  textsRule(nameservers, addressProblem, below(inConfig, "nameservers"));
  textsRule(searches, searchProblem, below(inConfig, "searches"));
  eachIn(config, "options", inConfig, (option, at) => required(option, ["name"], at));
  eachIn(pod, "hostAliases", at, (alias, at) => {
    required(alias, ["ip"], at);
    checked(alias, "ip", addressProblem, at);
    textsRule(itemsOf(alias.hostnames), subdomainProblem, below(at, "hostnames"));
  });
}

function textsRule(texts: unknown[], problemOf: (text: string) => string | undefined, at: At): void {
  texts.forEach((text, index) => {
    const problem = typeof text === "string" ? problemOf(text) : undefined;
    if (problem !== undefined) at([index], `${JSON.stringify(text)} ${problem}`);
  });
}

/** The rules on the namespaces that a pod shares with its node. Source: there, `validateHostUsers`. */
function hostRule(pod: Fields, at: At): void {
  if (pod.shareProcessNamespace === true && pod.hostPID === true)
    at(["shareProcessNamespace"], "excludes hostPID; keep one of them");
  if (pod.hostUsers !== false) return;
  for (const name of ["hostNetwork", "hostPID", "hostIPC"])
    if (pod[name] === true) at([name], "excludes hostUsers: false; remove one of them");
  for (const list of ["containers", "initContainers"])
    eachIn(pod, list, at, ({ volumeDevices }, at) => {
      if (itemsOf(volumeDevices).length > 0) at(["volumeDevices"], "excludes hostUsers: false; remove one of them");
    });
}
