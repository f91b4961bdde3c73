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
      name: "updates a JobPatch in place whatever changes",
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
      name: "replaces an immutable ConfigMap whatever the provider says",
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

  const kinds: [apiVersion: string, kind: string, path: string][] = [
    ["v1", "Secret", "data"],
    ["v1", "Secret", "type"],
    ["v1", "Service", "spec.clusterIP"],
    ["v1", "PersistentVolumeClaim", "spec.accessModes"],
    ["v1", "PersistentVolumeClaim", "spec.storageClassName"],
    ["v1", "PersistentVolumeClaim", "spec.volumeName"],
    ["v1", "PersistentVolume", "spec.csi"],
    ["v1", "Pod", "spec.nodeSelector"],
    ["v1", "Pod", "spec.volumes"],
    ["v1", "Pod", "spec.securityContext"],
    ["apps/v1", "Deployment", "spec.selector"],
    ["apps/v1", "StatefulSet", "spec.serviceName"],
    ["rbac.authorization.k8s.io/v1", "RoleBinding", "roleRef"],
  ];
  for (const [apiVersion, kind, path] of kinds)
    it(`replaces a ${kind} when its ${path} changes`, () =>
      assert.deepEqual(changes(at(apiVersion, kind, path, "a"), at(apiVersion, kind, path, "b")), [`update! ${path}`]));

  // The API server refuses most of these; the plugin still sends them as updates.
  const inPlace: [apiVersion: string, kind: string, path: string][] = [
    ["v1", "Service", "spec.type"],
    ["v1", "Service", "spec.selector"],
    ["v1", "PersistentVolumeClaim", "spec.resources"],
    ["v1", "PersistentVolumeClaim", "spec.volumeMode"],
    ["v1", "PersistentVolume", "spec.capacity"],
    ["v1", "PersistentVolume", "spec.claimRef"],
    ["v1", "PersistentVolume", "spec.nodeAffinity"],
    ["v1", "PersistentVolume", "spec.storageClassName"],
    ["v1", "Pod", "spec.tolerations"],
    ["v1", "Pod", "spec.topologySpreadConstraints"],
    ["v1", "Pod", "spec.activeDeadlineSeconds"],
    ["networking.k8s.io/v1", "NetworkPolicy", "spec.podSelector"],
  ];
  for (const [apiVersion, kind, path] of inPlace)
    it(`updates a ${kind} when its ${path} changes`, () =>
      assert.deepEqual(changes(at(apiVersion, kind, path, "a"), at(apiVersion, kind, path, "b")), [`update ${path}`]));
});

/** An object with a value at one path. */
function at(apiVersion: string, kind: string, path: string, value: string): Obj {
  const nested = path.split(".").reduceRight<Obj | string>((inner, key) => ({ [key]: inner }), value);
  return { apiVersion, kind, metadata: { name: "x" }, ...(nested as Obj) };
}
