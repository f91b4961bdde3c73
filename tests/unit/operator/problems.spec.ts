import * as assert from "node:assert/strict";
import { aManifest, problemsIn } from "../../support/manifestTexts";
import { expecting } from "../../support/problems";

const container = "containers: [{image: a, command: b}]";
const head = aManifest("size: 1").replace(/spec:[^]*$/, "");
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("");

const problemsAt = (text: string) => problemsIn(text).map((problem) => problem.replace("manifest:", ""));
const texts = expecting(problemsAt);
const specs = expecting((spec: string) => problemsAt(aManifest(spec)));

describe("a command that bash cannot read", () => {
  it("is refused with its line, in the manifest and in the command", () => {
    const manifest = aManifest("containers:\n  - image: a\n    command: echo 'oops");
    const want = "bash cannot read it, line 1: a quote (') is not closed; correct it";
    assert.deepEqual(problemsIn(manifest), [`manifest:8:16: spec.containers[0].command: ${want}`]);
    const batch =
      "containers:\n  - image: a\n    batch: true\n    command: |\n      echo a\n      # it's\n      echo $(date";
    assert.match(problemsIn(aManifest(batch)).join(), /line 3: a parenthesis is not closed/);
    const script = "containers:\n  - image: a\n    commands: {script: 'echo a &&'}";
    assert.match(problemsIn(aManifest(script)).join(), /commands\.script: bash cannot .* nothing follows &&/);
  });
});

