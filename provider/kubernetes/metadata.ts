import { annotationKeyProblem, keyProblem, labelValueProblem } from "./formats";
import { type At, checked, eachIn, type Fields, fieldsOf, itemsOf, required, textOf } from "./reading";

// Source: `apimachinery/pkg/api/validation/objectmeta.go` and `apimachinery/pkg/apis/meta/v1/validation/validation.go`.

/** The rule on labels. */
export function labelsRule(labels: unknown, at: At): void {
  for (const [key, value] of Object.entries(fieldsOf(labels))) {
    const problem = keyProblem(key);
    if (problem !== undefined) at([key], `${JSON.stringify(key)} ${problem}`);
    const valueIssue = typeof value === "string" ? labelValueProblem(value) : undefined;
    if (valueIssue !== undefined) at([key], `${JSON.stringify(value)} ${valueIssue}`);
  }
}

/** Most bytes that the annotations of an object may have, keys included. */
export const maxAnnotationBytes = 256 * 1024;

/** Bytes of the annotations that are known now, keys included. */
export const annotationBytes = (annotations: Fields): number =>
  Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + bytesOf(value), 0);

const bytesOf = (value: unknown) => (typeof value === "string" ? Buffer.byteLength(value) : 0);

/** The rule on annotations. */
export function annotationsRule(given: unknown, at: At): void {
  const annotations = fieldsOf(given);
  for (const key of Object.keys(annotations)) {
    const problem = annotationKeyProblem(key);
    if (problem !== undefined) at([key], `${JSON.stringify(key)} ${problem}`);
  }
  const bytes = annotationBytes(annotations);
  if (bytes <= maxAnnotationBytes) return;
  const [largest = ""] = Object.keys(annotations).sort(
    (one, other) => bytesOf(annotations[other]) - bytesOf(annotations[one]),
  );
  at(
    [largest],
    `the annotations have ${bytes} bytes, ${maxAnnotationBytes} are allowed; shorten this one by ${bytes - maxAnnotationBytes}`,
  );
}

/** The rule on the metadata of a template of claims. */
export function templateMetadataRule({ labels, annotations, ...unexpected }: Fields, at: At): void {
  for (const [key, value] of Object.entries(unexpected))
    if (value !== undefined) at([key], "is not for a template; remove it");
  labelsRule(labels, (path, message) => at(["labels", ...path], message));
  annotationsRule(annotations, (path, message) => at(["annotations", ...path], message));
}

/** The rule on a selector of objects by their labels. */
export function labelSelectorRule(selector: Fields, at: At): void {
  labelsRule(selector.matchLabels, (path, message) => at(["matchLabels", ...path], message));
  eachIn(selector, "matchExpressions", at, (expression, at) => expressionRule(expression, labelOperators, at));
}

/** Operators of selectors, with the numbers of values that each takes. */
export type OperatorCounts = Readonly<Record<string, readonly [min: number, max: number]>>;

export const labelOperators: OperatorCounts = {
  In: [1, Infinity],
  NotIn: [1, Infinity],
  Exists: [0, 0],
  DoesNotExist: [0, 0],
};

/** The rule on one expression of a selector: each operator has as many values. */
export function expressionRule(expression: Fields, operators: OperatorCounts, at: At, checksValues = true): void {
  required(expression, ["key", "operator"], at);
  checked(expression, "key", keyProblem, at);
  const operator = textOf(expression.operator);
  const { values } = expression;
  const list = itemsOf(values);
  if (operator !== undefined) {
    const known = operators[operator];
    if (known === undefined)
      at(
        ["operator"],
        `${JSON.stringify(operator)} must be one of ${Object.keys(operators)
          .map((name) => JSON.stringify(name))
          .join(", ")}`,
      );
    else if ((values === undefined || Array.isArray(values)) && (list.length < known[0] || list.length > known[1]))
      at(["values"], countMessage(operator, known));
  }
  if (!checksValues) return;
  list.forEach((value, index) => {
    const problem = typeof value === "string" ? labelValueProblem(value) : undefined;
    if (problem !== undefined) at(["values", index], `${JSON.stringify(value)} ${problem}`);
  });
}

