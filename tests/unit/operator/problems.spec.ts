import * as assert from "node:assert/strict";
import * as fc from "fast-check";
import { aManifest, problemsIn } from "../../support/manifestTexts";
import { expecting } from "../../support/problems";

const container = "containers: [{image: a}]";
const head = aManifest("size: 1").replace(/spec:[^]*$/, "");
const named = (name: string, spec = container) => aManifest(spec).replace("name: demo", `name: ${name}`);
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("");

const problemsAt = (text: string) => problemsIn(text).map((problem) => problem.replace("manifest:", ""));
const texts = expecting(problemsAt);
/** Lines under `spec` of a cluster, which begin with the sixth line of the manifest. */
const specs = expecting((spec: string) => problemsAt(aManifest(spec)));
/** The same after its container. */
const fields = expecting((spec: string) => problemsAt(aManifest(`${container}\n${spec}`)));

const label = "must be a label value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends";
const dnsLabel = "must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends";

describe("a manifest is refused with the place of each problem", () => {
  specs.one({
    "5:1: spec.containers: is required; a cluster has one container, or several in containers": "size: 2",
    "6:3: spec.containers: is required; a cluster has one container, or several in containers": "containers:",
    "8:16: spec.containers[0].command: bash cannot parse it…": "containers:\n  - image: a\n    command: echo 'oops",
    "9:16: spec.containers[0].command: bash cannot parse it, line 2: unterminated command substitution; correct it":
      "containers:\n  - image: a\n    batch: true\n    command: |\n      # it's\n      echo $(date",
    "8:26: spec.containers[0].commands.script: bash…": "containers:\n  - image: a\n    commands: {script: 'echo a &&'}",
    "6:3: spec.image: unknown field; did you mean spec.containers[].image?": `image: a\n${container}`,
  });
  fields.one({
    "7:14: spec.jobLabels: alias without an anchor before it…": "jobLabels: *a",
    "8:5: spec.flux: must be a map of fields, not a list": "flux:\n  - container: x",
    '7:16: spec.flux.arch: must be one of "amd64", "arm64"': "flux: {arch: sparc}",
    "7:9: spec.size: must be an integer, not a number with a fraction": "size: 2.5",
  });
  specs.all("containers: &a [{image: a, runFlux: true}, *a]", [
    "6:46: spec.containers[1]: the value of an anchor has an alias of the same anchor",
    "6:46: spec.containers[1]: must be a map of fields, not a value of another type",
  ]);
  fields.all('jobLabels: &l {a: "b c"}\npod: {labels: {<<: *l}}', [
    `7:21: spec.jobLabels.a: "b c" ${label}`,
    `7:21: spec.pod.labels.a: "b c" ${label}`,
  ]);
  specs.all("containers: [{image: a, volumes: {data: {path: /d, claimName: [c]}}, secrets: {T: {name: 7, key: k}}}]", [
    "6:65: spec.containers[0].volumes.data.claimName: must be a string, not a list",
    "6:92: spec.containers[0].secrets.T.name: must be a string, not a number; put it in quotes",
  ]);
  fields.all('jobLabels: [a]\ninteractive: "yes"\npod: {tolerations: {}, nodeAffinity: {a: [~]}}', [
    "7:14: spec.jobLabels: must be a map of names to values, not a list",
    "8:16: spec.interactive: must be true or false, not a string",
    "9:22: spec.pod.tolerations: must be a list, not a map",
    '9:45: spec.pod.nodeAffinity.a[0]: has no value; set a value, or "" for an empty string',
  ]);
  const wrong = '[{image: a, ports: [0, "80"], environment: {D: yes, E: }}]';
  specs.all(`size: 9\nmaxSize: 3\ncontainers: ${wrong}\npod: {restartPolicy: Always}`, [
    "6:9: spec.size: size 9 is above maxSize 3; raise maxSize or lower size",
    "8:35: spec.containers[0].ports[0]: 0 must be an integer from 1 to 65535",
    "8:38: spec.containers[0].ports[1]: must be an integer, not a string",
    "8:62: spec.containers[0].environment.D: must be a string, not true or false; put it in quotes",
    '8:70: spec.containers[0].environment.E: has no value; set a value, or "" for an empty string',
    '9:24: spec.pod.restartPolicy: must be one of "OnFailure", "Never"',
  ]);
  specs.all(
    "services: [{image: s, name: store}]\ncontainers:\n  - {image: a, runFlux: true}\n" +
      "  - {image: b, name: demo-services, command: c, ports: [80, 80]}",
    [
      '9:24: spec.containers[1].name: "demo-services" conflicts with the Service created for services…',
      "9:63: spec.containers[1].ports[1]: 80 is listed twice; remove one of them",
    ],
  );
  fields.all("services: [{image: s, name: s}]\npod: {securityContext: {fsGroup: -5}}", [
    "8:36: spec.pod.securityContext.fsGroup: -5 must be an integer from 0 to 2147483647",
  ]);
  fields.all("jobLabels: {on: b, 7: c}\npod: {annotations: {__proto__: c}}\n__proto__: {size: 2}\nconstructor: x", [
    "7:15: spec.jobLabels.on: must have a name that is a string, not true or false; put it in quotes",
    '7:22: spec.jobLabels["7"]: must have a name that is a string, not a number; put it in quotes',
    "8:23: spec.pod.annotations.__proto__: is a reserved name; remove it",
    "9:3: spec.__proto__: is a reserved name; remove it",
    "10:3: spec.constructor: unknown field; correct its name or remove it",
  ]);
  fields.all(
    "sise:\nmaxsize: 2\nflux: {leadBroker: {}}\nnodeSelector: {}\ncommand: x\nreplicas: 2\ntest: true\n" +
      "services: [{image: a, name: b, commands: {preWorker: x}}]",
    [
      "7:3: spec.sise: unknown field; did you mean size?",
      "8:3: spec.maxsize: unknown field; did you mean maxSize?",
      "9:10: spec.flux.leadBroker: unknown field; did you mean spec.flux.bursting.leadBroker?",
      "10:3: spec.nodeSelector: unknown field; did you mean spec.pod.nodeSelector?",
      "11:3: spec.command: unknown field; did you mean spec.containers[].command?",
      "12:3: spec.replicas: unknown field; correct its name or remove it",
      "13:3: spec.test: unknown field: only v1alpha1 has it…",
      "14:45: spec.services[0].commands.preWorker: unknown field; did you mean workerPre?",
    ],
  );

  const unclosed = `${head}spec:\n  size: [1, 2\n  tasks: 1\n`;
  const letters = "abcdefghi";
  const otherFile =
    "must be MiniCluster: move other objects to another file, " + "for ConfigFile of @pulumi/kubernetes (yaml/v2)";
  const noMap = "1:1: must be a map, the MiniCluster object";
  const versions = "must be flux-framework.org/v1alpha1 or flux-framework.org/v1alpha2";
  const rendered =
    "has template expressions ({{ … }} or {% … %}); render it first, for Helm by helm template, and read the result";
  const generated = "generateName is not supported, because an update finds the cluster by its name: set name";
  const inspect = "containers: [{image: a, command: \"docker inspect --format '{{.Id}}'\"}]";
  texts.one({
    "7:3: Flow sequence in block collection must be sufficiently indented and end with a ]": unclosed,
    "6:1: Tabs are not allowed as indentation": `${head}spec:\n\tsize: 1\n`,
    '6:1: Missing closing "quote': `${head}spec: "x\n`,
    "1:1: contains no document; must contain a MiniCluster": "# nothing\n---\n# here\n",
    [noMap]: "- 1\n",
    [`1:7: kind: is "Job"; ${otherFile}`]: "kind: Job\nmetadata: {name: a}\n",
    "1:1: kind: is missing; must be MiniCluster": "metadata: {name: a}\n",
    [`1:13: apiVersion: is "flux-framework.org/v1beta1"; ${versions}`]: aManifest(container, "v1beta1"),
    [`1:1: apiVersion: is missing; ${versions}`]: "kind: MiniCluster\n",
    [`8:7: kind: is "Service"; ${otherFile}`]: `${aManifest(container)}---\nkind: Service\n`,
    "1:1: metadata.name: is missing; set a name for the cluster": aManifest(container).replace(/metadata:\n.*\n/, ""),
    [`3:1: metadata.name: is missing; ${generated}`]: aManifest(container).replace("name: demo", "generateName: demo-"),
    "4:9: metadata.name: must be a string, not a number; put it in quotes": named("12345"),
    [`4:9: metadata.name: "(a+)+" ${dnsLabel}`]: named(
      "(a+)+",
      `containers: [{image: a, command: ${"a".repeat(27)}.x.svc}]`,
    ),
    [`4:9: metadata.name: "(" ${dnsLabel}`]: named('"("', "containers: [{image: a, command: a-0.x.y.svc}]"),
    [`7:9: ${rendered}`]: aManifest(`${container}\nsize: {{ .size }}`),
    [`8:3: ${rendered}`]: aManifest(`${container}\nsize: 1\n{% if x %}\ntasks: 4\n{% endif %}`),
    [`7:10: ${rendered}`]: aManifest(`${container}\nsize: "{{ size }}"`),
    "6:9: spec.size: must be an integer, not a string": aManifest(`size: x\n${inspect}`),
    "1:1: has NUL characters, probably because it is UTF-16; save it as UTF-8": aManifest(container).replaceAll(
      "",
      "\0",
    ),
    "1:1: aliases expand to more than 10000 values; replace aliases by their values":
      "a: &a [x,x,x,x,x,x,x,x,x,x]\n" +
      many(8, (i) => `${letters[i + 1]}: &${letters[i + 1]} [${many(10, () => `*${letters[i]},`)}]\n`),
    "1:1: is larger than 1.5 MiB; Kubernetes stores no object of this size": "x".repeat(5e6),
  });

  it("up to 50 of them", () => {
    const problems = problemsIn(aManifest(`${container}\n${many(70, (i) => `k${i}: x\n`)}`));
    assert.deepEqual([problems.length, problems[50]], [51, "and 20 more"]);
  });

  it("and without a stack trace", () => {
    const marks = [..."ab[]{},:?#&*!|>'\"\\%\t\r\n\ufeff\u0001", "b: ", "- ", "\n  ", "\n    ", "|\n", ">-\n", "&a "];
    const words = ["*a", "!!int ", "<<: ", "---\n", "...\n", "__proto__: ", "1", "~", "{{", "{%", "null"];
    const names = "items: containers: image: size: toString: flux: pod: volumes:".split(" ").map((name) => `${name} `);
    const text = fc.string({ unit: fc.constantFrom(...marks, ...words, ...names), maxLength: 60, size: "max" });
    fc.assert(
      fc.property(text, fc.constantFrom("v1alpha1", "v1alpha2"), (lines, version) => {
        problemsIn(lines);
        problemsIn(`${aManifest(container, version)}  ${lines}`);
      }),
      // The seed is fixed, so that a failure comes again.
      { seed: 20_261_123, numRuns: 1000 },
    );
  });

  const secret = "5khD%TixeW<j<6ssPNG>s<nY1E5}@fyk";
  const certificates = [`|\n    curve\n   secret-key = "${secret}"\n`, `[ '${secret}' ]\n`, `"curve ${secret}\n`];
  const values = ["!S x", "!<S> x", "*S", "&a *S", "|S", '"\\S"', '"\\xS"', "%S", ...certificates];
  const around = ["kind: {token: S}\n", "apiVersion: [S]\nkind: MiniCluster\n", 'kind: "S S"\n', '{"token": "S", "x"'];
  const hidden = [
    ...values.map((value) => aManifest(`${container}\nflux:\n  curveCert: ${value}`)),
    ...around,
    "-----BEGIN KEY-----\nS\n",
    "%S\n---\na: b\n",
    "%TAG S\n---\na: b\n",
  ].map((text) => text.replaceAll(/\bS\b|(?<=x)S/g, "hunter2"));
  for (const text of hidden)
    it(`and without what it holds: ${JSON.stringify(text.slice(-40))}`, () => {
      const problems = problemsIn(text);
      assert.notDeepEqual(problems, []);
      assert.doesNotMatch(problems.join("\n"), /hunter2|5khD/);
    });
});
