import * as assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import { oddJobs } from "../../../../support/jobspecs";

const root = path.resolve(__dirname, "../../../../..");
const programs = path.join(root, "provider/brokers/flux/programs");
const support = path.join(root, "tests/support");

/** What a Python program prints beside the stand-in of Flux. */
async function printed(args: string[], input = ""): Promise<Record<string, unknown>> {
  const env = { ...process.env, PYTHONPATH: `${path.join(support, "fluxPython")}:${programs}` };
  const run = promisify(execFile)("python3", ["-B", ...args], { env, maxBuffer: 2 ** 26 });
  run.child.stdin?.end(input);
  return JSON.parse((await run).stdout) as Record<string, unknown>;
}

describe("the programs beside Flux", function () {
  this.timeout(10 * 60_000);

  it("live on after a thousand odd jobs that Flux accepts, and list, requeue and place each of them", async () => {
    const input = JSON.stringify(oddJobs(2600, 1));
    const { accepted, requeued, ...rest } = await printed([path.join(support, "oddJobs.py"), programs], input);
    assert.deepEqual(rest, { failed: [], missing: [], skipped: 0, refused: [] });
    assert.ok(Number(accepted) >= 1000, `${String(accepted)} were accepted`);
    assert.ok(Number(requeued) > 100);
  });

  it("read the memo of a job whose texts have line separators of Unicode", async () => {
    const program = String.raw`
import json, placing
texts = "\n \r \v \f \x1c \x1d \x1e \x85 \u2028 \u2029"
memo = {"queue": texts, "round": 1, "tried": [texts], "why": texts, "at": 1.0}
events = [
    {"name": "memo", "timestamp": 1.0, "context": {"place": memo}},
    {"name": "priority", "timestamp": 2.0, "context": {"priority": 16}},
]
log = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
past = placing.past_of({"jobspec": {"attributes": {}}, "eventlog": log})
print(json.dumps({"same": past.memo == memo, "since": past.since}))`;
    assert.deepEqual(await printed(["-c", program]), { same: true, since: 2 });
  });

  it("read the jobspec of each of many pending jobs once, and again if it moves to another queue", async () => {
    const program = `
import json, state
from types import SimpleNamespace
asked = []
state.jobspec_of = lambda _, job: asked.append(job) or {"resources": []}
jobs = [SimpleNamespace(id=number, queue="home") for number in range(20_000)]
specs, counts = state.Jobspecs(), []
def look():
    asked.clear()
    found = specs.read(None, jobs)
    counts.append([len(found), len(asked)])
look()
look()
jobs[7].queue = "far"
look()
del jobs[100:]
look()
print(json.dumps({"counts": counts, "kept": len(specs.known)}))`;
    const counts = [
      [20_000, 20_000],
      [20_000, 0],
      [20_000, 1],
      [100, 0],
    ];
    assert.deepEqual(await printed(["-c", program]), { counts, kept: 100 });
  });
});