function countMessage(operator: string, [min, max]: readonly [number, number]): string {
  if (max === 0) return `operator "${operator}" takes no values; remove them`;
  return max === 1
    ? `operator "${operator}" takes one value`
    : `operator "${operator}" needs ${min} value or more; add it`;
}

/** Annotations of pods with profiles, from the time before the fields. */
const profileAnnotations = {
  seccompPod: "seccomp.security.alpha.kubernetes.io/pod",
  seccompContainer: "container.seccomp.security.alpha.kubernetes.io/",
  appArmor: "container.apparmor.security.beta.kubernetes.io/",
};

const seccompForm = /^(runtime\/default|docker\/default|unconfined|localhost\/(?!\/)(?!(.*\/)?\.\.(\/|$)).*)$/s;
const appArmorForm = /^(|runtime\/default|unconfined|localhost\/.*)$/s;

/** An integer without a plus sign and without leading zeros. */
const integer = /^(0|-?[1-9]\d*|-0+\d*)$/;

/**
 * The rule on annotations of pods that Kubernetes itself reads. Source: `pkg/apis/core/validation/validation.go`,
 * `ValidatePodSpecificAnnotations`.
 */
export function podAnnotationsRule(given: unknown, pod: Fields, at: At): void {
  const annotations = fieldsOf(given);
  const names = [...itemsOf(pod.containers), ...itemsOf(pod.initContainers)].map(
    (container) => fieldsOf(container).name,
  );
  for (const [key, value] of Object.entries(annotations)) {
    if (typeof value !== "string") continue;
    const { seccompPod, seccompContainer, appArmor } = profileAnnotations;
    if ((key === seccompPod || key.startsWith(seccompContainer)) && !seccompForm.test(value))
      at([key], "must be a seccomp profile; use securityContext.seccompProfile");
    if (key.startsWith(appArmor)) {
      if (!appArmorForm.test(value)) at([key], "must be an AppArmor profile; use securityContext.appArmorProfile");
      if (!names.includes(key.slice(appArmor.length))) at([key], "must end with the name of a container of the pod");
    }
  }
  const cost = annotations["controller.kubernetes.io/pod-deletion-cost"];
  if (typeof cost === "string" && !(integer.test(cost) && Math.abs(Number(cost)) < 2 ** 31))
    at(["controller.kubernetes.io/pod-deletion-cost"], "must be an integer of 32 bits");
  if (annotations["kubernetes.io/config.mirror"] !== undefined)
    at(["kubernetes.io/config.mirror"], "is for pods that a kubelet creates; remove it");
  profileFieldsRule(annotations, pod, at);
}

interface Profile {
  type?: unknown;
  localhostProfile?: unknown;
}

/** The annotation for the profile of a field. */
const annotationOf = ({ type, localhostProfile }: Profile, unconfined: string): string | undefined => {
  if (type === "Unconfined") return unconfined;
  if (type === "RuntimeDefault") return "runtime/default";
  return typeof localhostProfile === "string" ? `localhost/${localhostProfile}` : undefined;
};

/** The rule that annotations and fields set the same profiles. */
function profileFieldsRule(annotations: Fields, pod: Fields, at: At): void {
  const { seccompPod, seccompContainer, appArmor } = profileAnnotations;
  const same = (key: string, profile: unknown) => {
    const wanted = annotationOf(fieldsOf(profile), "unconfined");
    const value = annotations[key];
    const isDocker = value === "docker/default" && wanted === "runtime/default";
    if (wanted !== undefined && typeof value === "string" && value !== wanted && !isDocker)
      at([key], "differs from the profile in securityContext; remove the annotation");
  };
  const ofPod = fieldsOf(pod.securityContext);
  same(seccompPod, ofPod.seccompProfile);
  for (const item of [...itemsOf(pod.containers), ...itemsOf(pod.initContainers)]) {
    const { name, securityContext } = fieldsOf(item);
    const own = fieldsOf(securityContext);
    same(`${seccompContainer}${String(name)}`, own.seccompProfile);
    same(`${appArmor}${String(name)}`, own.appArmorProfile ?? ofPod.appArmorProfile);
  }
}
