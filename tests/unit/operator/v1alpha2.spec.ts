import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { renderCurveCertificate } from "../../../provider/core/parse/curveCertificate";
import { parseMiniClusterArgs } from "../../support/specs";
import { operatorFlux } from "../../support/fixtures";
import { aManifest, argsOf, readOne, warningsOf } from "../../support/manifestTexts";
import { sentFor } from "../../support/manifests";
import { valueOf } from "../../support/mocks";
import { valueAt } from "../../support/propertyPaths";

const container = "containers: [{image: a}]";
/** What every manifest gives. */
const always = {
  name: "demo",
  backoffLimit: 100,
  tasks: 1,
  deadlineSeconds: 31_500_000,
  retryCommand: false,
  containers: [{ image: "a" }],
  network: { affinity: "preferred" },
  logging: { strict: false },
};

// What each field makes of a cluster by itself is in tests/golden/operator/fields.yaml.
describe("a v1alpha2 cluster", () => {
  const table: Record<string, object> = {
    "{minSize: 0, maxSize: 0, backoffLimit: 0, archive: {path: ''}, size: , jobLabels: null, flux: ~}": {},
    "interactive: yes\nlogging: {quiet: on, strict: off}": {
      interactive: true,
      logging: { quiet: true, strict: false },
    },
    "{size: 0x2, maxSize: 4.0}": { size: 2, maxSize: 4 },
    "{jobLabels: &l {a: b}, pod: {labels: {<<: *l, c: e}}}": {
      jobLabels: { a: "b" },
      pod: { labels: { c: "e", a: "b" } },
    },
    "flux: {connectTimeout: '', topology: ''}": { flux: { connectTimeout: "" } },
    "flux: {logLevel: 0}": { flux: { logLevel: 6 } },
    "flux: {bursting: {clusters: [{name: demo, size: 0}], leadBroker: {address: h, name: r, size: 2, port: 0}}}": {
      flux: operatorFlux({
        bursting: { clusters: [{ name: "demo" }], leadBroker: { address: "h", name: "r", size: 2 } },
      }),
    },
    "flux: {bursting: {leadBroker: {}, hostlist: 'a-[0-3]'}}": {
      flux: operatorFlux({ bursting: { hostlist: "a-[0-3]" } }),
    },
    "flux: {arch: aarch64}": { flux: { arch: "arm64" } },
    "flux: {arch: ARM}": { flux: { arch: "arm64" } },
    "flux: {arch: x86_64}": { flux: { arch: "amd64" } },
  };
  it("requests only nodes with 0 tasks", () => assert.equal(argsOf(`${container}\ntasks: 0`).tasks, undefined));

  for (const [given, want] of Object.entries(table))
    it(`takes over ${given}`, () => {
      const spec = given.startsWith("{") ? given.replace("{", `{${container}, `) : `${container}\n${given}`;
      assert.deepEqual(argsOf(spec), { ...always, ...want });
    });

  it("has one command of many lines, as the operator's, and lines that it continues", () => {
    const args = argsOf("containers:\n  - image: a\n    command: |\n      run \\\n        --a\n      --b c\n");
    assert.equal(args.containers?.[0]?.command, "run   --a --b c");
  });

  it("takes over name and namespace, and nothing that a server wrote", () => {
    const written = `  namespace: lab
  uid: 7a
  resourceVersion: "1"
  generation: 3
  creationTimestamp: 2026-01-01T00:00:00Z
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
  managedFields: [{manager: kubectl, operation: Update, fieldsV1: {"f:spec": {}}}]
  finalizers: [a/b]
status: {size: 4, jobid: "", maximumSize: 4, conditions: [{type: JobRunning, status: "True"}]}
spec:`;
    const { args, warnings, namespace } = readOne(aManifest(container).replace("spec:", written));
    assert.deepEqual([args.name, args.namespace, namespace, warnings], ["demo", "lab", "lab", []]);
  });

  it("keeps a certificate secret", async () => {
    const text = renderCurveCertificate("demo", Buffer.alloc(32, 7));
    const certificate = pulumi.output(
      argsOf(`${container}\nflux: {curveCert: ${JSON.stringify(text)}}`).flux?.curveCert,
    );
    assert.ok(await pulumi.isSecret(certificate));
    assert.equal(await valueOf(certificate), text);
  });
});

