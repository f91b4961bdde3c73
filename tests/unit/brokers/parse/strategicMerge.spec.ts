import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { mergeKeys, strategicMerge } from "../../../../provider/brokers/parse/strategicMerge";
import { aBroker, aSidecar } from "../../../support/fixtures";
import { itBuilds } from "../../../support/manifests";
import { keyedLists } from "../../../support/mergeSchema";
import { unknownOutput } from "../../../support/mocks";
import { valueAt } from "../../../support/propertyPaths";
import { clusterIfAny } from "../../../support/sandboxHooks";

/** What stands in the pods, what is merged over it, and what comes of that. */
const cases = [
  {
    name: "ignores undefined",
    args: {
      base: { spec: { priority: 1, volumes: [{ name: "a" }] } },
      patch: { spec: { priority: undefined, volumes: undefined } },
    },
    want: { spec: { priority: 1, volumes: [{ name: "a" }] } },
  },
  {
    name: "merges maps by key",
    args: {
      base: { metadata: { labels: { a: "1", b: "2" } }, spec: { nodeSelector: { c: "3" } } },
      patch: { metadata: { labels: { b: "3", d: "4" } }, spec: { nodeSelector: { e: "5" } } },
    },
    want: { metadata: { labels: { a: "1", b: "3", d: "4" } }, spec: { nodeSelector: { c: "3", e: "5" } } },
  },
  {
    name: "replaces single values, also by empty ones",
    args: {
      base: { spec: { priority: 7, hostIPC: true, schedulerName: "a" } },
      patch: { spec: { priority: 0, hostIPC: false, schedulerName: "" } },
    },
    want: { spec: { priority: 0, hostIPC: false, schedulerName: "" } },
  },
  {
    name: "merges containers by name, keeps their order and appends others",
    args: {
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
    name: "has TCP as the default protocol of a port",
    args: {
      base: {
        spec: {
          containers: [
            {
              name: "a",
              ports: [
                { containerPort: 80, protocol: "TCP" },
                { containerPort: 53, protocol: "UDP" },
              ],
            },
          ],
        },
      },
      patch: {
        spec: { containers: [{ name: "a", ports: [{ containerPort: 80, name: "http" }, { containerPort: 53 }] }] },
      },
    },
    want: {
      spec: {
        containers: [
          {
            name: "a",
            ports: [
              { containerPort: 80, protocol: "TCP", name: "http" },
              { containerPort: 53, protocol: "UDP" },
              { containerPort: 53 },
            ],
          },
        ],
      },
    },
  },
  {
    name: "merges mounts by path rather than by volume",
    args: {
      base: {
        spec: {
          containers: [
            {
              name: "a",
              volumeMounts: [
                { name: "v", mountPath: "/a" },
                { name: "v", mountPath: "/b" },
              ],
            },
          ],
        },
      },
      patch: {
        spec: {
          containers: [
            {
              name: "a",
              volumeMounts: [
                { name: "w", mountPath: "/b" },
                { name: "v", mountPath: "/c" },
              ],
            },
          ],
        },
      },
    },
    want: {
      spec: {
        containers: [
          {
            name: "a",
            volumeMounts: [
              { name: "v", mountPath: "/a" },
              { name: "w", mountPath: "/b" },
              { name: "v", mountPath: "/c" },
            ],
          },
        ],
      },
    },
  },
  {
    name: "merges spread constraints by both of their keys",
    args: {
      base: {
        spec: { topologySpreadConstraints: [{ topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", maxSkew: 1 }] },
      },
      patch: {
        spec: {
          topologySpreadConstraints: [
            { topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", maxSkew: 2 },
            { topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway" },
          ],
        },
      },
    },
    want: {
      spec: {
        topologySpreadConstraints: [
          { topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", maxSkew: 2 },
          { topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway" },
        ],
      },
    },
  },
  {
    name: "replaces every other list as a whole",
    args: {
      base: { spec: { tolerations: [{ key: "a" }, { key: "b" }], containers: [{ name: "a", command: ["x", "y"] }] } },
      patch: { spec: { tolerations: [{ key: "a", value: "1" }], containers: [{ name: "a", command: ["z"] }] } },
    },
    want: { spec: { tolerations: [{ key: "a", value: "1" }], containers: [{ name: "a", command: ["z"] }] } },
  },
  {
    name: "keeps a list with keys beside an empty one, and empties one without",
    args: {
      base: { spec: { volumes: [{ name: "a" }], tolerations: [{ key: "a" }] } },
      patch: { spec: { volumes: [], tolerations: [] } },
    },
    want: { spec: { volumes: [{ name: "a" }], tolerations: [] } },
  },
  {
    name: "has no lists among labels",
    args: { base: { metadata: { labels: { env: "a" } } }, patch: { metadata: { labels: { env: "b", ports: "c" } } } },
    want: { metadata: { labels: { env: "b", ports: "c" } } },
  },
];

describe("a merged pod template", () => {
  for (const { name, args, want } of cases)
    it(name, () => {
      const { base, patch } = args;
      const before = structuredClone({ base, patch });
      assert.deepEqual(strategicMerge(base, patch), want);
      assert.deepEqual({ base, patch }, before, "the parts are as they were");
    });

  it("places outputs, and reads none", () => {
    const [image, label, affinity] = [unknownOutput(), pulumi.secret("x"), Promise.resolve({})];
    const base = {
      metadata: { labels: { a: "1" } },
      spec: { affinity: { podAffinity: {} }, containers: [{ name: "a" }] },
    };
    const merged = strategicMerge(base, {
      metadata: { labels: { a: label } },
      spec: { affinity, containers: [{ name: "a", image }] },
    });
    const placed = ["metadata.labels.a", "spec.affinity", "spec.containers[0].image"].map((path) =>
      valueAt(merged, path),
    );
    assert.ok(placed[0] === label && placed[1] === affinity && placed[2] === image);
  });

  const podTemplate = {
    metadata: { labels: { app: "x" } },
    spec: { containers: [{ name: "demo", stdin: true }], initContainers: [{ name: "side", tty: true }] },
  };
  itBuilds(
    "has the template of the arguments in the Job",
    { containers: [aBroker(), aSidecar()], podTemplate: podTemplate },
    {
      "container.demo.stdin": true,
      "container.demo.command": ["bash", "/etc/minicluster/config/broker.sh"],
      "container.side.tty": true,
      "template.labels.app": "x",
      'template.labels["job-name"]': "demo",
    },
  );
});

/** Keyed lists of the API server that are replaced as a whole all the same, with the reason. */
const replaced: Record<string, string> = {
  ownerReferences: "the Job controller writes the owners of its pods; a template has none that a patch could meet",
};

describe("the keys of lists in a pod template", function () {
  this.timeout(30_000);

  it("are those of the API server, wherever a list stands, and of no other list", async function () {
    const cluster = clusterIfAny();
    if (!cluster) return this.skip();
    const api = await cluster.kube.request("GET", "/openapi/v3/api/v1");
    const lists = keyedLists(api, "io.k8s.api.core.v1.PodTemplateSpec");
    for (const { owner, name, keys } of lists)
      if (!(name in replaced)) assert.deepEqual(mergeKeys.get(name) ?? [], keys, `${owner}.${name}`);
    const known = new Set(lists.map(({ name }) => name));
    for (const name of [...mergeKeys.keys(), ...Object.keys(replaced)]) assert.ok(known.has(name), name);
  });
});
