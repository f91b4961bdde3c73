import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { readSchema } from "../../support/languages/packageSchema";
import { readYamlExample, textParts } from "../../support/languages/yaml";
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
  const accepted = [
    { name: "references to configuration", program: aProgram({ size: "${count}", namespace: "${site}-hpc" }) },
    { name: "enums, maps and nested types", program: aProgram({ wait: "none", pod: { labels: { app: "demo" } } }) },
    { name: "a type of Kubernetes", program: aProgram({ podTemplate: { spec: { hostname: "any" } } }) },
    { name: "an escaped reference", program: aProgram({ containers: [{ ...container, command: "echo $${HOME}" }] }) },
    { name: "outputs", program: aProgram({}, { outputs: { both: ["${demo.size}", "on ${demo.hostlist}"] } }) },
  ];
  for (const { name, program } of accepted)
    it(`accepts ${name}`, () => assert.deepEqual(yamlProblems(program, schema), []));

  const at = "resources.demo.properties";
  const refused = [
    { name: "an unknown property", program: aProgram({ sise: 2 }), problem: `${at}.sise: unknown property` },
    {
      name: "an unknown property of a nested type",
      program: aProgram({ containers: [{ ...container, working_dir: "/" }] }),
      problem: `${at}.containers[0].working_dir: unknown property`,
    },
    { name: "a wrong type", program: aProgram({ size: "two" }), problem: `${at}.size: must be of type integer` },
    { name: "a fraction", program: aProgram({ size: 1.5 }), problem: `${at}.size: must be of type integer` },
    {
      name: "a reference of a wrong type",
      program: aProgram({ size: "${site}" }),
      problem: `${at}.size: must be of type integer, not string`,
    },
    {
      name: "a number within a text where a number is due",
      program: aProgram({ size: "1${count}" }),
      problem: `${at}.size: must be of type integer, not string`,
    },
    {
      name: "one where there should be a list",
      program: aProgram({ containers: container }),
      problem: `${at}.containers: must be a list`,
    },
    { name: "text for a map", program: aProgram({ pod: "labels" }), problem: `${at}.pod: must be a map` },
    {
      name: "what no enum has",
      program: aProgram({ wait: "redy" }),
      problem: `${at}.wait: must be one of ready, complete, none`,
    },
    {
      name: "a missing property",
      program: aProgram({ containers: [{ command: "true" }] }),
      problem: `${at}.containers[0]: image is missing`,
    },
    { name: "no value", program: aProgram({ namespace: null }), problem: `${at}.namespace: must be of type string` },
    {
      name: "an output in the place of what has to be known",
      program: aProgram({ namespace: "${demo.namespace}" }),
      problem: `${at}.namespace: cannot come from a resource: it has to be known when the program runs`,
    },
    {
      name: "a name that nothing has",
      program: aProgram({ namespace: "${nowhere}" }),
      problem: `${at}.namespace: nothing is called nowhere`,
    },
    {
      name: "an unknown output",
      program: aProgram({}, { outputs: { logs: "${demo.logCommand}" } }),
      problem: "outputs.logs: nothing is called demo.logCommand",
    },
    {
      name: "an unknown resource type",
      program: { ...aProgram({}), resources: { demo: { type: "minicluster:MiniClustr", properties: {} } } },
      problem: "resources.demo.type: no resource minicluster:MiniClustr in the schema",
    },
    {
      name: "a default of another type than is declared",
      program: aProgram({}, { config: { count: { type: "integer", default: "2" } } }),
      problem: "config.count.default: must be of type integer",
    },
    {
      name: "a section that it cannot check",
      program: aProgram({}, { variables: {} }),
      problem: "variables: not understood",
    },
  ];
  for (const { name, program, problem } of refused)
    it(`refuses ${name}`, () => assert.deepEqual(yamlProblems(program, schema), [problem]));

  it("tells words and references apart", () =>
    assert.deepEqual(textParts("a $5 $${b} ${c.d[0]}e"), ["a ", "$", "5 ", "${", "b} ", ["c", "d", "0"], "e"]));
});
