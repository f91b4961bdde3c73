import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aBursting, aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod, type Pod } from "../../../support/scripts/pod";

/** What is said of the root. */
const root = (args: Partial<MiniClusterArgs>, spanClusters: boolean) => ({
  ...{ name: "home", size: 2, maxSize: 4, bursting: aBursting({ spanClusters }) },
  ...args,
});

async function run(pod: Pod): Promise<string[]> {
  const ended = await pod.run(files.broker);
  assert.equal(ended.status, 0, ended.stderr);
  return (pod.calls("flux", "start")[0] ?? assert.fail("no broker was started")).words;
}

describe("the command of a cluster that others may join", () => {
  /** The words by which the lead submits the command, from the name of the submit command on. */
  async function submitted(args: Partial<MiniClusterArgs>, spanClusters = true): Promise<string[]> {
    const words = await run(aPod(root(args, spanClusters)));
    return words.slice(words.findIndex((word) => /^(-n|-N)$/.test(word)));
  }
  const told = (words: string[]) => words.filter((word) => word.startsWith("--requires"));
  const batch = { containers: [aContainer({ batch: true })] };

  it("stays on the hosts of its own cluster, where jobs may span all of them", async () =>
    assert.deepEqual(await submitted({ size: 2 }), "-n 1 --requires=home --quiet --watch echo hello world".split(" ")));

  it("stays there as a batch job, too", async () => {
    const pod = aPod(root({ size: 2, ...batch }, true));
    await run(pod);
    const [submit] = pod.calls("flux", "batch");
    assert.deepEqual(submit?.words.slice(2, -1), ["-n", "1", "--requires=home", "--output=kvs"]);
  });

  it("has the user's options behind that", async () =>
    assert.deepEqual((await submitted({ size: 2, flux: { optionFlags: "-g 1" } })).slice(2, 5), [
      ...["--requires=home", "-g", "1"],
    ]));

  const own: [name: string, optionFlags: string, want: string[]][] = [
    ["in one word", "--requires=cloud", ["--requires=cloud"]],
    ["in two words", "--requires cloud", ["--requires"]],
    ["behind others", "-g 1 --requires=home|cloud", ["--requires=home|cloud"]],
  ];
  for (const [kind, args] of Object.entries({ command: {}, "batch job": batch }))
    for (const [name, optionFlags, want] of own)
      it(`goes as a ${kind} where the user wants it, said ${name}`, async () =>
        assert.deepEqual(told(await submitted({ ...args, flux: { optionFlags } })), want));

  it("goes where its own submit command says", async () => {
    const words = await run(aPod(root({ flux: { submitCommand: "flux submit --requires=cloud" } }, true)));
    assert.deepEqual(told(words), ["--requires=cloud"]);
  });

  it("is kept there by its queue alone, where there are queues", async () => {
    assert.deepEqual(told(await submitted({}, false)), []);
    assert.deepEqual(told(await submitted(batch, false)), []);
  });

  it("has nothing said of it where it launches jobs itself", async () => {
    const containers = [aContainer({ launcher: true, command: "task flow.py" })];
    const words = await run(aPod(root({ containers }, true)));
    assert.deepEqual(words.slice(-2), ["task", "flow.py"]);
    assert.deepEqual(told(words), []);
  });

  it("has nothing said of it where nobody may join", async () =>
    assert.deepEqual(told(await run(aPod({ size: 2 }))), []));
});
