import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { mergeKeys, strategicMerge } from "../../../../provider/core/parse/strategicMerge";
import { keyedLists } from "../../../support/mergeSchema";
import { unknownOutput } from "../../../support/mocks";
import { valueAt } from "../../../support/propertyPaths";
import { clusterIfAny } from "../../../support/sandboxHooks";

const constraint = (whenUnsatisfiable: string, more: object = {}) => ({ topologyKey: "z", whenUnsatisfiable, ...more });
const mount = (name: string, mountPath: string) => ({ name, mountPath });
const inA = (fields: object) => ({ containers: [{ name: "a", ...fields }] });
const image = (name: string, image: string) => ({ name, image });
const tcp = { containerPort: 80, protocol: "TCP" };
const udp = { containerPort: 53, protocol: "UDP" };

/** Specs of a template and of a patch, and the merged one. */
const cases: Record<string, [base: object, patch: object, want: object]> = {
  "ignores undefined": [
    { priority: 1, volumes: [{ name: "a" }] },
    { priority: undefined, volumes: undefined },
    { priority: 1, volumes: [{ name: "a" }] },
  ],
  "merges maps by key": [
    { nodeSelector: { a: "1", b: "2" } },
    { nodeSelector: { b: "3", d: "4" } },
    { nodeSelector: { a: "1", b: "3", d: "4" } },
  ],
  "replaces single values, also by empty ones": [
    { priority: 7, hostIPC: true, schedulerName: "a" },
    { priority: 0, hostIPC: false, schedulerName: "" },
    { priority: 0, hostIPC: false, schedulerName: "" },
  ],
  "merges containers by name, keeps their order and appends others": [
    { containers: [{ ...image("a", "1"), tty: true }, { name: "b" }] },
    { containers: [image("c", "3"), image("b", "2"), image("a", "4")] },
    { containers: [{ ...image("a", "4"), tty: true }, image("b", "2"), image("c", "3")] },
  ],
  "has TCP as the default protocol of a port": [
    inA({ ports: [tcp, udp] }),
    inA({ ports: [{ containerPort: 80, name: "http" }, { containerPort: 53 }] }),
    inA({ ports: [{ ...tcp, name: "http" }, udp, { containerPort: 53 }] }),
  ],
  "merges mounts by path rather than by volume": [
    inA({ volumeMounts: [mount("v", "/a"), mount("v", "/b")] }),
    inA({ volumeMounts: [mount("w", "/b"), mount("v", "/c")] }),
    inA({ volumeMounts: [mount("v", "/a"), mount("w", "/b"), mount("v", "/c")] }),
  ],
  "merges spread constraints by both of their keys": [
    { topologySpreadConstraints: [constraint("DoNotSchedule", { maxSkew: 1 })] },
    { topologySpreadConstraints: [constraint("DoNotSchedule", { maxSkew: 2 }), constraint("ScheduleAnyway")] },
    { topologySpreadConstraints: [constraint("DoNotSchedule", { maxSkew: 2 }), constraint("ScheduleAnyway")] },
  ],
  "replaces every other list as a whole, and keeps a list with keys beside an empty one": [
    { tolerations: [{ key: "a" }, { key: "b" }], volumes: [{ name: "a" }], ...inA({ command: ["x", "y"] }) },
    { tolerations: [], volumes: [], ...inA({ command: ["z"] }) },
    { tolerations: [], volumes: [{ name: "a" }], ...inA({ command: ["z"] }) },
  ],
};

describe("a merged pod template", () => {
  for (const [name, [base, patch, want]] of Object.entries(cases))
    it(name, () => {
      const parts = { base: { spec: base }, patch: { spec: patch } };
      const before = structuredClone(parts);
      assert.deepEqual(strategicMerge(parts.base, parts.patch), { spec: want });
      assert.deepEqual(parts, before, "the parts are as they were");
    });

  it("has no lists among labels", () => {
    const labelled = (labels: object) => ({ metadata: { labels } });
    const merged = strategicMerge(labelled({ env: "a", app: "x" }), labelled({ env: "b", ports: "c" }));
    assert.deepEqual(merged, labelled({ app: "x", env: "b", ports: "c" }));
  });

  it("places outputs without reading them", () => {
    const [image, label, affinity] = [unknownOutput(), pulumi.secret("x"), Promise.resolve({})];
    const base = { metadata: { labels: { a: "1" } }, spec: { affinity: { podAffinity: {} }, ...inA({}) } };
    const merged = strategicMerge(base, { metadata: { labels: { a: label } }, spec: { affinity, ...inA({ image }) } });
    const placed = ["metadata.labels.a", "spec.affinity", "spec.containers[0].image"].map((at) => valueAt(merged, at));
    assert.ok(placed[0] === label && placed[1] === affinity && placed[2] === image);
  });
});

/** Keyed lists of the API server that are replaced as a whole all the same: a template has no owners. */
const replaced = ["ownerReferences"];

describe("the keys of lists in a pod template", function () {
  this.timeout(30_000);

  it("are those of the API server, wherever a list stands, and of no other list", async function () {
    const cluster = clusterIfAny();
    if (!cluster) return this.skip();
    const api = await cluster.kube.request("GET", "/openapi/v3/api/v1");
    const lists = keyedLists(api, "io.k8s.api.core.v1.PodTemplateSpec");
    for (const { owner, name, keys } of lists)
      if (!replaced.includes(name)) assert.deepEqual(mergeKeys.get(name) ?? [], keys, `${owner}.${name}`);
    const known = new Set(lists.map(({ name }) => name));
    for (const name of [...mergeKeys.keys(), ...replaced]) assert.ok(known.has(name), name);
  });
});
