import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { readMiniClusterManifest, readMiniClusterManifestFile } from "../../../provider/operator/read";
import { aManifest, argsOf, problemsIn, readOne } from "../../support/manifestTexts";

const container = "containers: [{image: a}]";
const named = (name: string, namespace?: string, version?: string) =>
  aManifest(container, version).replace("name: demo", `name: ${name}${namespace ? `\n  namespace: ${namespace}` : ""}`);

describe("a manifest with several documents", () => {
  it("gives a cluster for each, of both versions, in their order, without the empty ones", () => {
    const text = `---\n${named("a")}---\n---\n# nothing\n---\n${named("b", "lab", "v1alpha1")}---\n`;
    const names = readMiniClusterManifest(text).map(({ name, namespace }) => `${namespace}/${name}`);
    assert.deepEqual(names, ["default/a", "lab/b"]);
  });

  it("may have one name in two namespaces, and not twice in one", () => {
    assert.deepEqual(problemsIn(`${named("a")}---\n${named("a", "lab")}`), []);
    assert.deepEqual(problemsIn(`${named("a")}---\n${named("a", "default")}`), [
      "manifest:11:9: metadata.name: default/a comes twice; rename one of them",
    ]);
  });

  it("may not have one service for two clusters, or for sidecars of two", () => {
    const nginx = (name: string) =>
      named(name).replace("{image: a}", "{image: a, runFlux: true}, {image: b, name: nginx, command: c, ports: [80]}");
    const ofA = (one: string, other: string) => problemsIn(`${one}---\n${other}`).join();
    const problem = (service: string, remedy: string) =>
      `manifest:11:9: metadata.name: its service ${service} is also that of a; ${remedy}`;
    const another = "set another network.headlessName";
    const older = (name: string) => named(name, undefined, "v1alpha1");
    assert.equal(ofA(older("a"), older("b")), problem("flux-service", another));
    assert.equal(ofA(nginx("a"), nginx("b")), problem("nginx", "rename the container"));
    assert.equal(ofA(nginx("a"), named("nginx")), problem("nginx", another));
  });

  it("has the problems of all of them told at once", () =>
    assert.deepEqual(problemsIn(`${named("a")}size: 1\n---\n${named("b")}  size: 0\n`, { fileName: "f" }), [
      "f:7:1: size: unknown field; did you mean spec.size?",
      "f:15:9: spec.size: 0 must be an integer from 1 to 100000",
    ]));
});

describe("a manifest in other forms of YAML", () => {
  it("may be JSON on one line", () => {
    const jobLabels = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, "v"]));
    const head = { apiVersion: "flux-framework.org/v1alpha2", kind: "MiniCluster", metadata: { name: "demo" } };
    const text = JSON.stringify({ ...head, spec: { jobLabels, containers: [{ image: "a" }] } });
    assert.deepEqual(readOne(text).args.jobLabels, jobLabels);
  });

  it("may have Windows line ends and a byte order mark", () => {
    const text = aManifest(`${container}\nsize: 2`);
    assert.deepEqual(readOne(`\ufeff${text}`.replaceAll("\n", "\r\n")).args, readOne(text).args);
  });

  it("keeps dates and times of day as the strings that they are", () => {
    const { jobLabels, flux } = argsOf(`${container}\njobLabels: {a: 2026-01-01}\nflux: {environment: {T: 12:30:45}}`);
    assert.deepEqual([jobLabels, flux?.environment], [{ a: "2026-01-01" }, { T: "12:30:45" }]);
  });

  it("may repeat itself by aliases, and merge maps: its own keys go first, then the earlier map", () => {
    const { containers } = argsOf(`
      containers:
        - &a {image: a, name: one, command: &c x, runFlux: true, workingDir: /a}
        - {<<: [*a, {workingDir: /b, imagePullSecret: *c}], name: two, runFlux: false}`);
    assert.deepEqual(containers[1], { image: "a", name: "two", command: "x", workingDir: "/a", imagePullSecret: "x" });
  });
});

describe("a manifest file", () => {
  let directory: string;
  before(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-manifest-"))));
  after(() => fs.rmSync(directory, { recursive: true }));

  const problemOf = (file: string) => {
    try {
      readMiniClusterManifestFile(file);
      return "";
    } catch (error) {
      return (error as Error).message.split("\n  ").at(-1) ?? "";
    }
  };

  it("is read as its text is, and gives the problems its name", () => {
    const file = path.join(directory, "minicluster.yaml");
    fs.writeFileSync(file, aManifest(container));
    assert.deepEqual(readMiniClusterManifestFile(file), readMiniClusterManifest(aManifest(container)));
    fs.writeFileSync(file, aManifest(`${container}\nsize: x`));
    assert.equal(problemOf(file), `${file}:7:9: spec.size: must be an integer, not a string`);
  });

  it("that is absent, a directory, a device or huge is refused, and neither read nor waited for", () => {
    const large = path.join(directory, "large.yaml");
    fs.writeFileSync(large, "");
    fs.truncateSync(large, 20 * 1024 * 1024);
    const absent = `${process.cwd()}${path.sep}absent.yaml`;
    assert.match(problemOf("absent.yaml"), /^absent\.yaml:1:1: cannot be read: ENOENT/);
    assert.ok(problemOf("absent.yaml").includes(absent), "the directory is told, too");
    assert.equal(problemOf(directory), `${directory}:1:1: is not a file`);
    assert.equal(problemOf("/dev/zero"), "/dev/zero:1:1: is not a file");
    assert.equal(problemOf(large), `${large}:1:1: is too large for a manifest`);
  });
});
