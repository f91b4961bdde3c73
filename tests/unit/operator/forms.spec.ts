import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseMiniClusterArgs } from "../../../provider/minicluster/parse";
import { readMiniClusterManifest, readMiniClusterManifestFile } from "../../../provider/operator/read";
import { aManifest, argsOf, problemsIn, readOne, warningsOf } from "../../support/manifestTexts";
import { manifestsFor } from "../../support/manifests";
import { expecting } from "../../support/problems";

const container = "containers: [{image: a}]";
const named = (name: string, spec = container) => aManifest(spec).replace("name: demo", `name: ${name}`);
const listOf = (kind: string, ...items: string[]) =>
  "apiVersion: v1\nkind: " +
  `${kind}\nitems:\n${items.map((item) => `- ${item.trim().replaceAll("\n", "\n  ")}\n`).join("")}`;

describe("a list of MiniClusters", () => {
  it("gives a cluster for each item, as kubectl prints them", () => {
    for (const kind of ["List", "MiniClusterList"]) {
      const clusters = readMiniClusterManifest(listOf(kind, named("a"), named("b")));
      assert.deepEqual(
        clusters.map(({ name, args }) => [name, args.containers]),
        ["a", "b"].map((name) => [name, [{ image: "a" }]]),
      );
    }
  });

  it("has the path and the line of each problem, and each cluster has its own warnings", () => {
    const text = listOf("List", named("a", `${container}\nsize: x`), named("b", `${container}\nsise: 2`));
    assert.deepEqual(problemsIn(text), [
      "manifest:10:11: items[0].spec.size: must be an integer, not a string",
      "manifest:17:5: items[1].spec.sise: unknown field; did you mean size?",
    ]);
    const read = readMiniClusterManifest(text.replace("size: x", "size: 1"), { unknownFields: "warn" });
    const paths = read.map(({ warnings }) => warnings.map((warning) => warning.path));
    assert.deepEqual(paths, [[], ["items[1].spec.sise"]]);
  });

  it("without items, or with those of another kind, is refused", () => {
    assert.deepEqual(problemsIn("kind: List\nitems: []\n"), [
      "manifest:2:1: items: must be a list of MiniClusters; this one has none",
    ]);
    assert.deepEqual(problemsIn(listOf("List", "kind: Pod")), [
      'manifest:4:9: items[0].kind: is "Pod"; only a MiniCluster can be read here',
    ]);
  });
});

const texts = expecting((text: string) => problemsIn(text).map((problem) => problem.replace("manifest:", "")));

describe("a text that is no manifest is refused in one line", () => {
  const rendered =
    "has template expressions ({{ … }} or {% … %}); render it first, for Helm by helm template, " +
    "and read the result";
  const helm = `apiVersion: flux-framework.org/v1alpha2
kind: MiniCluster
metadata:
  name: {{ .Release.Name }}
  labels:
    {{- include "x.labels" . | nindent 4 }}
spec:
  {{- if .Values.tasks }}
  tasks: {{ .Values.tasks }}
  {{- end }}
  containers:
    - image: "{{ .Values.image }}"
`;
  const fraction = "spec.size: must be an integer, not a number with a fraction";
  const generated = "generateName is not supported, because an update has to find the cluster by its name: write name";
  texts.one({
    [`4:9: ${rendered}`]: helm,
    [`6:9: ${rendered}`]: aManifest(`size: {{ .size }}\n${container}`),
    [`7:3: ${rendered}`]: aManifest(`size: 1\n{% if x %}\ntasks: 4\n{% endif %}\n${container}`),
    [`6:10: ${rendered}`]: aManifest(`size: "{{ size }}"\n${container}`),
    "6:9: spec.size: must be an integer, not a string": aManifest(
      "size: x\ncontainers: [{image: a, command: \"docker inspect --format '{{.Id}}'\"}]",
    ),
    [`3:1: metadata.name: is missing; ${generated}`]: aManifest(container).replace("name: demo", "generateName: demo-"),
    "4:9: metadata.name: must be a string, not a number; put it in quotes": named("12345"),
    [`6:9: ${fraction}`]: aManifest(`size: 2.5\n${container}`),
    "1:1: has NUL characters, as UTF-16 read as UTF-8 has; save it as UTF-8": Buffer.from(
      aManifest(container),
      "utf16le",
    ).toString("utf8"),
    ['4:9: metadata.name: "(a+)+" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter ' +
    "or digit at both ends"]: named("(a+)+", `containers: [{image: a, command: "${"a".repeat(27)}.x.y.svc"}]`),
    ['4:9: metadata.name: "(" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or ' +
    "digit at both ends"]: named('"("', "containers: [{image: a, command: a-0.x.y.svc}]"),
    "6:3: spec.image: unknown field; did you mean spec.containers[].image?": aManifest(`image: a\n${container}`),
    "6:35: spec.containers[0].ports: has 15000 items; at most 1000 are accepted": aManifest(
      `containers: [{image: a, ports: [${"1,".repeat(15_000)}]}]`,
    ),
  });

  it("and without what it holds", () => {
    const secret = "hunter2";
    const texts = [
      `apiVersion: v1\nkind: {token: ${secret}}\n`,
      `apiVersion: [${secret}]\nkind: MiniCluster\n`,
      `kind: "${secret} ${secret}"\n`,
      `-----BEGIN KEY-----\n${secret}\n`,
      `{"token": "${secret}", "x"`,
      ...[
        `!${secret} x`,
        `!<${secret}> x`,
        `*${secret}`,
        `&a *${secret}`,
        `|${secret}`,
        `"\\${secret}"`,
        `"\\x${secret}"`,
        `%${secret}`,
      ].map((value) => aManifest(`${container}\nflux:\n  curveCert: ${value}`)),
      `%${secret}\n---\na: b\n`,
      `%TAG ${secret}\n---\na: b\n`,
    ];
    for (const text of texts) {
      const problems = problemsIn(text);
      assert.notDeepEqual(problems, [], text);
      assert.ok(!problems.join().includes(secret), `${text}\n${problems.join("\n")}`);
    }
  });
});

