import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files, podPath } from "../../../support/scripts/paths";
import { aPod, type Pod, type ScriptOptions } from "../../../support/scripts/pod";

const archive = "/state/the run's $STATE/archive.tar.gz";
const directory = archive.slice(0, archive.lastIndexOf("/"));
const fresh = `${directory}/.saving.archive.tar.gz`;

const anArchivingPod = (args: Partial<MiniClusterArgs> = {}) => aPod({ ...args, archive: { path: archive } });

function write(pod: Pod, file: string, text: string): void {
  fs.mkdirSync(pod.at(file.slice(0, file.lastIndexOf("/"))), { recursive: true });
  fs.writeFileSync(pod.at(file), text);
}

const read = (pod: Pod) => fs.readFileSync(pod.at(archive), "utf8");
const filesIn = (pod: Pod) => fs.readdirSync(pod.at(directory));

/** The options on content of the broker that a run starts. */
async function contentOptions(pod: Pod, options?: ScriptOptions): Promise<string[]> {
  const run = await pod.run(files.broker, options);
  assert.equal(run.status, 0, run.stderr);
  const [broker] = pod.calls("flux").filter(({ words }) => ["start", "broker"].includes(words[1]!));
  return broker!.words.filter((word) => word.startsWith("-Scontent."));
}

describe("lead broker with an archive", () => {
  const restore = `-Scontent.restore=${archive}`;
  const dump = `-Scontent.dump=${fresh}`;

  for (const interactive of [false, true])
    it(`starts afresh where there is none, and dumps its state (interactive: ${interactive})`, async () => {
      assert.deepEqual(await contentOptions(anArchivingPod({ interactive })), [dump]);
    });

  it("restores the one that is there", async () => {
    const pod = anArchivingPod();
    write(pod, archive, "old");
    assert.deepEqual(await contentOptions(pod), [restore, dump]);
  });

  const restarts: [state: string, status: number, expected: string[]][] = [
    ["run", 0, [dump]],
    ["join", 1, [restore, dump]],
  ];
  for (const [state, status, expected] of restarts)
    it(`that starts again in its pod and was in state "${state}" before starts with ${expected.join(" ")}`, async () => {
      const pod = anArchivingPod();
      write(pod, archive, "old");
      fs.mkdirSync(pod.at(podPath.state), { recursive: true });
      const ready = await pod.run(files.ready, { env: { STUB_UPTIME: ` 07:13:39 ${state} 1m,  owner root` } });
      assert.deepEqual([ready.status, ready.stderr], [status, ""]);
      assert.deepEqual(await contentOptions(pod), expected);
    });

  it("removes what a run left that was broken off", async () => {
    const pod = anArchivingPod();
    write(pod, archive, "old");
    write(pod, fresh, "whole");
    const run = await pod.run(files.broker);
    assert.equal(run.status, 0);
    assert.deepEqual([filesIn(pod), read(pod)], [["archive.tar.gz"], "old"]);
    assert.match(run.stderr, /the state was not saved/);
  });
});

it("a follower of a cluster with an archive neither restores nor dumps", async () => {
  const pod = anArchivingPod({ size: 2, flux: { completeWorkers: true } });
  write(pod, archive, "old");
  assert.deepEqual(await contentOptions(pod, { rank: 1, env: { STUB_DUMP: "whole" } }), []);
  assert.deepEqual([filesIn(pod), read(pod)], [["archive.tar.gz"], "old"]);
});

describe("archive", () => {
  it("takes the place of the former one at once", async () => {
    const pod = anArchivingPod();
    write(pod, archive, "old");
    const reader = fs.openSync(pod.at(archive), "r");
    const run = await pod.run(files.broker, { env: { STUB_DUMP: "whole" } });
    assert.deepEqual([run.status, run.stderr], [0, ""]);
    assert.ok(run.stdout.includes(`minicluster: the state is saved in ${archive}`));
    assert.deepEqual([filesIn(pod), read(pod)], [["archive.tar.gz"], "whole"]);
    // Whoever has the former file open still has it whole.
    assert.equal(fs.readFileSync(reader, "utf8"), "old");
    fs.closeSync(reader);
  });

  it("is not doubted after a run that ended well, on an image that has no Python", async () => {
    const pod = anArchivingPod();
    assert.equal((await pod.run(files.broker, { env: { STUB_DUMP: "of any form" } })).status, 0);
    assert.equal(read(pod), "of any form");
    assert.deepEqual(pod.calls("flux", "python"), []);
  });

  const failures: [name: string, env: Record<string, string>, status: number, kept: string][] = [
    ["the command failed and the state is whole", { STUB_SUBMIT: "3", STUB_DUMP: "whole" }, 3, "whole"],
    ["the command failed and the state is broken", { STUB_SUBMIT: "3", STUB_DUMP: "who" }, 3, "old"],
    ["the command failed and there is no state", { STUB_SUBMIT: "3" }, 3, "old"],
    ["the broker failed and the state is broken", { STUB_START: "1", STUB_DUMP: "" }, 1, "old"],
    ["all was well but there is no state", {}, 0, "old"],
  ];
  for (const [name, env, status, kept] of failures)
    it(`is the ${kept === "old" ? "old" : "new"} one when ${name}`, async () => {
      const pod = anArchivingPod({ logging: { quiet: true } });
      write(pod, archive, "old");
      const run = await pod.run(files.broker, { env });
      assert.equal(run.status, status);
      assert.deepEqual([filesIn(pod), read(pod)], [["archive.tar.gz"], kept]);
      assert.equal(run.stdout, "");
      const word = `minicluster: the state was not saved; nothing has changed in ${archive}\n`;
      assert.equal(run.stderr, kept === "old" ? word : "");
      const test = ["flux", "python", "-m", "tarfile", "--test", fresh];
      const tests = pod.calls("flux", "python").map(({ words }) => words);
      assert.deepEqual(tests, status !== 0 && "STUB_DUMP" in env ? [test] : []);
    });

  for (const behaviour of ["stay:0", "stay", "stay:7"])
    // prettier-ignore
    for (const args of [{ interactive: true }, {}])
      it(`is saved when the pod is told to leave (${JSON.stringify(args)}, "${behaviour}")`, async () => {
        const pod = anArchivingPod(args);
        write(pod, archive, "old");
        const script = pod.start(files.broker, { env: { STUB_START: behaviour, STUB_DUMP: "whole" } });
        await pod.called(1, "flux", args.interactive ? "broker" : "start");
        script.terminate();
        const run = await script.ended;
        assert.equal(run.status, 143, run.stderr);
        assert.deepEqual([filesIn(pod), read(pod)], [["archive.tar.gz"], "whole"]);
      });

  it("is saved before the user's code after the run", async () => {
    const post = 'cat "$ARCHIVE"';
    const pod = anArchivingPod({ containers: [aContainer({ commands: { post } })] });
    const run = await pod.run(files.broker, { env: { STUB_DUMP: "whole", ARCHIVE: pod.at(archive) } });
    assert.match(run.stdout, /whole$/);
  });
});
