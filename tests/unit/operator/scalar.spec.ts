import * as assert from "node:assert/strict";
import { parseYaml } from "../../../provider/operator/yaml";
import { argsOf, problemsIn, aManifest, warningsOf } from "../../support/manifestTexts";

const words = (texts: string, value: boolean | null) =>
  texts.split(" ").map((text): [string, boolean | null] => [text, value]);

// Each value is what `sigs.k8s.io/yaml` 1.6 (go.yaml.in/yaml/v2 2.4) makes of the scalar, by which kubectl reads a
// manifest.
const strings = `
  e2 E5 .e3 . +. -. ._9 + e -e 1e 1e+ 1e309 -1e309 .1e310 0x 0o 0b 0xg 0b2 0o8 -0b-1 +0x 1.2.3 1,000
  2026-01-01 2026-01-01T00:00:00Z 12:30 190:20:30 = << inf nan Inf tRUE yEs nO oN NuLL ~~ 0x1.8p1 1_000.5_e --1 1- _1
`;
const values: [text: string, value: boolean | null][] = [
  ...words("y Y yes Yes YES on On ON true True TRUE", true),
  ...words("n N no No NO off Off OFF false False FALSE", false),
  ...words(" ~ null Null NULL", null),
];

const numbers: Record<string, number> = {
  "0": 0,
  "00": 0,
  "+0": 0,
  "-0": 0,
  "017": 15,
  "08": 8,
  "0o17": 15,
  "0x1F": 31,
  "0b11": 3,
  "-0b11": -3,
  "+0b1": 1,
  "1_000": 1000,
  "1__0_": 10,
  "+1_2": 12,
  "0_7": 7,
  "1e3": 1000,
  "1E+3": 1000,
  "1.": 1,
  "1.5": 1.5,
  ".5": 0.5,
  "+.5": 0.5,
  "-.5e-1": -0.05,
  ".5_0": 0.5,
  "1_0.5": 10.5,
  "1e-400": 0,
  "9223372036854775807": 2 ** 63,
  "18446744073709551616": 2 ** 64,
  "-9223372036854775808": -(2 ** 63),
  "0xffffffffffffffff": 2 ** 64,
  "01777777777777777777777": 2 ** 64,
  ".inf": Infinity,
  "+.INF": Infinity,
  "-.Inf": -Infinity,
  ".NaN": NaN,
};

/** The value of a plain scalar. */
function plainScalar(text: string): unknown {
  const { documents, problems } = parseYaml(`a: ${text}`);
  assert.deepEqual(problems, []);
  return (documents[0]?.toJS() as { a: unknown }).a;
}

describe("a scalar of a manifest is read as by kubectl", () => {
  for (const text of strings.trim().split(/\s+/))
    it(`${text} is a string`, () => assert.equal(plainScalar(text), text));

  for (const [text, value] of [...values, ...Object.entries(numbers)])
    it(`"${text}" is ${value}`, () => {
      const read = plainScalar(text);
      if (value === 0) assert.equal(Math.abs(Number(read)), 0);
      else assert.deepEqual(read, value);
    });

  it("machine families such as e2 are strings where Kubernetes has strings", () => {
    const { pod } = argsOf("containers: [{image: a}]\npod: {nodeSelector: {machine-family: e2, zone: E5}}");
    assert.deepEqual(pod?.nodeSelector, { "machine-family": "e2", zone: "E5" });
  });

  it("quotes and tags decide before the look", () => {
    const labels = 'jobLabels: {a: "5", b: !!str 5, c: ! 5}';
    assert.deepEqual(argsOf(`containers: [{image: a}]\n${labels}\nsize: !!int "5"`), {
      ...argsOf("containers: [{image: a}]\nsize: 5"),
      jobLabels: { a: "5", b: "5", c: "5" },
    });
  });

  it("a tag that does not match, an unknown one, and a number that JSON does not have are refused", () => {
    const problems = (line: string) =>
      problemsIn(aManifest(`containers: [{image: a}]\n${line}`))[0]
        ?.split(": ")
        .at(-1);
    const tag =
      "its tag is unknown, or does not match the value; remove it, or put the value in quotes if it begins with !";
    assert.equal(problems("size: !!int x"), tag);
    assert.equal(problems("jobLabels: {a: !secret x}"), tag);
    assert.equal(problems("jobLabels: {a: .inf}"), "is a number that JSON cannot represent; put it in quotes");
  });
});

describe("a manifest with a duplicate key", () => {
  it("has the last value, as for kubectl, and a warning", () => {
    const spec = "size: 1\ncontainers: [{image: a}]\nsize: 2\npod: {labels: {a: b, c: d, a: e}}";
    assert.deepEqual([argsOf(spec).size, argsOf(spec).pod?.labels], [2, { a: "e", c: "d" }]);
    assert.deepEqual(warningsOf(spec), [
      "spec.size: duplicate key; its last value is used, as by kubectl",
      "spec.pod.labels.a: duplicate key; its last value is used, as by kubectl",
    ]);
  });

  it("has a place for each problem, also where aliases lead in a circle", () => {
    const spec = "containers: [{image: a}]\na: &x {b: 1}\nc: &y {<<: *x}\na: {<<: *y}\njobLabels: *y";
    assert.match(problemsIn(aManifest(spec)).join("\n"), /spec\.jobLabels\.b: must be a string, not a number/);
  });
});

describe("merged maps", () => {
  const labelsOf = (labels: string) =>
    argsOf(`containers: [{image: a, environment: &x {a: b, c: d}}]\njobLabels: ${labels}`).jobLabels;

  it("give way to the keys after them, and take the place of those before, as for kubectl", () => {
    assert.deepEqual(labelsOf("{<<: *x, a: e}"), { a: "e", c: "d" });
    assert.deepEqual(labelsOf("{a: e, <<: *x}"), { a: "b", c: "d" });
  });

  it("must be maps", () =>
    assert.deepEqual(problemsIn(aManifest("containers: [{image: a}]\n<<: x\npod: {<<: [{}, 1]}")), [
      'manifest:7:3: spec["<<"]: only a map or a list of maps can be merged by <<; put << in quotes if it is a name',
      'manifest:8:9: spec.pod["<<"]: only a map or a list of maps can be merged by <<; put << in quotes if it ' +
        "is a name",
    ]));
});
