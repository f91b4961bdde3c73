import * as assert from "node:assert/strict";
import { type Obj, unknown } from "../rpc/values";
import { diffObjects } from "./diff";
import { forceNewPaths } from "./forceNew";

const immutable = { configMapMutable: false, secretMutable: false };

function job(spec: Obj = {}, metadata: Obj = {}): Obj {
  const template = { spec: { containers: [{ name: "flux", image: "flux:1", args: ["a"] }] } };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "job", namespace: "ns", ...metadata },
    spec: { completions: 4, parallelism: 4, template, ...spec },
  };
}

const configMap = (data: Obj, rest: Obj = {}): Obj => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", namespace: "ns" },
  data,
  ...rest,
});

/** Every change as `kind path`, with a "!" for one that replaces. */
function changes(
  old: Obj,
  inputs: Obj,
  options: { patch?: boolean; ignoreChanges?: string[]; mutable?: boolean } = {},
) {
  const mutability = options.mutable ? { configMapMutable: true, secretMutable: true } : immutable;
  const forceNew = forceNewPaths(inputs, options.patch ?? false, mutability);
  const found = diffObjects({ old, live: old, inputs, forceNew, ignoreChanges: options.ignoreChanges ?? [] });
  return [...found].map(([path, { kind, replace }]) => `${kind}${replace ? "!" : ""} ${path}`).sort();
}

const container = (rest: Obj): Obj => ({ template: { spec: { containers: [{ name: "flux", ...rest }] } } });

describe("the kubernetes stand-in's diff", () => {
  const cases: { name: string; old: Obj; inputs: Obj; options?: Parameters<typeof changes>[2]; want: string[] }[] = [
    { name: "finds nothing when nothing changed", old: job(), inputs: job(), want: [] },
    {
      name: "replaces a Job when its size changes",
      old: job(),
      inputs: job({ completions: 6, parallelism: 6 }),
      want: ["update! spec.completions", "update! spec.parallelism"],
    },
    {
      name: "leaves out what is ignored",
      old: job(),
      inputs: job({ completions: 6, parallelism: 6 }),
      options: { ignoreChanges: ["spec.completions", "spec.parallelism"] },
      want: [],
    },
    {
      name: "updates a JobPatch in place for any change",
      old: job(),
      inputs: job({ completions: 6 }),
      options: { patch: true },
      want: ["update spec.completions"],
    },
    {
      name: "replaces a JobPatch that moves to another Job",
      old: job(),
      inputs: job({}, { name: "other" }),
      options: { patch: true },
      want: ["update! metadata.name"],
    },
    {
      name: "replaces a Job when anything in its template changes",
      old: job(container({ image: "flux:1", args: ["a", "b"], tty: true })),
      inputs: job(container({ image: "flux:2", args: ["a"], stdin: true })),
      want: [
        "add! spec.template.spec.containers[0].stdin",
        "delete! spec.template.spec.containers[0].args[1]",
        "delete! spec.template.spec.containers[0].tty",
        "update! spec.template.spec.containers[0].image",
      ],
    },
    {
      name: "updates a Job's labels, deadline and suspension in place",
      old: job({ suspend: false }),
      inputs: job({ suspend: true, activeDeadlineSeconds: 60 }, { labels: { "a.b/c": "d" } }),
      want: ["add metadata.labels", "add spec.activeDeadlineSeconds", "update spec.suspend"],
    },
    {
      name: "replaces a ConfigMap when its data changes",
      old: configMap({ a: "1" }),
      inputs: configMap({ a: "2", "b.sh": "x" }),
      want: ['add! data["b.sh"]', "update! data.a"],
    },
    {
      name: "updates a ConfigMap's data in place when the provider says so",
      old: configMap({ a: "1" }),
      inputs: configMap({ a: "2" }),
      options: { mutable: true },
      want: ["update data.a"],
    },
    {
      name: "replaces an immutable ConfigMap regardless of the provider",
      old: configMap({ a: "1" }, { immutable: true }),
      inputs: configMap({ a: "2" }, { immutable: true }),
      options: { mutable: true },
      want: ["update! data.a"],
    },
    {
      name: "replaces when a new value has a force-new path inside it",
      old: { ...job(), spec: undefined },
      inputs: job(),
      want: ["add! spec"],
    },
    {
      name: "takes a value that is not known yet for a change",
      old: job(),
      inputs: job({ completions: unknown }),
      options: { patch: true },
      want: ["update spec.completions"],
    },
    {
      name: "finds no change in an empty value that the API server leaves out",
      old: job(),
      inputs: job({}, { labels: {} }),
      want: [],
    },
  ];
  for (const { name, old, inputs, options, want } of cases)
    it(name, () => assert.deepEqual(changes(old, inputs, options), want));
});
