import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files, podPath } from "../../../support/scripts/paths";
import { aPod, type Pod, type ScriptOptions } from "../../../support/scripts/pod";

const archive = "/state/the run's $STATE/archive.tar.gz";
const directory = archive.slice(0, archive.lastIndexOf("/"));
const fresh = `${directory}/.saving.archive.tar.gz`;

/** A pod with an archive of this text from an earlier run, or with none. */
function anArchivingPod(args: Partial<MiniClusterArgs> = {}, text?: string): Pod {
  const pod = aPod({ ...args, archive: { path: archive } });
  if (text !== undefined) write(pod, archive, text);
  return pod;
}

function write(pod: Pod, file: string, text: string): void {
  fs.mkdirSync(pod.at(file.slice(0, file.lastIndexOf("/"))), { recursive: true });
  fs.writeFileSync(pod.at(file), text);
}

/** Checks that there is an archive of this text, and nothing beside it. */
function assertArchive(pod: Pod, text: string): void {
  assert.deepEqual(fs.readdirSync(pod.at(directory)), ["archive.tar.gz"]);
  assert.equal(fs.readFileSync(pod.at(archive), "utf8"), text);
}

/** The options on content of the broker that a run starts. */
async function contentOptions(pod: Pod, options?: ScriptOptions): Promise<string[]> {
  const run = await pod.run(files.broker, options);
  assert.equal(run.status, 0, run.stderr);
  const [broker] = pod.calls("flux").filter(({ words }) => ["start", "broker"].includes(words[1]!));
  return broker!.words.filter((word) => word.startsWith("-Scontent."));
}

describe("broker with an archive", () => {
  const restore = `-Scontent.restore=${archive}`;
  const dump = `-Scontent.dump=${fresh}`;

  it("starts afresh where there is none, restores the one that is there, and dumps its state", async () => {
    for (const interactive of [false, true]) {
      assert.deepEqual(await contentOptions(anArchivingPod({ interactive })), [dump]);
      assert.deepEqual(await contentOptions(anArchivingPod({ interactive }, "old")), [restore, dump]);
    }
  });

  for (const [state, want] of [
    ["run", [dump]],
    ["join", [restore, dump]],
  ] as const)
    // prettier-ignore
    it(`that starts again in its pod and was in state "${state}" before starts with ${want.join(" ")}`, async () => {
      const pod = anArchivingPod({}, "old");
      fs.mkdirSync(pod.at(podPath.state), { recursive: true });
      const ready = await pod.run(files.ready, { env: { STUB_UPTIME: ` 07:13:39 ${state} 1m,  owner root` } });
      assert.deepEqual([ready.status, ready.stderr], [state === "run" ? 0 : 1, ""]);
      assert.deepEqual(await contentOptions(pod), want);
    });

  it("removes what a run left that was broken off", async () => {
    const pod = anArchivingPod({}, "old");
    write(pod, fresh, "whole");
    const run = await pod.run(files.broker);
    assert.equal(run.status, 0);
    assertArchive(pod, "old");
    assert.match(run.stderr, /the state was not saved/);
  });

  it("neither restores nor dumps where it follows", async () => {
    const pod = anArchivingPod({ size: 2, flux: { completeWorkers: true } }, "old");
    assert.deepEqual(await contentOptions(pod, { rank: 1, env: { STUB_DUMP: "whole" } }), []);
    assertArchive(pod, "old");
  });
});

describe("archive", () => {
  it("takes the place of the former one at once, before the user's code after the run", async () => {
    const containers = [aContainer({ commands: { post: 'cat "$ARCHIVE"' } })];
    const pod = anArchivingPod({ containers }, "old");
    const reader = fs.openSync(pod.at(archive), "r");
    const run = await pod.run(files.broker, { env: { STUB_DUMP: "whole", ARCHIVE: pod.at(archive) } });
    assert.deepEqual([run.status, run.stderr], [0, ""]);
    assert.match(run.stdout, /^minicluster: the state is saved in .*\nwhole$/m);
    assertArchive(pod, "whole");
    // Whoever has the former file open still has it whole.
    assert.equal(fs.readFileSync(reader, "utf8"), "old");
    fs.closeSync(reader);
  });

  const ends: [name: string, env: Record<string, string>, status: number, kept: string][] = [
    ["all was well, on an image that has no Python to look into it", { STUB_DUMP: "of any form" }, 0, "of any form"],
    ["the command failed and the state is whole", { STUB_SUBMIT: "3", STUB_DUMP: "whole" }, 3, "whole"],
    ["the command failed and the state is broken", { STUB_SUBMIT: "3", STUB_DUMP: "who" }, 3, "old"],
    ["the command failed and there is no state", { STUB_SUBMIT: "3" }, 3, "old"],
    ["the broker failed and the state is broken", { STUB_START: "1", STUB_DUMP: "" }, 1, "old"],
    ["all was well but there is no state", {}, 0, "old"],
  ];
  for (const [name, env, status, kept] of ends)
    it(`is the ${kept === "old" ? "old" : "new"} one when ${name}`, async () => {
      const pod = anArchivingPod({ logging: { quiet: true } }, "old");
      const run = await pod.run(files.broker, { env });
      const word = `minicluster: the state was not saved; nothing has changed in ${archive}\n`;
      assert.deepEqual([run.status, run.stdout, run.stderr], [status, "", kept === "old" ? word : ""]);
      assertArchive(pod, kept);
      const test = ["flux", "python", "-m", "tarfile", "--test", fresh];
      const tests = pod.calls("flux", "python").map(({ words }) => words);
      assert.deepEqual(tests, status !== 0 && "STUB_DUMP" in env ? [test] : []);
    });

  for (const [interactive, behaviour] of [
    [true, "stay:0"],
    [false, "stay"],
    [false, "stay:7"],
  ] as const)
    // prettier-ignore
    it(`is saved when the pod is told to leave (interactive: ${interactive}, "${behaviour}")`, async () => {
      const pod = anArchivingPod({ interactive }, "old");
      const script = pod.start(files.broker, { env: { STUB_START: behaviour, STUB_DUMP: "whole" } });
      await pod.called(1, "flux", interactive ? "broker" : "start");
      script.terminate();
      const run = await script.ended;
      assert.equal(run.status, 143, run.stderr);
      assertArchive(pod, "whole");
    });
});
