import { dnsLabelProblem, keyProblem, labelValueProblem, subdomainProblem } from "./formats";
import { expressionRule, labelOperators, labelSelectorRule, labelsRule, type OperatorCounts } from "./metadata";
import {
  type At,
  checked,
  eachIn,
  type Fields,
  fieldsOf,
  isAbsent,
  itemsOf,
  notEmpty,
  oneOf,
  partIn,
  required,
  within,
} from "./reading";

// Source: `pkg/apis/core/validation/validation.go`, `ValidateTolerations`, `validateAffinity` and
// `validateTopologySpreadConstraints`.

const [mandatory, preferred] = [
  "requiredDuringSchedulingIgnoredDuringExecution",
  "preferredDuringSchedulingIgnoredDuringExecution",
] as const;

/** The rules on the placement of a pod with some labels. */
export function schedulingRule(pod: Fields, labels: Fields, at: At): void {
  labelsRule(pod.nodeSelector, (path, message) => at(["nodeSelector", ...path], message));
  eachIn(pod, "tolerations", at, tolerationRule);
  partIn(pod, "affinity", at, (affinity, at) => {
    partIn(affinity, "nodeAffinity", at, nodeAffinityRule);
    for (const name of ["podAffinity", "podAntiAffinity"])
      partIn(affinity, name, at, (part, at) => podAffinityRule(part, labels, at));
  });
  spreadRule(pod, labels, at);
  const gates = new Set<unknown>();
  eachIn(pod, "schedulingGates", at, ({ name }, at) => {
    const problem = typeof name === "string" ? keyProblem(name) : undefined;
    if (name === undefined || problem !== undefined)
      at(["name"], problem ? `${JSON.stringify(name)} ${problem}` : "is required; add it");
    if (gates.has(name)) at(["name"], "is a duplicate; remove one");
    gates.add(name);
  });
  if (gates.size > 0 && !isAbsent(pod.nodeName)) at(["nodeName"], "excludes schedulingGates; remove one of them");
}

function tolerationRule(toleration: Fields, at: At): void {
  checked(toleration, "key", keyProblem, at);
  checked(toleration, "effect", oneOf("NoSchedule", "PreferNoSchedule", "NoExecute"), at);
  const { key, operator = "Equal", value, effect, tolerationSeconds } = toleration;
  const name = operator === "" ? "Equal" : operator;
  if (typeof name !== "string") return;
  if (isAbsent(key) && name !== "Exists") at(["operator"], 'must be "Exists" without a key; set it or add a key');
  if (tolerationSeconds !== undefined && (effect === undefined || typeof effect === "string") && effect !== "NoExecute")
    at(["effect"], 'must be "NoExecute" with tolerationSeconds; set it or remove tolerationSeconds');
  if (name === "Equal") checked(toleration, "value", labelValueProblem, at);
  else if (name === "Exists") {
    if (!isAbsent(value)) at(["value"], 'operator "Exists" takes no value; remove it or use "Equal"');
  } else if (!["Lt", "Gt"].includes(name)) checked(toleration, "operator", oneOf("Equal", "Exists"), at);
  // Lt and Gt are for servers with the feature gate TaintTolerationComparisonOperators.
}

const nodeOperators: OperatorCounts = {
  ...labelOperators,
  Gt: [1, 1],
  Lt: [1, 1],
};

function termRule(term: Fields, isRequired: boolean, at: At): void {
  eachIn(term, "matchExpressions", at, (expression, at) => expressionRule(expression, nodeOperators, at, isRequired));
  eachIn(term, "matchFields", at, (field, at) => {
    checked(field, "key", oneOf("metadata.name"), at);
    expressionRule({ ...field, key: "name" }, { In: [1, 1], NotIn: [1, 1] }, at, false);
    itemsOf(field.values).forEach((value, index) => {
      const problem = typeof value === "string" ? subdomainProblem(value) : undefined;
      if (problem !== undefined) at(["values", index], `${JSON.stringify(value)} ${problem}`);
    });
    if (isAbsent(field.key)) at(["key"], "is required; add it");
  });
}

const weights = [1, 100] as const;

function weightRule(term: Fields, at: At): void {
  if (term.weight === undefined) at(["weight"], "is required, from 1 to 100; add it");
  within(term, "weight", weights, at);
}

