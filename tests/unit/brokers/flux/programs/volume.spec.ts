import * as assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(__dirname, "../../../../..");
const PYTHONPATH = ["provider/brokers/flux/programs", "tests/support/fluxPython"]
  .map((directory) => path.join(root, directory))
  .join(":");

/** What the program sees in one look. */
interface Look {
  /** Seconds since the first look. */
  at: number;
  /** Bytes in MiB, of a volume of 1000 MiB. */
  free: number;
  state?: number;
  /** Entries of the content cache that no write is under way for. */
  stuck?: number;
  /** Jobs that run. */
  running?: number;
}

interface Queue {
  enable: boolean;
  start: boolean;
  disable_reason?: string;
  stop_reason?: string;
}

interface Result {
  /** Commands that were run, with the look. */
  commands: [look: number, command: string][];
  /** Lines of the log, with the look. */
  lines: [look: number, line: string][];
  /** The queues after each look. */
  queues: Record<string, Queue>[];
}

async function watch(looks: Look[], options: { version?: string; queues?: Record<string, Queue> } = {}) {
  const { version = "0.88.0", queues = { "": open } } = options;
  const program = `
import json, os, sys, tempfile
from pathlib import Path
import flux, volume
looks, queues = json.loads(sys.argv[1]), json.loads(sys.argv[2])
directory = Path(tempfile.mkdtemp())
commands, lines, after, number = [], [], [], 0
class Answer:
    def __init__(self, value): self.value = value
    def get(self): return self.value
class Handle:
    def attr_get(self, name):
        return {"statedir": str(directory), "version": "${version}", "broker.pid": "77"}[name]
    def rpc(self, topic, payload=None):
        now = looks[number]
        if topic == "content.stats-get":
            return Answer({"dirty": now.get("stuck", 0), "flush-batch-count": 0})
        if topic == "job-list.job-stats":
            return Answer({"job_states": {"run": now.get("running", 0), "cleanup": 0}})
        if topic == "kvs.getroot":
            return Answer({"rootref": "sha1-1"})
        if topic == "job-manager.queue-list":
            return Answer({"queues": [name for name in queues if name]})
        queue = queues[payload.get("name", "")]
        if topic == "job-manager.queue-status":
            return Answer(dict(queue))
        # As Flux, each needs all three, and a reason to close a queue.
        assert payload["all"] is False
        kind, verb = ("enable", "disable") if topic == "job-manager.queue-enable" else ("start", "stop")
        queue[kind] = payload[kind]
        queue.pop(verb + "_reason", None)
        if not payload[kind]:
            queue[verb + "_reason"] = payload["reason"]
        return Answer({})
class Ended:
    returncode = 0
    def poll(self): return 0
def run(words, **_):
    commands.append([number, " ".join(words[:2])])
    return Ended()
volume.subprocess.Popen = volume.subprocess.run = run
volume.say = lambda line: lines.append([number, line])
volume.os.kill = lambda pid, signal: commands.append([number, f"kill {pid} {int(signal)}"])
volume.space_of = lambda _: volume.Space(1000 << 20, looks[number]["free"] << 20, looks[number].get("state", 0) << 20)
volume.time.monotonic = lambda: 0.0
watched = volume.Volume(Handle())
for number, look in enumerate(looks):
    watched.look(look["at"])
    after.append(json.loads(json.dumps(queues)))
print(json.dumps({"commands": commands, "lines": lines, "queues": after}))`;
  const texts = [looks, queues].map((value) => JSON.stringify(value));
  const run = promisify(execFile)("python3", ["-B", "-c", program, ...texts], { env: { ...process.env, PYTHONPATH } });
  return JSON.parse((await run).stdout) as Result;
}

const open: Queue = { enable: true, start: true };
const reason = "the volume of the instance's state is full";
const closed: Queue = { enable: false, start: false, disable_reason: reason, stop_reason: reason };

describe("the program that watches the volume of an instance's state", () => {
  it("collects after a growth of a tenth of the free space, at most once a minute, and after an hour", async () => {
    const { commands } = await watch([
      { at: 0, free: 900, state: 10 },
      { at: 59, free: 800, state: 110 },
      { at: 60, free: 810, state: 100 },
      { at: 65, free: 810, state: 100 },
      { at: 3000, free: 750, state: 160 },
      { at: 3666, free: 750, state: 160 },
      { at: 3670, free: 750, state: 161 },
      { at: 9000, free: 750, state: 161 },
    ]);
    assert.deepEqual(commands, [
      [2, "flux gc"],
      [5, "flux gc"],
    ]);
  });

  it("starts no command that the version of Flux does not have", async () => {
    for (const version of ["0.86.0", "0.9.1", "0.87.0", "0.90.0-12-gabc", "1.0.0"]) {
      const { commands } = await watch(
        [
          { at: 0, free: 900 },
          { at: 99, free: 500, state: 400 },
        ],
        { version },
      );
      assert.deepEqual(commands, version.startsWith("0.86") || version.startsWith("0.9.") ? [] : [[1, "flux gc"]]);
    }
  });

  it("logs once that the volume fills up, before it is full", async () => {
    const { lines } = await watch([299, 200, 195, 99, 250].map((free, index) => ({ at: index, free })));
    assert.deepEqual(
      lines.map(([look, line]) => [look, line]),
      [
        [0, "the volume of the state is 70% full: 299 MiB of 1000 MiB are free"],
        [1, "the volume of the state is 80% full: 200 MiB of 1000 MiB are free"],
        [3, "the volume of the state is 90% full: 99 MiB of 1000 MiB are free"],
      ],
    );
  });

  it("closes the queues before a write fails, and opens them when there is room", async () => {
    const { queues, lines } = await watch([51, 49, 60, 99, 100].map((free, index) => ({ at: index, free })));
    assert.deepEqual(
      queues.map((queue) => queue[""]),
      [open, closed, closed, closed, open],
    );
    const want = "49 MiB of 1000 MiB are free. No job is accepted or started until 100 MiB are free";
    assert.ok(lines.some(([look, line]) => look === 1 && line === `${reason}: ${want}`));
    assert.ok(lines.some(([look, line]) => look === 4 && line.includes("has room again")));
  });

  it("leaves a queue as it is that somebody else has closed", async () => {
    const byHand: Queue = { enable: false, start: false, disable_reason: "repair", stop_reason: "repair" };
    const { queues } = await watch(
      [10, 500].map((free, index) => ({ at: index, free })),
      { queues: { cpu: open, gpu: byHand } },
    );
    assert.deepEqual(queues, [
      { cpu: closed, gpu: byHand },
      { cpu: open, gpu: byHand },
    ]);
  });

  it("renews a state with a write that has failed once there is room and no job runs", async () => {
    const { commands, queues } = await watch([
      { at: 0, free: 0, stuck: 3 },
      { at: 5, free: 0, stuck: 3 },
      { at: 10, free: 500, stuck: 3, running: 1 },
      { at: 15, free: 500, stuck: 3 },
    ]);
    assert.deepEqual(commands, [
      [3, "flux dump"],
      [3, "kill 77 9"],
    ]);
    // The next broker opens them.
    assert.deepEqual(queues[3], { "": closed });
  });

  it("renews a full state that this version of Flux cannot collect", async () => {
    const looks = [
      { at: 0, free: 51 },
      { at: 5, free: 40, running: 1 },
      { at: 10, free: 40 },
    ];
    assert.deepEqual((await watch(looks, { version: "0.86.0" })).commands, [
      [2, "flux dump"],
      [2, "kill 77 9"],
    ]);
    assert.deepEqual((await watch(looks)).commands, []);
  });
});
