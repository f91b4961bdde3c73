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
  it("accepts what a program may say", () => {
    const given = { size: "${count}", namespace: "${site}-hpc", wait: "none", pod: { labels: { app: "demo" } } };
    const podTemplate = { spec: { hostname: "any" } };
    assert.deepEqual(yamlProblems(aProgram({ ...given, podTemplate }), schema), []);
  });

  it("refuses what the schema does not have, and what is not known when the program runs", () => {
    const properties = { sise: 2, size: "1${count}", wait: "redy", containers: [{}], namespace: "${demo.namespace}" };
    assert.deepEqual(yamlProblems(aProgram(properties), schema), [
      `${at}.containers[0]: image is missing`,
      `${at}.sise: unknown property`,
      `${at}.size: must be of type integer, not string`,
      `${at}.wait: must be one of ready, settled, complete, none`,
      `${at}.namespace: cannot come from a resource: it has to be known when the program runs`,
    ]);
  });

  it("refuses what it cannot check, and what is not there", () => {
    const demo = { type: "minicluster:MiniClustr", properties: {} };
    const others = { resources: { demo }, variables: {}, outputs: { logs: "${demo.logCommand}" } };
    const problems = yamlProblems(aProgram({}, others), schema).join("\n");
    for (const part of [/no resource minicluster:MiniClustr in/, /variables: not understood/, /outputs\.logs: nothing/])
      assert.match(problems, part);
  });
});
