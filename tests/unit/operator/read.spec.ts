import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { readMiniClusterManifest, readMiniClusterManifestFile } from "../../../provider/operator/read";
import { aManifest, argsOf, problemsIn, readOne } from "../../support/manifestTexts";

const container = "containers: [{image: a}]";
const named = (name: string, more = "", version?: string) =>
  aManifest(container, version).replace("name: demo", `name: ${name}`).concat(more);
const inLab = (name: string, version?: string) => named(`${name}\n  namespace: lab`, "", version);

describe("a manifest with several documents", () => {
  it("gives a cluster for each, of both versions, in their order, without the empty ones", () => {
    const text = `---\n${named("a")}---\n---\n# nothing\n---\n${inLab("b", "v1alpha1")}---\n`;
    const names = readMiniClusterManifest(text).map(({ name, namespace }) => `${namespace}/${name}`);
    assert.deepEqual(names, ["default/a", "lab/b"]);
  });

  it("may have one name in two namespaces, and not twice in one", () => {
    assert.deepEqual(problemsIn(`${named("a")}---\n${inLab("a")}`), []);
    assert.deepEqual(problemsIn(`${named("a")}---\n${named("a\n  namespace: default")}`), [
      "manifest:11:9: metadata.name: default/a is a duplicate; rename one of them",
    ]);
  });

  it("may not have one service for two clusters, or for sidecars of two", () => {
    const nginx = (name: string) =>
      named(name).replace("{image: a}", "{image: a, runFlux: true}, {image: b, name: nginx, command: c, ports: [80]}");
    const ofA = (one: string, other: string) => problemsIn(`${one}---\n${other}`).join();
    const problem = (service: string, remedy: string) =>
      `manifest:11:9: metadata.name: its Service ${service} is also the Service of a; ${remedy}`;
    const another = "set another network.headlessName";
    const older = (name: string) => named(name, "", "v1alpha1");
    assert.equal(ofA(older("a"), older("b")), problem("flux-service", another));
    assert.equal(ofA(nginx("a"), nginx("b")), problem("nginx", "rename the container"));
    assert.equal(ofA(nginx("a"), named("nginx")), problem("nginx", another));
  });

  it("has the problems of all of them in one error", () =>
    assert.deepEqual(problemsIn(`${named("a", "size: 1\n")}---\n${named("b", "  size: 0\n")}`, { fileName: "f" }), [
      "f:7:1: size: unknown field; did you mean spec.size?",
      "f:15:9: spec.size: 0 must be an integer from 1 to 100000",
    ]));
});

describe("a list of MiniClusters", () => {
  const listOf = (kind: string, ...items: string[]) =>
    `kind: ${kind}\nitems:\n${items.map((item) => `- ${item.trim().replaceAll("\n", "\n  ")}\n`).join("")}`;

  it("gives a cluster for each item, as kubectl prints them, with its problems and warnings", () => {
    for (const kind of ["List", "MiniClusterList"]) {
      const clusters = readMiniClusterManifest(listOf(kind, named("a"), named("b")));
      assert.deepEqual(
        clusters.map(({ args }) => args),
        ["a", "b"].map((name) => readOne(named(name)).args),
      );
    }
    const text = listOf("List", named("a", "  size: x\n"), named("b", "  sise: 2\n"));
    assert.deepEqual(problemsIn(text), [
      "manifest:9:11: items[0].spec.size: must be an integer, not a string",
      "manifest:16:5: items[1].spec.sise: unknown field; did you mean size?",
    ]);
    const read = readMiniClusterManifest(text.replace("size: x", "size: 1"), { unknownFields: "warn" });
    const paths = read.map(({ warnings }) => warnings.map((warning) => warning.path));
    assert.deepEqual(paths, [[], ["items[1].spec.sise"]]);
  });

  it("without items, or with those of another kind, is refused", () => {
    assert.deepEqual(problemsIn("kind: List\nitems: []\n"), [
      "manifest:2:1: items: must be a list of MiniClusters; this list is empty",
    ]);
    assert.deepEqual(problemsIn(listOf("List", "kind: Pod")), [
      'manifest:3:9: items[0].kind: is "Pod"; must be MiniCluster: move other objects ' +
        "to another file, for ConfigFile of @pulumi/kubernetes (yaml/v2)",
    ]);
  });
});