function nodeAffinityRule(affinity: Fields, at: At): void {
  partIn(affinity, mandatory, at, (selector, at) => {
    const { nodeSelectorTerms: terms } = selector;
    if (terms === undefined || (Array.isArray(terms) && terms.length === 0))
      at(["nodeSelectorTerms"], "needs at least one term; add it");
    eachIn(selector, "nodeSelectorTerms", at, (term, at) => termRule(term, true, at));
  });
  eachIn(affinity, preferred, at, (term, at) => {
    weightRule(term, at);
    partIn(term, "preference", at, (preference, at) => termRule(preference, false, at));
  });
}

function podAffinityRule(affinity: Fields, labels: Fields, at: At): void {
  eachIn(affinity, mandatory, at, (term, at) => podTermRule(term, labels, at));
  eachIn(affinity, preferred, at, (term, at) => {
    weightRule(term, at);
    if (term.podAffinityTerm === undefined) at(["podAffinityTerm"], "is required; add it");
    partIn(term, "podAffinityTerm", at, (part, at) => podTermRule(part, labels, at));
  });
}

function podTermRule(term: Fields, labels: Fields, at: At): void {
  required(term, ["topologyKey"], at);
  checked(term, "topologyKey", keyProblem, at);
  for (const name of ["labelSelector", "namespaceSelector"]) partIn(term, name, at, labelSelectorRule);
  itemsOf(term.namespaces).forEach((namespace, index) => {
    const problem = typeof namespace === "string" ? dnsLabelProblem(namespace) : undefined;
    if (problem !== undefined) at(["namespaces", index], `${JSON.stringify(namespace)} ${problem}`);
  });
  labelKeysRule(term, labels, at);
}

/** The rule on keys of labels whose values a selector takes from the pod. */
function labelKeysRule(owner: Fields, labels: Fields, at: At): void {
  const [match, mismatch] = [itemsOf(owner.matchLabelKeys), itemsOf(owner.mismatchLabelKeys)];
  for (const [name, keys] of Object.entries({ matchLabelKeys: match, mismatchLabelKeys: mismatch })) {
    if (keys.length > 0 && owner.labelSelector === undefined) at([name], "requires labelSelector; add it");
    keys.forEach((key, index) => {
      const problem = typeof key === "string" ? keyProblem(key) : undefined;
      if (problem !== undefined) at([name, index], `${JSON.stringify(key)} ${problem}`);
    });
  }
  const selector = fieldsOf(owner.labelSelector);
  const seen = new Set(Object.keys(fieldsOf(selector.matchLabels)));
  const twice = new Set<unknown>();
  // For each key that is a label of the pod Kubernetes itself adds an expression at the end.
  const added = match.filter((key) => typeof key === "string" && labels[key] !== undefined);
  for (const key of [...itemsOf(selector.matchExpressions).map((item) => fieldsOf(item).key), ...added]) {
    if (typeof key !== "string") continue;
    if (seen.has(key)) twice.add(key);
    seen.add(key);
  }
  match.forEach((key, index) => {
    if (twice.has(key)) at(["matchLabelKeys", index], "is in labelSelector; remove one of them");
    if (mismatch.includes(key)) at(["matchLabelKeys", index], "is in mismatchLabelKeys; remove one of them");
  });
}

function spreadRule(pod: Fields, labels: Fields, at: At): void {
  const seen = new Set<string>();
  eachIn(pod, "topologySpreadConstraints", at, (constraint, at) => {
    required(constraint, ["topologyKey", "whenUnsatisfiable"], at);
    if (constraint.maxSkew === undefined) at(["maxSkew"], "is required; add it");
    for (const name of ["maxSkew", "minDomains"]) within(constraint, name, [1, Infinity], at);
    checked(constraint, "whenUnsatisfiable", oneOf("DoNotSchedule", "ScheduleAnyway"), at);
    notEmpty(constraint, ["nodeAffinityPolicy", "nodeTaintsPolicy"], at);
    for (const name of ["nodeAffinityPolicy", "nodeTaintsPolicy"])
      checked(constraint, name, oneOf("Honor", "Ignore"), at);
    if (constraint.minDomains !== undefined && constraint.whenUnsatisfiable === "ScheduleAnyway")
      at(["minDomains"], 'requires whenUnsatisfiable "DoNotSchedule"; remove it');
    partIn(constraint, "labelSelector", at, labelSelectorRule);
    labelKeysRule(constraint, labels, at);
    const pair = JSON.stringify([constraint.topologyKey, constraint.whenUnsatisfiable]);
    if (seen.has(pair)) at(["topologyKey"], "is a duplicate with the same whenUnsatisfiable; remove one");
    seen.add(pair);
  });
}
