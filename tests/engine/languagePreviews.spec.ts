import assert from "node:assert/strict";
import * as path from "node:path";
import { leftIn } from "../support/clusters";
import { createStack, type Program, type TestStack } from "../support/engine";
import { go } from "../support/languages/go";
import { type LanguageHost, withProgram } from "../support/languages/harness";
import { sdkPrograms, type SdkPrograms } from "../support/languages/nodejs";
import { readText, type ShownText, shownChanges, shownDiff } from "../support/languages/previewText";
import { python } from "../support/languages/python";
import { readYamlExample, type YamlProgram, yamlProgram } from "../support/languages/yaml";
import { ownPlugin } from "../support/plugin";
import { exampleProgram } from "../support/programs";
import { sharedCluster } from "../support/sandboxHooks";

const folderOf = (example: string) => path.resolve(__dirname, "../../examples", example);
const examples = ["hello", "lammps"];

// What is compared is the text of a preview, all of it: resources, their properties, outputs and counts. Long texts are
// cut there, and digests of the component's scripts and pod template are among the annotations. There is no difference
// to be explained: not even for a stack that one language has made and another one takes over.

describe("An example in several languages", () => {
  let sdk: SdkPrograms;

  /** Languages that this process runs. */
  const here: { name: string; program: (example: string) => Program }[] = [
    { name: "TypeScript, with the generated SDK", program: (example) => sdk.program(example) },
    { name: "YAML", program: (example) => yamlProgram(readYamlExample(folderOf(`${example}-yaml`)) as YamlProgram) },
  ];
  /** Languages that have a process of their own. */
  const hosts: LanguageHost[] = [python, go];

  /** A stack that is called as in every language: the text of a preview has its name. */
  const stackOf = (example: string, config: Record<string, string>) =>
    createStack({
      program: exampleProgram(example),
      projectName: `minicluster-${example}`,
      stackName: "dev",
      kubeconfigPath: sharedCluster().kubeconfigPath,
      config,
      plugins: ownPlugin(),
    });

  async function previewHere(stack: TestStack, program: Program): Promise<ShownText> {
    stack.program = program;
    return readText((await stack.preview({ diff: true })).stdout);
  }

  /** A preview of a program in a language, with the state of a stack if one is given. */
  function previewBy(host: LanguageHost, example: string, config: Record<string, string>, startFrom?: TestStack) {
    const { kubeconfigPath } = sharedCluster();
    const options = { kubeconfigPath, projectName: `minicluster-${example}`, stackName: "dev", config, startFrom };
    return withProgram(host, folderOf(`${example}-${host.name}`), options, async ({ run }) => {
      const [outcome] = await run({ kind: "preview" });
      assert.ok(outcome?.ok, outcome?.error);
      return readText(outcome.text);
    });
  }

  before(async function () {
    // The first time on a machine, they install and compile Pulumi's SDKs.
    this.timeout(900_000);
    sdk = sdkPrograms(examples);
    for (const host of hosts) for (const example of examples) await host.driver(folderOf(`${example}-${host.name}`));
  });
  after(() => sdk.remove());

  it("compiles with the generated SDK for TypeScript as it does with the classes", () =>
    assert.equal(sdk.compilerErrors, ""));

  for (const example of examples)
    describe(`${example}, at first`, () => {
      let stack: TestStack;
      let expected: ShownText;
      before(async () => {
        stack = await stackOf(example, {});
        expected = await previewHere(stack, exampleProgram(example));
        assert.equal(
          shownChanges(expected).filter((change) => /^create (Job|Service|MiniCluster) /.test(change)).length,
          3,
        );
      });
      after(() => stack.dispose());

      for (const { name, program } of here)
        it(`shows the same as the classes: ${name}`, async () =>
          assert.deepEqual(await previewHere(stack, program(example)), expected));
      for (const host of hosts)
        it(`shows the same as the classes: ${host.name}`, async () =>
          assert.deepEqual(await previewBy(host, example, {}), expected));
    });

  describe("lammps, resized after it was made by the classes", () => {
    let stack: TestStack;
    let namespace: string;
    let expected: ShownText;
    before(async () => {
      namespace = await sharedCluster().newNamespace();
      stack = await stackOf("lammps", { namespace });
      await stack.up();
      await stack.setConfig("size", "6");
      expected = await previewHere(stack, exampleProgram("lammps"));
      assert.deepEqual(shownDiff(expected, "JobPatch"), ["~ completions: 4 => 6", "~ parallelism: 4 => 6"]);
    });
    after(async () => {
      await stack.destroy();
      assert.deepEqual(await leftIn(namespace), []);
      stack.dispose();
    });

    for (const { name, program } of here)
      it(`shows the same as the classes: ${name}`, async () =>
        assert.deepEqual(await previewHere(stack, program("lammps")), expected));
    for (const host of hosts)
      it(`shows the same as the classes: ${host.name}`, async () =>
        assert.deepEqual(await previewBy(host, "lammps", { namespace, size: "6" }, stack), expected));
  });
});
