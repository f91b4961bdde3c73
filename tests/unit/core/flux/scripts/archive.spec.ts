import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import type { MiniClusterArgs } from "../../../../../provider";
import { aContainer } from "../../../../support/fixtures";
import { files, podPath } from "../../../../support/scripts/paths";
import { aPod, type Pod, type ScriptOptions } from "../../../../support/scripts/pod";

const archive = "/state/the run's $STATE/archive.tar.gz";
const directory = path.posix.dirname(archive);
const fresh = `${directory}/.saving.archive.tar.gz`;

/** A pod with an archive of an earlier run, and with what a run has left that was broken off; or with neither. */
function anArchivingPod(args: Partial<MiniClusterArgs> = {}, hasArchive = true): Pod {
  const pod = aPod({ ...args, archive: { path: archive } });
  if (!hasArchive) return pod;
  fs.mkdirSync(pod.at(directory), { recursive: true });
  fs.writeFileSync(pod.at(archive), "old");
  fs.writeFileSync(pod.at(fresh), "whole");
  return pod;
}

/** Checks that there is an archive of this text, and nothing beside it. */
function assertArchive(pod: Pod, text: string): void {
  assert.deepEqual(fs.readdirSync(pod.at(directory)), ["archive.tar.gz"]);
  assert.equal(fs.readFileSync(pod.at(archive), "utf8"), text);
}

/** The options on content of the broker that a run starts. */
const contentOptions = async (pod: Pod, options?: ScriptOptions) =>
  (await pod.broker(options)).words.filter((word) => word.startsWith("-Scontent."));

describe("broker with an archive", () => {
  const restore = `-Scontent.restore=${archive}`;
  const dump = `-Scontent.dump=${fresh}`;

  it("starts afresh without one, restores an existing one, and dumps its state", async () => {
    for (const interactive of [false, true]) {
      assert.deepEqual(await contentOptions(anArchivingPod({ interactive }, false)), [dump]);
      assert.deepEqual(await contentOptions(anArchivingPod({ interactive })), [restore, dump]);
    }
  });

  for (const state of ["run", "join"])
    it(`restores it again in its pod ${state === "run" ? "not" : "even"} after state "${state}"`, async () => {
      const pod = anArchivingPod();
      fs.mkdirSync(pod.at(podPath.state), { recursive: true });
      const ready = await pod.run(files.ready, { env: { STUB_UPTIME: ` 07:13:39 ${state} 1m,  owner root` } });
      assert.deepEqual([ready.status, ready.stderr], [state === "run" ? 0 : 1, ""]);
      assert.deepEqual(await contentOptions(pod), state === "run" ? [dump] : [restore, dump]);
    });

  it("neither restores nor dumps on a follower", async () => {
    const pod = anArchivingPod({ size: 2, flux: { completeWorkers: true } });
    assert.deepEqual(await contentOptions(pod, { rank: 1, env: { STUB_DUMP: "new" } }), []);
    const texts = [archive, fresh].map((file) => fs.readFileSync(pod.at(file), "utf8"));
    assert.deepEqual(texts, ["old", "whole"]);
  });
});

describe("archive", () => {
  it("takes the place of the former one at once, before the user's code after the run", async () => {
    const pod = anArchivingPod({ containers: [aContainer({ commands: { post: 'cat "$ARCHIVE"' } })] });
    const reader = fs.openSync(pod.at(archive), "r");
    const run = await pod.run(files.broker, { env: { STUB_DUMP: "new", ARCHIVE: pod.at(archive) } });
    assert.deepEqual([run.status, run.stderr], [0, ""]);
    assert.match(run.stdout, /^minicluster: the state is saved in .*\nnew$/m);
    // A reader with the former file open still has it whole.
    assert.equal(fs.readFileSync(reader, "utf8"), "old");
    fs.closeSync(reader);
  });

  const ends: [name: string, env: Record<string, string>, status: number, kept: string][] = [
    ["all was well, on an image that has no Python to look into it", { STUB_DUMP: "of any form" }, 0, "of any form"],
    ["the command failed and the state is whole", { STUB_SUBMIT: "3", STUB_DUMP: "whole" }, 3, "whole"],
    ["the command failed and the state is broken", { STUB_SUBMIT: "3", STUB_DUMP: "who" }, 3, "old"],
    ["the broker failed and there is no state", { STUB_START: "1" }, 1, "old"],
    ["all was well but there is no state", {}, 0, "old"],
  ];
  for (const [name, env, status, kept] of ends)
    it(`is the ${kept === "old" ? "old" : "new"} one when ${name}`, async () => {
      const pod = anArchivingPod({ logging: { quiet: true } });
      const run = await pod.run(files.broker, { env });
      const word = `minicluster: the state was not saved; nothing has changed in ${archive}\n`;
      assert.deepEqual([run.status, run.stdout, run.stderr], [status, "", kept === "old" ? word : ""]);
      assertArchive(pod, kept);
      const isTested = status !== 0 && "STUB_DUMP" in env;
      assert.deepEqual(pod.wordsOf("flux", "python"), isTested ? [`-m tarfile --test ${fresh}`] : []);
    });

  for (const interactive of [true, false])
    it(`is saved when the pod is terminated, with any end of its broker (interactive: ${interactive})`, async () => {
      const pod = anArchivingPod({ interactive });
      const env = { STUB_START: interactive ? "stay:0" : "stay:7", STUB_DUMP: "whole" };
      await pod.leave(files.broker, { env }, 1, "flux", interactive ? "broker" : "start");
      assertArchive(pod, "whole");
    });
});
