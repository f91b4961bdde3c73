import * as fs from "node:fs";
import * as path from "node:path";
import { address } from "../../sdk/generator/address";
import { itRunsExamples } from "../support/languages/exampleTests";
import { go, runGo } from "../support/languages/go";

const root = path.resolve(__dirname, "../..");
const workspace = path.join(root, "tests/support/languages/go");
const example = (name: string) => path.join(root, "examples", name);
const examples = fs.readdirSync(path.join(root, "examples")).filter((name) => name.endsWith("-go"));

describe("A program in Go", () => {
  before(async function () {
    // The first time on a machine, it compiles Pulumi's SDKs.
    this.timeout(900_000);
    for (const name of examples) await go.driver(example(name));
  });

  itRunsExamples(go);
});

describe("The SDK for Go", () => {
  // The first time on a machine, go vet compiles for itself.
  const compiling = 900_000;

  it("passes go vet, as do the programs of the tests", () =>
    runGo(workspace, ["vet", "-trimpath", "./...", `${address.goModule}/...`])).timeout(compiling);

  for (const name of examples)
    it(`serves ${name} as it stands: it passes go vet and has nothing to tidy`, async () => {
      await runGo(example(name), ["vet", "-trimpath", "./..."], { workspace: false });
      await runGo(example(name), ["mod", "tidy", "-diff"], { workspace: false });
    }).timeout(compiling);
});
