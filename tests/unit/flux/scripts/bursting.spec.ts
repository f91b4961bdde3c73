import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod, type ScriptOptions } from "../../../support/scripts/pod";

const clusters = [{ name: "burst", size: 3 }];
const leadBroker = { address: "203.0.113.7", name: "demo", size: 2 };

const rootSide: Partial<MiniClusterArgs> = { size: 2, flux: { bursting: { clusters } } };

const burstSide = (container = {}, flux: MiniClusterArgs["flux"] = {}): Partial<MiniClusterArgs> => ({
  name: "burst",
  size: 2,
  maxSize: 3,
  containers: [aContainer({ command: undefined, ...container })],
  flux: { ...flux, bursting: { leadBroker, clusters } },
});

/** The words by which a rank starts its broker. */
async function startOf(args: Partial<MiniClusterArgs>, options: ScriptOptions): Promise<string[]> {
  const pod = aPod({ ...args, flux: { ...args.flux, completeWorkers: true } });
  const run = await pod.run(files.broker, options);
  assert.equal(run.status, 0, run.stderr);
  return pod.calls("flux", "start")[0]!.words;
}

describe("lead broker of an instance over clusters", () => {
  it("waits for its own cluster alone, knows the hosts of all, and is the parent of all", async () => {
    const pod = aPod(rootSide);
    assert.equal((await pod.run(files.broker)).status, 0);
    const { words } = pod.calls("flux", "start")[0]!;
    assert.ok(words.includes("-Sbroker.quorum=2"));
    assert.ok(words.includes("-Stbon.topo=kary:0"));
    const encode = ["flux", "R", "encode", "--hosts=demo-[0-1],burst-[0-2]", "--local"];
    assert.deepEqual(pod.calls("flux", "R")[0]?.words, encode);
  });
});

describe("cluster whose lead broker is in another one", () => {
  for (const index of [0, 1])
    it(`follows with index ${index}, with the options of the lead's own followers`, async () => {
      const words = await startOf(burstSide(), { rank: index });
      assert.deepEqual(words, await startOf(rootSide, { rank: 1 }));
      assert.ok(!words.some((word) => word.startsWith("-Sbroker.quorum")));
    });

  it("tries again with index 0 as well, until it is told to end", async () => {
    const pod = aPod(burstSide());
    const script = pod.start(files.broker, { rank: 0, env: { STUB_START: "1 0 stay:0" } });
    await pod.called(3, "flux", "start");
    script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.deepEqual(
      pod.calls("sleep").map(({ words }) => words[1]),
      ["1", "2"],
    );
  });

  it("runs the code for followers with index 0, and none for the lead", async () => {
    const commands = { pre: "task pre", brokerPre: "task broker", workerPre: "task worker", post: "task post" };
    const pod = aPod(burstSide({ commands }, { completeWorkers: true }));
    assert.equal((await pod.run(files.broker, { rank: 0 })).status, 0);
    assert.deepEqual(
      pod.calls("task").map(({ words }) => words[1]),
      ["pre", "worker", "post"],
    );
  });
});

describe("cluster with a minimal service", () => {
  it("has a flat tree on every rank", async () => {
    for (const rank of [0, 1]) {
      const words = await startOf({ size: 2, flux: { minimalService: true } }, { rank });
      assert.ok(words.includes("-Stbon.topo=kary:0"));
    }
  });
});