describe("a manifest in other forms of YAML", () => {
  it("may be JSON on one line", () => {
    const jobLabels = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, "v"]));
    const head = { apiVersion: "flux-framework.org/v1alpha2", kind: "MiniCluster", metadata: { name: "demo" } };
    const text = JSON.stringify({ ...head, spec: { jobLabels, containers: [{ image: "a" }] } });
    assert.deepEqual(readOne(text).args.jobLabels, jobLabels);
  });

  it("keeps dates and times of day as strings, and names that every object inherits", () => {
    const labels = "{a: 2026-01-01, isPrototypeOf: x}";
    const { jobLabels, flux } = argsOf(`${container}\njobLabels: ${labels}\nflux: {environment: {valueOf: 12:30:45}}`);
    assert.deepEqual(Object.entries({ ...jobLabels, ...flux?.environment }), [
      ["a", "2026-01-01"],
      ["isPrototypeOf", "x"],
      ["valueOf", "12:30:45"],
    ]);
  });

  it("may repeat itself by aliases, and merge maps: its own keys go first, then the earlier map", () => {
    const { containers } = argsOf(`
      containers:
        - &a {image: a, name: one, command: &c x, runFlux: true, workingDir: /a}
        - {<<: [*a, {workingDir: /b, imagePullSecret: *c}], name: two, runFlux: false}`);
    assert.deepEqual(containers?.[1], {
      image: "a",
      name: "two",
      command: "x",
      workingDir: "/a",
      imagePullSecret: "x",
    });
  });
});

describe("a manifest file", () => {
  let directory: string;
  before(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-manifest-"))));
  after(() => fs.rmSync(directory, { recursive: true }));

  const write = (bytes: string | Buffer) => {
    const file = path.join(directory, "minicluster.yaml");
    fs.writeFileSync(file, bytes);
    return file;
  };
  const problemOf = (file: string) => {
    try {
      readMiniClusterManifestFile(file);
      return "";
    } catch (error) {
      return (error as Error).message.split("\n  ").at(-1) ?? "";
    }
  };

  it("gives the problems its name", () => {
    const file = write(aManifest(`${container}\nsize: x`));
    assert.equal(problemOf(file), `${file}:7:9: spec.size: must be an integer, not a string`);
  });

  it("may be UTF-8 or UTF-16 with a byte order mark, and have Windows line ends, but not be Latin-1", () => {
    const text = aManifest("containers: [{image: a, command: echo grün}]");
    const little = Buffer.from(`\ufeff${text}`, "utf16le");
    const forms = [Buffer.from(text), Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}`), little];
    for (const bytes of [...forms, Buffer.from(little).swap16()])
      assert.deepEqual(readMiniClusterManifestFile(write(bytes)), [readOne(text)]);
    assert.match(problemOf(write(Buffer.from(text, "latin1"))), /its bytes are not valid UTF-8; save it as UTF-8$/);
  });

  it("that is absent, a directory, a device or huge is refused, and neither read nor waited for", () => {
    const large = path.join(directory, "large.yaml");
    fs.writeFileSync(large, "");
    fs.truncateSync(large, 20 * 1024 * 1024);
    assert.match(problemOf("absent.yaml"), /^absent\.yaml:1:1: cannot be read: ENOENT/);
    assert.ok(problemOf("absent.yaml").includes(`${process.cwd()}${path.sep}absent.yaml`));
    assert.equal(problemOf(directory), `${directory}:1:1: is not a file`);
    assert.equal(problemOf("/dev/zero"), "/dev/zero:1:1: is not a file");
    assert.equal(problemOf(large), `${large}:1:1: is too large for a manifest`);
  });
});
