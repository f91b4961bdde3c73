import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { mergePodTemplate } from "../../../../provider/minicluster/objects/merge";
import { aContainer } from "../../../support/fixtures";
import { manifestsOf, templateHash } from "../../../support/manifests";
import { unknownOutput } from "../../../support/mocks";
import { containerOf, podOf } from "../../../support/pod";

const merge = (base: object, patch: object) => mergePodTemplate(base, patch) as unknown;
const container = (fields: object) => ({ spec: { containers: [{ name: "a", ...fields }] } });

interface Case {
  name: string;
  base: object;
  patch: object;
  want: object;
}

const cases: Case[] = [
  {
    name: "keeps what the patch is silent about",
    base: { metadata: { labels: { a: "1" } }, spec: { priority: 1 } },
    patch: {},
    want: { metadata: { labels: { a: "1" } }, spec: { priority: 1 } },
  },
  {
    name: "takes undefined for nothing said",
    base: { spec: { priority: 1, volumes: [{ name: "a" }] } },
    patch: { metadata: undefined, spec: { priority: undefined, volumes: undefined } },
    want: { metadata: undefined, spec: { priority: 1, volumes: [{ name: "a" }] } },
  },
  {
    name: "merges maps key by key",
    base: { metadata: { labels: { a: "1", b: "2" } }, spec: { nodeSelector: { c: "3" } } },
    patch: { metadata: { labels: { b: "3", d: "4" } }, spec: { nodeSelector: { e: "5" } } },
    want: { metadata: { labels: { a: "1", b: "3", d: "4" } }, spec: { nodeSelector: { c: "3", e: "5" } } },
  },
  {
    name: "replaces single values, also by nothing much",
    base: { spec: { priority: 7, hostIPC: true, schedulerName: "a" } },
    patch: { spec: { priority: 0, hostIPC: false, schedulerName: "" } },
    want: { spec: { priority: 0, hostIPC: false, schedulerName: "" } },
  },
  {
    name: "merges containers by name, keeps their order and appends the others",
    base: { spec: { containers: [{ name: "a", image: "1", tty: true }, { name: "b" }] } },
    patch: {
      spec: {
        containers: [
          { name: "c", image: "3" },
          { name: "b", image: "2" },
          { name: "a", image: "4" },
        ],
      },
    },
    want: {
      spec: {
        containers: [
          { name: "a", image: "4", tty: true },
          { name: "b", image: "2" },
          { name: "c", image: "3" },
        ],
      },
    },
  },
  {
    name: "merges variables by name",
    base: container({ env: [{ name: "A", value: "a" }, { name: "B" }] }),
    patch: container({
      env: [
        { name: "C", value: "c" },
        { name: "A", value: "b" },
      ],
    }),
    want: container({ env: [{ name: "A", value: "b" }, { name: "B" }, { name: "C", value: "c" }] }),
  },
  {
    name: "takes a port without a protocol for one of TCP",
    base: container({
      ports: [
        { containerPort: 80, protocol: "TCP" },
        { containerPort: 53, protocol: "UDP" },
      ],
    }),
    patch: container({ ports: [{ containerPort: 80, name: "http" }, { containerPort: 53 }] }),
    want: container({
      ports: [
        { containerPort: 80, protocol: "TCP", name: "http" },
        { containerPort: 53, protocol: "UDP" },
        { containerPort: 53 },
      ],
    }),
  },
  {
    name: "merges mounts by path, and not by the volume",
    base: container({
      volumeMounts: [
        { name: "v", mountPath: "/a" },
        { name: "v", mountPath: "/b" },
      ],
    }),
    patch: container({
      volumeMounts: [
        { name: "w", mountPath: "/b" },
        { name: "v", mountPath: "/c" },
      ],
    }),
    want: container({
      volumeMounts: [
        { name: "v", mountPath: "/a" },
        { name: "w", mountPath: "/b" },
        { name: "v", mountPath: "/c" },
      ],
    }),
  },
  {
    name: "merges spread constraints by both of their keys",
    base: {
      spec: { topologySpreadConstraints: [{ topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", maxSkew: 1 }] },
    },
    patch: {
      spec: {
        topologySpreadConstraints: [
          { topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", maxSkew: 2 },
          { topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway", maxSkew: 3 },
        ],
      },
    },
    want: {
      spec: {
        topologySpreadConstraints: [
          { topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", maxSkew: 2 },
          { topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway", maxSkew: 3 },
        ],
      },
    },
  },
  {
    name: "replaces every other list as a whole",
    base: { spec: { tolerations: [{ key: "a" }, { key: "b" }], containers: [{ name: "a", command: ["x", "y"] }] } },
    patch: { spec: { tolerations: [{ key: "a", value: "1" }], containers: [{ name: "a", command: ["z"] }] } },
    want: { spec: { tolerations: [{ key: "a", value: "1" }], containers: [{ name: "a", command: ["z"] }] } },
  },
  {
    name: "appends nothing for an empty list with keys, and empties one without",
    base: { spec: { volumes: [{ name: "a" }], tolerations: [{ key: "a" }] } },
    patch: { spec: { volumes: [], tolerations: [] } },
    want: { spec: { volumes: [{ name: "a" }], tolerations: [] } },
  },
  {
    name: "adds a list where there was none",
    base: { spec: {} },
    patch: { spec: { hostAliases: [{ ip: "10.0.0.1", hostnames: ["a"] }] } },
    want: { spec: { hostAliases: [{ ip: "10.0.0.1", hostnames: ["a"] }] } },
  },
  {
    name: "takes a label that is called like a list for a label",
    base: { metadata: { labels: { env: "a" } } },
    patch: { metadata: { labels: { env: "b", ports: "c" } } },
    want: { metadata: { labels: { env: "b", ports: "c" } } },
  },
];

describe("a merged pod template", () => {
  for (const { name, base, patch, want } of cases)
    it(name, () => {
      const [before, given] = [structuredClone(base), structuredClone(patch)];
      assert.deepEqual(merge(base, patch), want);
      assert.deepEqual([base, patch], [before, given], "the parts are as they were");
    });

  it("places outputs, and reads none", () => {
    const unread = { image: unknownOutput(), label: pulumi.secret("x"), affinity: Promise.resolve({}) };
    const { metadata, spec } = merge(
      { metadata: { labels: { a: "1" } }, spec: { affinity: { podAffinity: {} }, containers: [{ name: "a" }] } },
      {
        metadata: { labels: { a: unread.label } },
        spec: { affinity: unread.affinity, containers: [{ name: "a", image: unread.image }] },
      },
    ) as { metadata: { labels: { a: unknown } }; spec: { affinity: unknown; containers: { image: unknown }[] } };
    assert.equal(metadata.labels.a, unread.label);
    assert.equal(spec.affinity, unread.affinity);
    assert.equal(spec.containers[0]?.image, unread.image);
  });

  it("takes the place of outputs of the component's own", () => {
    const base = { metadata: { annotations: { hash: pulumi.output("x"), other: pulumi.output("y") } } };
    const merged = merge(base, { metadata: { annotations: { hash: "z" } } });
    assert.deepEqual(Object.keys((merged as typeof base).metadata.annotations), ["hash", "other"]);
    assert.equal((merged as typeof base).metadata.annotations.other, base.metadata.annotations.other);
  });

  it("is what the Job gets", () => {
    const podTemplate = {
      metadata: { labels: { app: "x" } },
      spec: {
        priorityClassName: "high",
        containers: [{ name: "demo", stdin: true, env: [{ name: "A", value: "a" }] }],
        initContainers: [{ name: "side", tty: true }],
        volumes: [{ name: "scratch", emptyDir: {} }],
      },
    };
    const args = { containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })], podTemplate };
    const pod = podOf(args);
    assert.equal(pod.priorityClassName, "high");
    assert.deepEqual(
      containerOf(pod, "demo").env?.map(({ name }) => name),
      ["MINICLUSTER_SIZE", "A"],
    );
    assert.deepEqual(containerOf(pod, "demo").command, ["bash", "/etc/minicluster/config/broker.sh"]);
    assert.equal(containerOf(pod, "side").tty, true);
    assert.deepEqual(pod.volumes.at(-1), { name: "scratch", emptyDir: {} });
    const { labels } = manifestsOf(args).job.spec.template.metadata as { labels: Record<string, string> };
    assert.deepEqual([labels.app, labels["job-name"]], ["x", "demo"]);
  });

  it("changes the hash by which the Job's patch runs again", () =>
    assert.notEqual(templateHash({ podTemplate: { spec: { priority: 1, containers: [] } } }), templateHash({})));
});
