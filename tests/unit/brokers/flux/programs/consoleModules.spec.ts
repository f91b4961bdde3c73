import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { consoleTexts } from "../../../../../provider/brokers/flux/programs";
import { inPrograms } from "../../../../support/consoleServer";

describe("the modules of the console", () => {
  it("gives a login an hour, and each user a rate", () => {
    const program = `import accounts, hashlib, json
user = {"role": "user", "hash": hashlib.sha256(b"t").hexdigest()}
one = accounts.Accounts({"secretKey": "k" * 9, "users": {"a": user}})
token = one.log_in(accounts.sign_claims(b"k" * 9, {"user": "a", "pass": "t", "scope": "token"}), 1000.0)
valid = [one.authenticate("Bearer " + token, 1000.0 + age) is not None for age in (0, 3599, 3600)]
user = one.by_token("t", 1000.0)
def allowed(now):
    for count in range(5000):
        try:
            one.limit(user, now)
        except accounts.Limited:
            return count
print(json.dumps([valid, allowed(3000.0), allowed(3002.0)]))`;
    assert.deepEqual(JSON.parse(inPrograms(program, [])), [[true, true, false], 2000, 200]);
  });

  it("sends what has changed of a job, and what it no longer has", () => {
    const program = `import board, json
one = board.Board()
job = {"f58": "f1", "state": "SCHED", "queue": "", "dependencies": [], "urgency": 16, "annotations": {}}
one.jobs[1] = {**job, "exception": board.NO_EXCEPTION}
def after(**change):
    one.jobs[1].update(change)
    one.changed[1] = None
    return one.changes({})
changes = ({}, {"state": "RUN"}, {"urgency": 0}, {"state": "INACTIVE"}, {"memo": 1})
print(json.dumps([*(after(**change) for change in changes), one.changes({})]))`;
    const whole = { f58: "f1", urgency: 16, runtime: 0 };
    assert.deepEqual(JSON.parse(inPrograms(program, [])), [
      [{ ...whole, state: "SCHED", waits: "It waits for free resources." }],
      [{ f58: "f1", state: "RUN", waits: null }],
      [{ f58: "f1", urgency: 0 }],
      [{ f58: "f1", state: "INACTIVE" }],
      [{ ...whole, urgency: 0, state: "INACTIVE", memo: 1 }],
      [],
    ]);
  });

  it("keeps a copy of the page below 2 MB, with the newest jobs, with any texts", () => {
    const program = [
      "import json, page, sys",
      "jobs = [{'id': 9999 - at, 'command': '<b>\u2028é' * 100} for at in range(10_000)]",
      "page.keep_copy(sys.stdin.read(), sys.argv[1], {'name': 'lab', 'jobs': jobs})",
    ].join("\n");
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "kept-")), "new", "lab.html");
    inPrograms(program, [file], consoleTexts["page.html"]);
    const html = fs.readFileSync(file, "utf8");
    const [, text = ""] = /<script type="application\/json" id="kept">(.*)<\/script>/.exec(html) ?? [];
    assert.ok(fs.statSync(file).size < 2_000_000 && !text.includes("<"), `${fs.statSync(file).size} bytes`);
    const { jobs, left } = JSON.parse(text) as { jobs: { id: number }[]; left: number };
    assert.equal(jobs.length + left, 10_000);
    assert.ok(jobs.length > 400);
    assert.deepEqual([jobs[0]?.id, jobs.at(-1)?.id], [9999, 10_000 - jobs.length]);
    fs.rmSync(path.dirname(path.dirname(file)), { recursive: true });
  });
});
