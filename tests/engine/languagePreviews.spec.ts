import assert from "node:assert/strict";
import * as path from "node:path";
import { leftIn } from "../support/clusters";
import { createStack, type Program, type TestStack } from "../support/engine";
import { go } from "../support/languages/go";
import { withProgram } from "../support/languages/harness";
import { sdkPrograms, type SdkPrograms } from "../support/languages/nodejs";
import { readText, type ShownText, shownDiff } from "../support/languages/previewText";
import { python } from "../support/languages/python";
import { yaml } from "../support/languages/yaml";
import { ownPlugin } from "../support/plugin";
import { exampleProgram } from "../support/programs";
import { sharedCluster } from "../support/sandboxHooks";

const folderOf = (language: string) => path.resolve(__dirname, "../../examples", `lammps-${language}`);

// What is compared is the text of a preview, all of it: resources, their properties, outputs and counts. Long texts are
// cut there, and digests of the component's scripts and pod template are among the annotations. There is no difference
// to be explained: not even for a stack that one language has made and another one takes over.

describe("The example lammps, resized in another language after it was made by the classes, shows the same", () => {
  let sdk: SdkPrograms;
  let stack: TestStack;
  let namespace: string;
  let expected: ShownText;
  const project = { projectName: "minicluster-lammps", stackName: "dev" };
  const previewHere = async (program: Program) => {
    stack.program = program;
    return readText((await stack.preview({ diff: true })).stdout);
  };

  before(async function () {
    // The first time on a machine, it installs and compiles Pulumi's SDKs.
    this.timeout(900_000);
    sdk = sdkPrograms(["lammps"]);
    for (const host of [python, go, yaml]) await host.driver(folderOf(host.name));
    namespace = await sharedCluster().newNamespace();
    const { kubeconfigPath } = sharedCluster();
    const [program, plugins] = [exampleProgram("lammps"), ownPlugin()];
    stack = await createStack({ ...project, program, plugins, kubeconfigPath, config: { namespace } });
    await stack.up();
    await stack.setConfig("size", "6");
    expected = await previewHere(program);
    assert.deepEqual(shownDiff(expected, "JobPatch"), ["~ completions: 4 => 6", "~ parallelism: 4 => 6"]);
  });
  after(async () => {
    sdk.remove();
    await stack.destroy();
    assert.deepEqual(await leftIn(namespace), []);
    stack.dispose();
  });

  it("TypeScript, with the generated SDK", async () => {
    assert.equal(sdk.compilerErrors, "");
    assert.deepEqual(await previewHere(sdk.program("lammps")), expected);
  });

  for (const host of [python, go, yaml])
    it(host.name, async () => {
      const { kubeconfigPath } = sharedCluster();
      const options = { ...project, kubeconfigPath, config: { namespace, size: "6" }, startFrom: stack };
      const [outcome] = await withProgram(host, folderOf(host.name), options, ({ run }) => run({ kind: "preview" }));
      assert.ok(outcome?.ok, outcome?.error);
      assert.deepEqual(readText(outcome.text), expected);
    });
});
