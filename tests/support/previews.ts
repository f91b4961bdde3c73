import assert from "node:assert/strict";
import { differences, isMap } from "./differences";
import { type OperationResult, unknownValue } from "./engine";
import { matchGolden, readGolden, withoutTexts } from "./golden";

/** Everything that a preview shows a person: the inputs of each step, and the diagnostics. */
interface Preview {
  steps: Record<string, unknown>;
  said: string[];
}

/** A preview as data, in words for what cannot be shown. */
function previewOf({ steps, diagnostics }: OperationResult): Preview {
  const shown = steps
    .filter(({ type }) => !type.startsWith("pulumi:"))
    .map(({ op, type, name, new: state }): [string, unknown] => [`${op} ${type} ${name}`, shownInputs(state?.inputs)])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  assert.equal(new Set(shown.map(([step]) => step)).size, shown.length);
  const said = diagnostics.map(({ severity, message }) => `${severity}: ${message.trim()}`).sort();
  return { steps: Object.fromEntries(shown), said };
}

/** The example whose golden is a whole preview. */
const plain = "eks-gpu";

/** Compares the preview of an example with its golden: differences from the plain one, for the cluster's objects. */
export function matchPreview(example: string, result: OperationResult): void {
  const preview = previewOf(result);
  const fileOf = (name: string) => `previews/${name}.yaml`;
  matchGolden(fileOf(example), example === plain ? preview : unlike(preview, readGolden(fileOf(plain)) as Preview));
}

function unlike({ steps, said }: Preview, plain: Preview): Preview {
  const plainSteps = withOneName(plain.steps);
  const own = withOneName(steps);
  const shown = Object.entries(steps).map(([step, inputs]): [string, unknown] => {
    const named = own[step];
    const other = named && Object.values(plainSteps).find((one) => one.step === named.step);
    return [step, other ? differences(named.inputs, other.inputs) : inputs];
  });
  return { steps: Object.fromEntries(shown), said };
}

/** A step in which every cluster has one name, and its inputs. */
interface NamedStep {
  step: string;
  inputs: unknown;
}

/** The steps of the clusters, with one name for every cluster and one for every namespace. */
function withOneName(steps: Record<string, unknown>): Record<string, NamedStep> {
  const jobs = Object.entries(steps).flatMap(([step, inputs]) => (step.includes(":Job ") ? [inputs] : []));
  // The Jobs of groups come before that of their cluster, with whose name theirs begin.
  const clusters = jobs
    .map((job) => (job as { metadata: { name: string; namespace: string } }).metadata)
    .sort((one, other) => other.name.length - one.name.length);
  const entries = Object.entries(steps).flatMap(([step, inputs]) => {
    const name = step.split(" ").at(-1) ?? "";
    const cluster = clusters.find((one) => name === one.name || name.startsWith(`${one.name}-`));
    if (!cluster || !/ (kubernetes|random):/.test(step)) return [];
    const rename = (text: string) =>
      text.replace(wordOf(cluster.name), "<cluster>").replace(wordOf(cluster.namespace), "<namespace>");
    return [[step, { step: rename(step), inputs: inTexts(inputs, rename) }] as const];
  });
  return Object.fromEntries(entries);
}

// A field of JSON in an annotation may be called as a cluster is.
const wordOf = (name: string) => new RegExp(`(?<![\\w"-])${name}(?!\\w)`, "g");

/** A value in which every text is changed. */
function inTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => inTexts(item, change));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inTexts(item, change)]));
}

/** Inputs of a step. The files of a ConfigMap are shown in the goldens of manifests. */
function shownInputs(inputs: object = {}): unknown {
  const shown = withoutTexts(readable(inputs));
  return isMap(shown) && shown.kind === "ConfigMap" && isMap(shown.data) ? { ...shown, data: "(files)" } : shown;
}

/** A value with words for what cannot be shown. */
function readable(value: unknown): unknown {
  if (value === unknownValue) return "[unknown]";
  // The engine's own part of a name that the program has not chosen.
  if (typeof value === "string") return value.replace(/^([a-z0-9-]+)-[0-9a-f]{7,8}$/, "$1-[random]");
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  if (isSecret(value)) return "[secret]";
  const entries = Object.entries(value).filter(([key]) => key !== "__defaults");
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, item]) => [key, readable(item)]),
  );
}

const isSecret = (value: object) => "4dabf18193072939515e22adb298388d" in value;
