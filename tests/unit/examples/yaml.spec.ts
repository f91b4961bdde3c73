import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { readSchema } from "../../support/languages/packageSchema";
import { readYamlExample } from "../../support/languages/yaml";
import { yamlProblems } from "../../support/languages/yamlCheck";

const examples = path.resolve(__dirname, "../../../examples");
const schema = readSchema();

const container = { image: "ubuntu:noble" };
const aProgram = (properties: object, others: object = {}) => ({
  name: "demo",
  runtime: "yaml",
  config: { count: { type: "integer", default: 2 }, site: { type: "string", default: "lab" } },
  resources: { demo: { type: "minicluster:MiniCluster", properties: { containers: [container], ...properties } } },
  ...others,
});

describe("The examples in Pulumi YAML", () => {
  const names = fs.readdirSync(examples).filter((name) => name.endsWith("-yaml"));

  it("are those of the other languages", () => assert.deepEqual(names, ["hello-yaml", "lammps-yaml"]));

  for (const name of names)
    it(`fit the schema: ${name}`, () =>
      assert.deepEqual(yamlProblems(readYamlExample(path.join(examples, name)), schema), []));
});

describe("The check of programs in Pulumi YAML", () => {
  const at = "resources.demo.properties";
  const cases: [properties: object, ...problems: string[]][] = [
    [{ size: "${count}", namespace: "${site}-hpc", wait: "none", pod: { labels: { app: "demo" } } }],
    [{ containers: [{ ...container, command: "echo $${HOME}" }], podTemplate: { spec: { hostname: "any" } } }],
    [{ sise: 2, size: 1.5 }, `${at}.sise: unknown property`, `${at}.size: must be of type integer`],
    [
      { containers: [{ working_dir: "/" }] },
      `${at}.containers[0]: image is missing`,
      `${at}.containers[0].working_dir: unknown property`,
    ],
    [{ size: "1${count}" }, `${at}.size: must be of type integer, not string`],
    [{ containers: container, pod: "labels" }, `${at}.containers: must be a list`, `${at}.pod: must be a map`],
    [{ wait: "redy" }, `${at}.wait: must be one of ready, settled, complete, none`],
    [
      { namespace: "${demo.namespace}" },
      `${at}.namespace: cannot come from a resource: it has to be known when the program runs`,
    ],
    [{ namespace: "${nowhere}" }, `${at}.namespace: nothing is called nowhere`],
  ];
  for (const [properties, ...problems] of cases)
    it(`${problems.length > 0 ? "refuses" : "accepts"} ${JSON.stringify(properties)}`, () =>
      assert.deepEqual(yamlProblems(aProgram(properties), schema), problems));

  it("refuses what it cannot check, and what is not there", () => {
    const demo = { type: "minicluster:MiniClustr", properties: {} };
    const others = { resources: { demo }, variables: {}, outputs: { logs: "${demo.logCommand}" } };
    const problems = yamlProblems(aProgram({}, others), schema).join("\n");
    for (const part of [
      /no resource minicluster:MiniClustr in the schema/,
      /variables: not understood/,
      /outputs\.logs: nothing/,
    ])
      assert.match(problems, part);
  });
});