describe("names that every object has by birth", () => {
  it("are names like any other", () => {
    const secrets = "{toString: {name: a, key: b}, constructor: {name: a, key: b}}";
    const environment = "{valueOf: c, hasOwnProperty: d}";
    const labels = "{isPrototypeOf: x}";
    const spec = `containers: [{image: a, secrets: ${secrets}, environment: ${environment}}]\njobLabels: ${labels}`;
    const { containers, jobLabels } = argsOf(spec);
    assert.deepEqual(Object.keys(containers[0]?.secrets ?? {}), ["toString", "constructor"]);
    const others = Object.entries({ ...containers[0]?.environment, ...jobLabels });
    assert.equal(JSON.stringify(others), '[["valueOf","c"],["hasOwnProperty","d"],["isPrototypeOf","x"]]');
  });
});

describe("the bytes of a manifest file", () => {
  let directory: string;
  before(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-bytes-"))));
  after(() => fs.rmSync(directory, { recursive: true }));

  const read = (bytes: Buffer) => {
    const file = path.join(directory, "minicluster.yaml");
    fs.writeFileSync(file, bytes);
    return readMiniClusterManifestFile(file, { fileName: "f" }).map(({ args }) => args);
  };
  const text = aManifest("containers: [{image: a, command: echo grün}]");
  const little = Buffer.from(`\ufeff${text}`, "utf16le");

  it("may be UTF-8 or UTF-16 with a byte order mark", () => {
    const want = [readOne(text).args];
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), little, Buffer.from(little).swap16()])
      assert.deepEqual(read(bytes), want);
  });

  it("are not Latin-1", () =>
    assert.throws(
      () => read(Buffer.from(text, "latin1")),
      /f:1:1: cannot be read: its bytes are no UTF-8; save it as UTF-8$/,
    ));
});

describe("the pod of the services of a manifest", () => {
  const servicesOf = (containers: string, services: string) => {
    const spec = `pod: {securityContext: {fsGroup: 5}}\nservices: ${services}\ncontainers: ${containers}`;
    const { servicesPod, job } = manifestsFor(parseMiniClusterArgs("demo", argsOf(spec)));
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
    const { securityContext, imagePullSecrets } = plain(servicesPod?.spec);
    const { template } = plain(job.spec) as { template: { spec: Record<string, unknown> } };
    return { services: securityContext, brokers: template.spec["securityContext"], imagePullSecrets };
  };

  it(
    "pulls its images with the Secrets of the containers, and has no security context of the brokers, as the " +
      "operator's",
    () => {
      const one = servicesOf("[{image: a, imagePullSecret: r}]", "[{image: s, name: s}]");
      const seccompProfile = { type: "RuntimeDefault" };
      assert.deepEqual(one, {
        services: { seccompProfile },
        brokers: { seccompProfile, fsGroup: 5 },
        imagePullSecrets: [{ name: "r" }],
      });
      const containers =
        "[{image: a, imagePullSecret: r, runFlux: true}, {image: b, name: b, command: c, imagePullSecret: q}]";
      const two = servicesOf(
        containers,
        "[{image: s, name: s}, {image: t, name: t, imagePullSecret: own}, {image: u, name: u}]",
      );
      assert.deepEqual(two.imagePullSecrets, [{ name: "r" }, { name: "own" }, { name: "q" }]);
    },
  );

  it("has a warning where a Secret finds no service", () => {
    const services = "services: [{image: s, name: s, imagePullSecret: own}]";
    assert.deepEqual(warningsOf(`${services}\ncontainers: [{image: a, imagePullSecret: r}]`), [
      "spec.services: the operator pulls the images with r; here only with the Secrets given",
    ]);
  });

  it("is refused for a wrong security context at its place", () =>
    assert.deepEqual(
      problemsIn(aManifest(`${container}\nservices: [{image: s, name: s}]\npod: {securityContext: {fsGroup: -5}}`)),
      ["manifest:8:36: spec.pod.securityContext.fsGroup: -5 must be an integer from 0 to 2147483647"],
    ));
});