describe("a manifest is refused with the place of each problem", function () {
  // Each of these took minutes, or all memory, of a reader that is not prepared for it.
  this.timeout(60_000);

  // Lines under `spec` of a cluster, which begin with the sixth line of the manifest.
  specs.one({
    "5:1: spec.containers: is required; must be a list": "size: 2",
    "6:3: spec.containers: is required; must be a list": "containers:",
    "7:14: spec.jobLabels: alias without an anchor before it; put a value that begins with * in quotes": `
    containers: [{image: a}]
    jobLabels: *a`,
    "8:5: spec.flux: must be a map of fields, not a list": `
    containers: [{image: a}]
    flux:
      - container: x`,
    '7:16: spec.flux.arch: must be one of "amd64", "arm64"': `
    containers: [{image: a}]
    flux: {arch: sparc}`,
  });
  specs.all("containers: &a [{image: a, runFlux: true}, *a]", [
    "6:46: spec.containers[1]: the value of an anchor has an alias of the same anchor",
    "6:46: spec.containers[1]: must be a map of fields, not something else",
  ]);
  specs.all(
    "containers: [{runFlux: true, image: a, resources: {limits: &r {cpu: [4]}}}, {image: b, name: b, " +
      "command: c, resources: {limits: *r}}]",
    [
      "6:71: spec.containers[0].resources.limits.cpu: must be a quantity, as a string or an integer, not a list",
      "6:71: spec.containers[1].resources.limits.cpu: must be a quantity, as a string or an integer, not a list",
    ],
  );
  specs.all(
    `
    containers: [{image: a}]
    jobLabels: &l {a: "b c"}
    pod: {labels: {<<: *l}}`,
    [
      '7:21: spec.jobLabels.a: "b c" must be a label value: at most 63 letters, digits, -, _ and ., with a ' +
        "letter or digit at both ends",
      '7:21: spec.pod.labels.a: "b c" must be a label value: at most 63 letters, digits, -, _ and ., with a ' +
        "letter or digit at both ends",
    ],
  );
  specs.all(
    `
    containers:
      - image: a
        volumes:
          data:
            path: /data
            claimName: [data]
        secrets:
          TOKEN: {name: 7, key: k}`,
    [
      "11:22: spec.containers[0].volumes.data.claimName: must be a string, not a list",
      "13:23: spec.containers[0].secrets.TOKEN.name: must be a string, not a number; put it in quotes",
    ],
  );
  specs.all(
    `
    containers: [{image: a}]
    jobLabels: [a]
    interactive: "yes"
    pod: {tolerations: {}, nodeAffinity: {a: [~]}}`,
    [
      "7:14: spec.jobLabels: must be a map of names to values, not a list",
      "8:16: spec.interactive: must be true or false, not a string",
      "9:22: spec.pod.tolerations: must be a list, not a map",
      '9:45: spec.pod.nodeAffinity.a[0]: has no value; give it one, or "" for an empty one',
    ],
  );
  specs.all(
    `
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
      restartPolicy: Always`,
    [
      "6:9: spec.size: size 9 is above maxSize 3; raise maxSize or lower size",
      "8:3: spec.taks: unknown field; did you mean tasks?",
      "11:15: spec.containers[0].ports[0]: 0 must be an integer from 1 to 65535",
      "11:18: spec.containers[0].ports[1]: must be an integer, not a string",
      "13:16: spec.containers[0].environment.DEBUG: must be a string, not true or false; put it in quotes",
      '14:15: spec.containers[0].environment.EMPTY: has no value; give it one, or "" for an empty one',
      '16:20: spec.pod.restartPolicy: must be one of "OnFailure", "Never"',
    ],
  );
  specs.all(
    `
    services: [{image: s, name: store}]
    containers:
      - {image: a, runFlux: true}
      - {image: b, name: demo-services, command: c, ports: [80, 80]}`,
    [
      '9:24: spec.containers[1].name: "demo-services" conflicts with the Service created for services; choose ' +
        "another name",
      "9:63: spec.containers[1].ports[1]: 80 is listed twice; remove one of them",
    ],
  );
  specs.all(
    `
    containers: [{image: a}]
    jobLabels: {on: b, 7: c}`,
    [
      "7:15: spec.jobLabels.on: must have a string for its name, not true or false; put it in quotes",
      '7:22: spec.jobLabels["7"]: must have a string for its name, not a number; put it in quotes',
    ],
  );
  specs.all(
    `
    containers: [{image: a}]
    pod: {annotations: {__proto__: c}}
    __proto__: {size: 2}
    constructor: x`,
    [
      "7:23: spec.pod.annotations.__proto__: is a name that nothing can have; remove it",
      "8:3: spec.__proto__: is a name that nothing can have; remove it",
      "9:3: spec.constructor: unknown field; correct its name or remove it",
    ],
  );
  specs.all(
    `
    containers: [{image: a, commands: {preWorker: x}}]
    sise:
    maxsize: 2
    flux: {leadBroker: {}}
    nodeSelector: {}
    command: x
    replicas: 2
    volumes: {}`,
    [
      "6:38: spec.containers[0].commands.preWorker: unknown field; did you mean workerPre?",
      "7:3: spec.sise: unknown field; did you mean size?",
      "8:3: spec.maxsize: unknown field; did you mean maxSize?",
      "9:10: spec.flux.leadBroker: unknown field; did you mean spec.flux.bursting.leadBroker?",
      "10:3: spec.nodeSelector: unknown field; did you mean spec.pod.nodeSelector?",
      "11:3: spec.command: unknown field; did you mean spec.containers[].command?",
      "12:3: spec.replicas: unknown field; correct its name or remove it",
      "13:3: spec.volumes: unknown field: only v1alpha1 has it; name a claim that exists in " +
        "containers[].volumes: {path, claimName}",
    ],
  );

  const letters = "abcdefghi";
  const tenOf = (item: string) => Array(10).fill(item).join();
  const merged = (i: number) => (i === 0 ? "*a" : `*a${i - 1}`);
  const tooDeep = "1:1: is nested more than 100 levels deep";
  const tooLarge = "1:1: is larger than 1.5 MiB; Kubernetes takes no such object";
  const noMap = "1:1: must be a mapping; a MiniCluster was expected";
  const versions = "must be flux-framework.org/v1alpha1 or flux-framework.org/v1alpha2";
  texts.one({
    "7:3: Flow sequence in block collection must be sufficiently indented and end with a ]":
      head + "spec:\n  size: [1, 2\n  tasks: 1\n",
    "6:1: Tabs are not allowed as indentation": `${head}spec:\n\tsize: 1\n`,
    '6:1: Missing closing "quote': `${head}spec: "x\n`,
    "1:1: holds no document; a MiniCluster was expected": "# nothing\n---\n# here\n",
    [noMap]: "- 1\n",
    '1:7: kind: is "Job"; only a MiniCluster can be read here': "kind: Job\nmetadata: {name: a}\n",
    "1:1: kind: is missing; only a MiniCluster can be read here": "metadata: {name: a}\n",
    [`1:13: apiVersion: is "flux-framework.org/v1beta1"; ${versions}`]: aManifest(container, "v1beta1"),
    [`1:1: apiVersion: is missing; ${versions}`]: "kind: MiniCluster\n",
    '9:7: kind: is "Service"; only a MiniCluster can be read here':
      aManifest(container) + "---\napiVersion: v1\nkind: Service\n",
    "1:1: metadata.name: is missing; give the cluster a name": aManifest(container).replace(/metadata:\n.*\n/, ""),
    "4:29: d[7]: aliases stand for more than 10000 values; write them out":
      "a: &a [x,x,x,x,x,x,x,x,x,x]\n" +
      many(8, (i) => `${letters[i + 1]}: &${letters[i + 1]} [${tenOf(`*${letters[i]}`)}]\n`),
    '12:17: a10["<<"][0]: aliases stand for more than 10000 values; write them out':
      "a: &a {x: y}\n" + many(20, (i) => `a${i}: &a${i} {<<: [${merged(i)}, ${merged(i)}]}\n`),
    "6:2438: spec.containers[100].ports: aliases stand for more than 10000 values; write them out": aManifest(`
        containers: [{image: a, ports: &p [${many(100, () => "1,")}]}, ${many(101, () => "{image: b, ports: *p},")}]`),
    [tooDeep]: `${head}spec: ${"[".repeat(1e6)}`,
    [tooLarge]: "x".repeat(5e6),
    "6:15: spec.jobLabels: has a name of more than 512 characters": aManifest(
      `jobLabels: {${"x".repeat(1e6)}: y}\n${container}`,
    ),
  });
  texts.one({
    [noMap]: "hello\n",
    [tooDeep]: `${head}spec:\n${many(1500, (i) => `${" ".repeat(i + 1)}a:\n`)}`,
    [tooLarge]: "a\n".repeat(1e6),
  });
  texts.one({ [tooDeep]: `${head}spec: \n  ${"- ".repeat(5e5)}` });

  const large: Record<string, string> = {
    "30,000 unknown fields": `${head}spec:\n${many(30_000, (i) => `  k${i}: x\n`)}`,
    "20,000 containers": aManifest(`containers: [${many(20_000, () => "{image: a},")}]`),
    "3,000 documents": many(3_000, () => `${head}---\n`),
    "30,000 anchors with their aliases": aManifest(`x: [${many(30_000, (i) => `&a${i} b,*a${i},`)}]`),
    "100,000 aliases": aManifest(`x: [&a b,${"*a,".repeat(100_000)}]`),
    "a million quotes": aManifest(`containers: [{image: a, commands: {prefix: "${"a'".repeat(5e5)}"}}]`),
    "a long way to a wrong value": aManifest(`containers: [{image: a, command: ${"demo-0.a.b.".repeat(1e5)}}]`),
  };
  for (const [name, text] of Object.entries(large)) it(`in good time: ${name}`, () => void problemsIn(text));

  it("up to 50 of them", () => {
    const problems = problemsIn(aManifest(`${container}\n${many(70, (i) => `k${i}: x\n`)}`));
    assert.deepEqual([problems.length, problems[50]], [51, "and 20 more"]);
  });

  it("and never with a secret", () => {
    const key = "5khD%TixeW<j<6ssPNG>s<nY1E5}@fyk";
    const texts = [
      `|\n    curve\n      secret-key = "${key}"\n`,
      `|\n    curve\n   secret-key = "${key}"\n`,
      `[ '${key}' ]\n`,
      `"curve ${key}\n`,
    ];
    for (const text of texts) {
      const problems = problemsIn(aManifest(`${container}\nflux:\n  curveCert: ${text}`));
      assert.notDeepEqual(problems, [], text);
      assert.ok(!problems.join().includes("5khD"), problems.join("\n"));
    }
  });
});