describe("the containers of a v1alpha2 cluster", () => {
  const single: Record<string, object> = {
    "{name: other, runFlux: false}": {},
    "{pullAlways: false, imagePullPolicy: Never}": { imagePullPolicy: "Never" },
    "{pullAlways: true, imagePullPolicy: Never}": { imagePullPolicy: "Always" },
    "{commands: {script: 'echo \\$HOME \\\\ \\x \\\" `date`'}}": {
      commands: { script: 'echo $HOME \\ \\x \\" `date`' },
    },
    "{batch: true, command: 'for i in \\$(seq 3); do echo \\\"a\\\"; done'}": {
      batch: true,
      command: 'for i in $(seq 3); do echo "a"; done',
    },
    "{volumes: {data: {emptyDir: true, emptyDirMedium: memory}}}": {
      volumes: { data: { emptyDir: true, emptyDirMedium: "Memory" } },
    },
    "{volumes: {data: {path: /d}}}": { volumes: { data: { emptyDir: true, path: "/d" } } },
    "{volumes: {data: {path: /d, hostPath: /h, claimName: c}}}": { volumes: { data: { path: "/d", hostPath: "/h" } } },
  };
  for (const [given, want] of Object.entries(single))
    it(`are taken over: ${given}`, () =>
      assert.deepEqual(argsOf(`containers: [{image: a, ${given.slice(1)}]`).containers, [{ image: "a", ...want }]));

  it("are a broker and sidecars, by runFlux, and services, which run their image", () => {
    const { containers, services } = argsOf(`
      containers:
        - {image: a, name: one, runFlux: true}
        - {image: b, name: two, runFlux: false, command: sleep, commands: {servicePre: p, init: i, post: q}}
        - {image: c, name: z, commands: {post: q}}
        - {image: d, name: w, noWrapEntrypoint: true}
        - {image: e, name: v, commands: {script: s}}
      services: [{image: nginx, name: web, ports: [80], environment: {A: b}}]`);
    assert.deepEqual(containers, [
      { image: "a", runFlux: true },
      { image: "b", name: "two", command: "sleep", commands: { init: "i", post: "q", servicePre: "p" } },
      { image: "c", name: "z", command: ":", commands: { post: "q" } },
      { image: "d", name: "w", noWrapEntrypoint: true },
      { image: "e", name: "v", commands: { script: "s" } },
    ]);
    assert.deepEqual(services, [{ image: "nginx", name: "web", ports: [80], environment: { A: "b" } }]);
  });

  it("name the Service that the operator makes for the ports of a sidecar, and of no other", () => {
    const services = (spec: string) => argsOf(spec).containers?.map(({ serviceName }) => serviceName);
    const beside = (sidecar: string) => `containers: [{image: a, runFlux: true, ports: [22]}, {image: b, ${sidecar}}]`;
    assert.deepEqual(services(beside("name: nginx, ports: [80, 443]")), [undefined, "nginx"]);
    assert.deepEqual(services("containers: [{image: a, name: web, ports: [80]}]"), [undefined]);
    assert.deepEqual(services(beside("name: web, command: c")), [undefined, undefined]);
    // The operator makes none of these.
    assert.deepEqual(services(beside("name: 1nginx, ports: [80]")), [undefined, undefined]);
    const taken = `network: {headlessName: nginx}\n${beside("name: nginx, ports: [80]")}`;
    assert.deepEqual(services(taken), [undefined, undefined]);
  });

  it("pull the images of services by their Secrets, unless a service has one, and share no security", async () => {
    const containers = "[{image: a, imagePullSecret: r, runFlux: true}, {image: b, name: b, imagePullSecret: q}]";
    const services = "[{image: s, name: s}, {image: t, name: t, imagePullSecret: own}, {image: u, name: u}]";
    const of = (given: string) => `pod: {securityContext: {fsGroup: 5}}\nservices: ${given}\ncontainers: ${containers}`;
    const { servicesPod } = await sentFor(parseMiniClusterArgs("demo", argsOf(of(services))));
    assert.deepEqual(valueAt(servicesPod, "spec.imagePullSecrets"), [{ name: "r" }, { name: "own" }, { name: "q" }]);
    assert.deepEqual(valueAt(servicesPod, "spec.securityContext"), { seccompProfile: { type: "RuntimeDefault" } });
    assert.match(
      warningsOf(of("[{image: t, name: t, imagePullSecret: own}]")).join("\n"),
      /spec\.services: the operator pulls the images with r, q; here they are pulled only with/,
    );
  });
});
