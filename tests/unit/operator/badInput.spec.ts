import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { readMiniClusterManifest, readMiniClusterManifestFile } from "../../../provider/operator/read";
import { aManifest, problemsIn } from "../../support/manifestTexts";

const container = "containers: [{image: a, command: b}]";
const head = aManifest("size: 1").replace(/spec:[^]*$/, "");
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("");

interface Case {
  name: string;
  text: string;
  want: string[];
}

describe("a manifest that is no good", function () {
  // Each of these took minutes, or all memory, of a reader that is not prepared for it.
  this.timeout(30_000);

  const cases: Case[] = [
    {
      name: "malformed YAML",
      text: `${head}spec:\n  size: [1, 2\n  tasks: 1\n`,
      want: ["manifest:7:3: Flow sequence in block collection must be sufficiently indented and end with a ]"],
    },
    {
      name: "tabs for indentation",
      text: `${head}spec:\n\tsize: 1\n`,
      want: ["manifest:6:1: Tabs are not allowed as indentation"],
    },
    { name: "an unclosed quote", text: `${head}spec: "x\n`, want: ['manifest:6:1: Missing closing "quote'] },
    { name: "nothing", text: "", want: ["manifest:1:1: holds no document; a MiniCluster was expected"] },
    {
      name: "comments alone",
      text: "# nothing\n---\n# here\n",
      want: ["manifest:1:1: holds no document; a MiniCluster was expected"],
    },
    { name: "a list", text: "- 1\n", want: ["manifest:1:1: is no map of fields; a MiniCluster was expected"] },
    { name: "plain text", text: "hello\n", want: ["manifest:1:1: is no map of fields; a MiniCluster was expected"] },
    {
      name: "a manifest of another kind",
      text: "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n",
      want: ['manifest:2:7: kind: is "Job"; only a MiniCluster can be read here'],
    },
    {
      name: "a manifest without a kind",
      text: "apiVersion: flux-framework.org/v1alpha2\nmetadata: {name: a}\n",
      want: ["manifest:1:1: kind: is missing; only a MiniCluster can be read here"],
    },
    {
      name: "a version that is not known",
      text: aManifest(container, "v1beta1"),
      want: [
        'manifest:1:13: apiVersion: is "flux-framework.org/v1beta1"; must be flux-framework.org/v1alpha1 or flux-framework.org/v1alpha2',
      ],
    },
    {
      name: "another group's MiniCluster",
      text: "apiVersion: v1alpha2\nkind: MiniCluster\n",
      want: [
        'manifest:1:13: apiVersion: is "v1alpha2"; must be flux-framework.org/v1alpha1 or flux-framework.org/v1alpha2',
      ],
    },
    {
      name: "one document of another kind among several",
      text: `${aManifest(container)}---\napiVersion: v1\nkind: Service\n`,
      want: ['manifest:9:7: kind: is "Service"; only a MiniCluster can be read here'],
    },
    {
      name: "no name",
      text: `apiVersion: flux-framework.org/v1alpha2\nkind: MiniCluster\nspec: {${container}}\n`,
      want: ["manifest:1:1: metadata.name: is missing; give the cluster a name"],
    },
    {
      name: "no containers",
      text: aManifest("size: 2"),
      want: ["manifest:5:1: spec.containers: is missing; must be a list"],
    },
    {
      name: "keys that come twice, at any depth",
      text: aManifest(`size: 1\n${container}\nsize: 2\npod:\n  labels:\n    a: b\n    a: c\n`),
      want: [
        "manifest:8:3: spec.size: stands here twice; keep one of them",
        "manifest:12:7: spec.pod.labels.a: stands here twice; keep one of them",
      ],
    },
    {
      name: "aliases that explode",
      text: `a: &a [x,x,x,x,x,x,x,x,x,x]\n${many(8, (i) => `${"bcdefghi"[i]}: &${"bcdefghi"[i]} [${Array(10).fill(`*${"abcdefgh"[i]}`).join()}]\n`)}`,
      want: ["manifest:4:29: d[7]: aliases stand for more than 10000 values; write them out"],
    },
    {
      name: "aliases that explode in fields that are read",
      text: aManifest(`
        containers: [{image: a, ports: &p [${many(100, () => "1,")}]}, ${many(101, () => "{image: b, ports: *p},")}]`),
      want: ["manifest:6:2438: spec.containers[100].ports: aliases stand for more than 10000 values; write them out"],
    },
    {
      name: "an alias of what it lies in",
      text: aManifest(`containers: &a [{image: a, runFlux: true}, *a]`),
      want: [
        "manifest:6:46: spec.containers[1]: the anchor &a holds an alias of itself",
        "manifest:6:46: spec.containers[1]: must be a map of fields, not something else",
      ],
    },
    {
      name: "an alias of nothing",
      text: aManifest(`jobLabels: *a\n${container}`),
      want: ["manifest:6:14: spec.jobLabels: there is no anchor &a before this alias"],
    },
    {
      name: "brackets without end",
      text: `${head}spec: ${"[".repeat(1e6)}`,
      want: ["manifest:1:1: is nested more than 100 levels deep"],
    },
    {
      name: "levels without end",
      text: `${head}spec:\n${many(1500, (i) => `${" ".repeat(i + 1)}a:\n`)}`,
      want: ["manifest:1:1: is nested more than 100 levels deep"],
    },
    {
      name: "dashes without end",
      text: `${head}spec: \n  ${"- ".repeat(5e5)}`,
      want: ["manifest:1:1: is nested more than 100 levels deep"],
    },
    {
      name: "a text of 5 MB",
      text: "x".repeat(5e6),
      want: ["manifest:1:1: is larger than 1.5 MiB; Kubernetes takes no such object"],
    },
    {
      name: "a text of 2 MB in a million lines",
      text: "a\n".repeat(1e6),
      want: ["manifest:1:1: is larger than 1.5 MiB; Kubernetes takes no such object"],
    },
    {
      name: "a name without end",
      text: aManifest(`jobLabels: {${"x".repeat(1e6)}: y}\n${container}`),
      want: ["manifest:6:15: spec.jobLabels: has a name of more than 512 characters"],
    },
    {
      name: "a field of the wrong type deep inside",
      text: aManifest(`
        containers:
          - image: a
            volumes:
              data:
                path: /data
                claimName: [data]
            secrets:
              TOKEN: {name: 7, key: k}`),
      want: [
        "manifest:11:22: spec.containers[0].volumes.data.claimName: must be a string, not a list",
        "manifest:13:23: spec.containers[0].secrets.TOKEN.name: must be a string, not a number; put it in quotes",
      ],
    },
    {
      name: "a list where there should be fields",
      text: aManifest(`${container}\nflux:\n  - container: x`),
      want: ["manifest:8:5: spec.flux: must be a map of fields, not a list"],
    },
  ];
  for (const { name, text, want } of cases)
    it(`is refused with its place: ${name}`, () => assert.deepEqual(problemsIn(text).slice(0, 2), want));

  const large: Record<string, string> = {
    "30,000 unknown fields": `${head}spec:\n${many(30_000, (i) => `  k${i}: x\n`)}`,
    "20,000 containers": aManifest(`containers: [${many(20_000, () => "{image: a},")}]`),
    "3,000 documents": many(3_000, () => `${head}---\n`),
    "30,000 anchors": aManifest(`x: [${many(30_000, (i) => `&a${i} b,`)}]`),
    "100,000 aliases": aManifest(`x: [&a b,${"*a,".repeat(100_000)}]`),
    "a million quotes": aManifest(`containers: [{image: a, commands: {prefix: "${"a'".repeat(5e5)}"}}]`),
    "a long way to a wrong value": aManifest(`containers: [{image: a, command: ${"demo-0.a.b.".repeat(1e5)}}]`),
  };
  for (const [name, text] of Object.entries(large)) it(`comes to an end: ${name}`, () => void problemsIn(text));

  it("has at most 50 of its problems told", () => {
    const problems = problemsIn(aManifest(`${container}\n${many(70, (i) => `k${i}: x\n`)}`));
    assert.equal(problems.length, 51);
    assert.equal(problems[50], "and 20 more");
  });

  it("has all of its problems told at once, in the order of their lines", () =>
    assert.deepEqual(
      problemsIn(
        aManifest(`
        size: 9
        maxSize: 3
        taks: 1
        containers:
          - image: a
            ports: [0, "80"]
            environment:
              DEBUG: yes
              EMPTY:
        pod:
          restartPolicy: Always`),
        { fileName: "minicluster.yaml" },
      ),
      [
        "minicluster.yaml:6:9: spec.size: size 9 is above maxSize 3; raise maxSize or lower size",
        "minicluster.yaml:8:3: spec.taks: unknown field; did you mean tasks?",
        "minicluster.yaml:11:15: spec.containers[0].ports[0]: 0 must be an integer from 1 to 65535",
        "minicluster.yaml:11:18: spec.containers[0].ports[1]: must be an integer, not a string",
        "minicluster.yaml:13:16: spec.containers[0].environment.DEBUG: must be a string, not true or false; put it in quotes",
        'minicluster.yaml:14:15: spec.containers[0].environment.EMPTY: has no value; give it one, or "" for an empty one',
        'minicluster.yaml:16:20: spec.pod.restartPolicy: must be one of "OnFailure", "Never"',
      ],
    ));

  it("never has a secret in its problems", () => {
    const key = "5khD%TixeW<j<6ssPNG>s<nY1E5}@fyk";
    const texts = [
      aManifest(`${container}\nflux:\n  curveCert: |\n    curve\n      secret-key = "${key}"\n`),
      aManifest(`${container}\nflux:\n  curveCert: |\n    curve\n   secret-key = "${key}"\n`),
      aManifest(`${container}\nflux:\n  curveCert: [ '${key}' ]\n`),
      aManifest(`${container}\nflux:\n  curveCert: "curve ${key}\n`),
    ];
    for (const text of texts) {
      const problems = problemsIn(text);
      assert.notDeepEqual(problems, [], text);
      assert.ok(!problems.join().includes("5khD"), problems.join("\n"));
    }
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
      return (error as Error).message.split("\n  ").at(-1);
    }
  };

  it("is read as its text is, and gives the problems its name", () => {
    const file = path.join(directory, "minicluster.yaml");
    fs.writeFileSync(file, aManifest(container));
    assert.deepEqual(readMiniClusterManifestFile(file), readMiniClusterManifest(aManifest(container)));
    fs.writeFileSync(file, aManifest(`${container}\nsize: x`));
    assert.equal(problemOf(file), `${file}:7:9: spec.size: must be an integer, not a string`);
  });

  it("that is not there is told by its name", () =>
    assert.match(problemOf(path.join(directory, "absent.yaml")) ?? "", /absent\.yaml:1:1: cannot be read: ENOENT/));

  it("that is a directory or a device is refused, and not waited for", () => {
    assert.equal(problemOf(directory), `${directory}:1:1: is not a file`);
    assert.equal(problemOf("/dev/zero"), "/dev/zero:1:1: is not a file");
  });

  it("of 20 MB is not even read", () => {
    const file = path.join(directory, "large.yaml");
    fs.writeFileSync(file, "");
    fs.truncateSync(file, 20 * 1024 * 1024);
    assert.equal(problemOf(file), `${file}:1:1: is too large for a manifest`);
  });
});
