import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { renderCurveCertificate } from "../../../provider/minicluster/flux/curve";
import { aManifest, argsOf, readOne } from "../../support/manifestTexts";
import { valueOf } from "../../support/mocks";

const container = "containers: [{image: a}]";
/** What every manifest gives, whatever it says. */
const always = {
  name: "demo",
  backoffLimit: 100,
  network: { affinity: "preferred" },
  logging: { strict: false },
};

describe("a v1alpha2 cluster", () => {
  it("keeps to the operator's defaults where they are not those of a MiniCluster", () =>
    assert.deepEqual(argsOf(container), { ...always, containers: [{ image: "a" }] }));

  const fields: [rule: string, spec: string, want: object][] = [
    [
      "takes over every plain field",
      "size: 2\nminSize: 1\nmaxSize: 4\ntasks: 8\ninteractive: true\ndeadlineSeconds: 60\nbackoffLimit: 3\nshareProcessNamespace: true",
      {
        ...{ size: 2, minSize: 1, maxSize: 4, tasks: 8, interactive: true, deadlineSeconds: 60 },
        ...{ backoffLimit: 3, shareProcessNamespace: true },
      },
    ],
    [
      "leaves out what is 0 or empty in Go, where that says nothing",
      "minSize: 0\nmaxSize: 0\nbackoffLimit: 0\narchive: {path: ''}",
      {},
    ],
    ["keeps the 0 of tasks, which asks for nodes alone", "tasks: 0", { tasks: 0 }],
    ["leaves out what has no value", "size:\njobLabels: null\nflux: ~", {}],
    ["keeps labels as they are, empty ones too", "jobLabels: {a: b, c: ''}", { jobLabels: { a: "b", c: "" } }],
    [
      "takes a service name",
      "network: {headlessName: mesh}",
      { network: { headlessName: "mesh", affinity: "preferred" } },
    ],
    ["has no affinity where it is disabled", "network: {disableAffinity: true}", { network: { affinity: "none" } }],
    [
      "takes over what is logged",
      "logging: {quiet: true, debug: true, zeromq: true, timed: true, strict: true}",
      { logging: { quiet: true, debug: true, zeromq: true, timed: true, strict: true } },
    ],
    ["takes over the archive", "archive: {path: /state/a.tar.gz}", { archive: { path: "/state/a.tar.gz" } }],
    [
      "reads yes, on and off as kubectl does",
      "interactive: yes\nlogging: {quiet: on, strict: off}",
      {
        interactive: true,
        logging: { quiet: true, strict: false },
      },
    ],
    ["reads whole numbers in any form", "size: 0x2\nmaxSize: 4.0", { size: 2, maxSize: 4 }],
    [
      "merges maps by <<",
      "jobLabels: &l {a: b, c: d}\npod: {labels: {<<: *l, c: e}}",
      { jobLabels: { a: "b", c: "d" }, pod: { labels: { c: "e", a: "b" } } },
    ],
  ];
  for (const [rule, spec, want] of fields)
    it(rule, () =>
      assert.deepEqual(argsOf(`${container}\n${spec}`), { ...always, containers: [{ image: "a" }], ...want }),
    );

  it("takes over name and namespace, and nothing that a server wrote", () => {
    const text = `
apiVersion: flux-framework.org/v1alpha2
kind: MiniCluster
metadata:
  name: mine
  namespace: lab
  uid: 7a
  resourceVersion: "1"
  generation: 3
  creationTimestamp: 2026-01-01T00:00:00Z
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
  managedFields: [{manager: kubectl, operation: Update, fieldsV1: {"f:spec": {}}}]
  finalizers: [a/b]
spec: {${container}}
status: {size: 4, jobid: "", maximumSize: 4, conditions: [{type: JobRunning, status: "True"}]}
`;
    const { args, warnings, namespace } = readOne(text);
    assert.deepEqual([args.name, args.namespace, namespace, warnings], ["mine", "lab", "lab", []]);
  });

  it("is warned of labels and annotations of the object, which is not made here", () =>
    assert.deepEqual(
      readOne(aManifest(container).replace("spec:", "  labels: {a: b}\n  annotations: {c: d}\nspec:")).warnings.map(
        ({ path, line }) => [path, line],
      ),
      [
        ["metadata.labels", 5],
        ["metadata.annotations", 6],
      ],
    ));

  it("keeps a certificate secret", async () => {
    const text = renderCurveCertificate("demo", Buffer.alloc(32, 7));
    const { args } = readOne(aManifest(`${container}\nflux: {curveCert: ${JSON.stringify(text)}}`));
    const certificate = pulumi.output(args.flux?.curveCert);
    assert.ok(await pulumi.isSecret(certificate));
    assert.equal(await valueOf(certificate), text);
  });
});
