import * as assert from "node:assert/strict";
import { readMiniClusterManifest } from "../../../provider/operator/read";
import { parseMiniClusterArgs } from "../../../provider/minicluster/parse";
import { aManifest, aManifestOf, problemsIn, readOne } from "../../support/manifestTexts";

const container = "containers: [{image: a}]";
const named = (name: string, namespace?: string) =>
  aManifest(container).replace("name: demo", `name: ${name}${namespace ? `\n  namespace: ${namespace}` : ""}`);

describe("a manifest with several documents", () => {
  it("gives a cluster for each, in their order, without the empty ones", () => {
    const text = `---\n${named("a")}---\n---\n# nothing\n---\n${named("b", "lab")}---\n`;
    assert.deepEqual(
      readMiniClusterManifest(text).map(({ name, namespace }) => `${namespace}/${name}`),
      ["default/a", "lab/b"],
    );
  });

  it("may hold both versions", () =>
    assert.equal(readMiniClusterManifest(`${named("a")}---\n${named("b").replace("v1alpha2", "v1alpha1")}`).length, 2));

  it("may have one name in two namespaces, and not twice in one", () => {
    assert.deepEqual(problemsIn(`${named("a")}---\n${named("a", "lab")}`), []);
    assert.deepEqual(problemsIn(`${named("a")}---\n${named("a", "default")}`), [
      "manifest:11:9: metadata.name: default/a comes twice; rename one of them",
    ]);
  });

  it("may not have one service for two clusters", () => {
    const v1alpha1 = (name: string) => named(name).replace("v1alpha2", "v1alpha1");
    assert.deepEqual(problemsIn(`${v1alpha1("a")}---\n${v1alpha1("b")}`), [
      "manifest:11:9: metadata.name: its service flux-service is that of a, too; set another network.headlessName",
    ]);
  });

  it("may not have one service for sidecars of two clusters", () => {
    const pair = (name: string) =>
      named(name).replace("{image: a}", "{image: a, runFlux: true}, {image: b, name: nginx, command: c, ports: [80]}");
    assert.deepEqual(problemsIn(`${pair("a")}---\n${pair("b")}`), [
      "manifest:11:9: metadata.name: its service nginx is that of a, too; rename the container",
    ]);
    assert.deepEqual(problemsIn(`${pair("a")}---\n${named("nginx")}`), [
      "manifest:11:9: metadata.name: its service nginx is that of a, too; set another network.headlessName",
    ]);
  });

  it("tells what is wrong with the service of a sidecar at its name", () =>
    assert.deepEqual(
      problemsIn(
        aManifest(`
          services: [{image: s, name: store}]
          containers:
            - {image: a, runFlux: true}
            - {image: b, name: demo-services, command: c, ports: [80, 80]}`),
      ),
      [
        'manifest:9:24: spec.containers[1].name: "demo-services" is the name of the service of services, too; choose another name',
        "manifest:9:63: spec.containers[1].ports[1]: 80 stands here twice; remove one of them",
      ],
    ));

  it("has the problems of all of them told at once", () =>
    assert.deepEqual(problemsIn(`${named("a")}size: 1\n---\n${named("b")}  size: 0\n`, { fileName: "f" }), [
      "f:7:1: size: unknown field; did you mean spec.size?",
      "f:15:9: spec.size: 0 must be an integer from 1 to 100000",
    ]));
});

describe("a manifest in other forms of YAML", () => {
  it("may be JSON on one line", () => {
    const labels = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, "v"]));
    const object = {
      ...{ apiVersion: "flux-framework.org/v1alpha2", kind: "MiniCluster", metadata: { name: "demo" } },
      spec: { size: 2, jobLabels: labels, containers: [{ image: "a" }] },
    };
    assert.deepEqual(readOne(JSON.stringify(object)).args.jobLabels, labels);
  });

  it("may have Windows line ends and a byte order mark", () =>
    assert.deepEqual(
      readOne(`\ufeff${aManifest(`${container}\nsize: 2`)}`.replaceAll("\n", "\r\n")).args,
      readOne(aManifest(`${container}\nsize: 2`)).args,
    ));

  it("keeps dates and times of day as the strings that they are", () =>
    assert.deepEqual(
      readOne(aManifest(`${container}\njobLabels: {a: 2026-01-01}\nflux: {environment: {T: 12:30:45}}`)).args.flux,
      {
        environment: { T: "12:30:45" },
      },
    ));

  it("may repeat itself by aliases", () => {
    const { args } = readOne(
      aManifest(`
        containers:
          - &a {image: a, name: one, command: x, runFlux: true}
          - {<<: *a, name: two, runFlux: false}`),
    );
    assert.deepEqual(args.containers[1], { image: "a", name: "two", command: "x" });
  });

  it("is told which name to quote", () =>
    assert.deepEqual(problemsIn(aManifest(`${container}\njobLabels: {on: b, 7: c}`)), [
      "manifest:7:15: spec.jobLabels.on: must have a string for its name, not true or false; put it in quotes",
      'manifest:7:22: spec.jobLabels["7"]: must have a string for its name, not a number; put it in quotes',
    ]));

  it("is refused where a name would give an object another prototype", () =>
    assert.deepEqual(
      problemsIn(aManifest(`${container}\npod: {annotations: {__proto__: c}}\n__proto__: {size: 2}\nconstructor: x`)),
      [
        "manifest:7:23: spec.pod.annotations.__proto__: is a name that nothing can have; remove it",
        "manifest:8:3: spec.__proto__: is a name that nothing can have; remove it",
        "manifest:9:3: spec.constructor: unknown field; correct its name or remove it",
      ],
    ));
});

describe("an unknown field", () => {
  const cases: [spec: string, want: string][] = [
    ["sise: 2", "spec.sise: unknown field; did you mean size?"],
    ["maxsize: 2", "spec.maxsize: unknown field; did you mean maxSize?"],
    ["flux: {leadBroker: {}}", "spec.flux.leadBroker: unknown field; did you mean spec.flux.bursting.leadBroker?"],
    ["nodeSelector: {}", "spec.nodeSelector: unknown field; did you mean spec.pod.nodeSelector?"],
    ["command: x", "spec.command: unknown field; did you mean spec.containers[].command?"],
    [
      "volumes: {}",
      "spec.volumes: unknown field: only v1alpha1 has it; name a claim that exists in containers[].volumes: {path, claimName}",
    ],
    ["replicas: 2", "spec.replicas: unknown field; correct its name or remove it"],
    [
      "pod: {securityContext: {appArmorProfile: {}}}",
      "spec.pod.securityContext.appArmorProfile: unknown field; correct its name or remove it",
    ],
  ];
  for (const [spec, want] of cases)
    it(`of ${JSON.stringify(spec)} has a word on what to write`, () =>
      assert.deepEqual(
        problemsIn(aManifest(`${container}\n${spec}`)).map((problem) => problem.replace(/^manifest:\d+:\d+: /, "")),
        [want],
      ));

  it("in a container has the name with the same words", () =>
    assert.match(
      problemsIn(aManifest("containers: [{image: a, commands: {preWorker: x}}]"))[0] ?? "",
      /did you mean workerPre\?$/,
    ));
});

describe("a manifest of 1,000 lines", () => {
  it("is read and built to its last line", () => {
    const text = aManifestOf(1000);
    assert.equal(text.trimEnd().split("\n").length, 1000);
    const { name, args } = readOne(text);
    const { main } = parseMiniClusterArgs(name, args);
    const last = text.trimEnd().split("\n").at(-1)?.trim().split(": ");
    assert.deepEqual(Object.entries(main.environment).at(-1), last);
  });
});
