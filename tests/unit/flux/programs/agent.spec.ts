import * as assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import type { ServerResponse } from "node:http";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { agentProgram } from "../../../../provider/minicluster/flux/programs/agent";
import { casesOf, valueIn } from "../../../support/cases";
import { type Demand, demandText, startLead, type StandInLead } from "../../../support/lead";

/** Looks of the real agent, each with its time and what somebody else changes before it, at a Job that is kept here. */
const harness = `
import json, signal, sys
import agent
settings = json.load(sys.stdin)
signal.signal(signal.SIGALRM, agent.too_slow)
agent.Lead.patience = 1

class Job(agent.Job):
    live = {"metadata": {"resourceVersion": "1"}, "spec": settings["job"], "status": settings["status"]}
    asked = []
    def ask(self, method, body=None):
        self.asked.append(method)
        if method == "PATCH":
            self.live["spec"].update(body["spec"])
        return json.loads(json.dumps(self.live))

job = Job({**settings, "namespace": "default", "name": "demo"}, "", None, None)
lead = agent.Lead(settings["url"], lambda: settings["key"].encode())
decider = agent.Decider(settings)
sizes = []
for now, change in settings["looks"]:
    job.live["spec"].update(change)
    try:
        agent.step(job, lead, decider, now)
    except ValueError as error:
        agent.say(str(error))
    sizes.append(job.live["spec"]["parallelism"])
print(json.dumps({"job": job.live["spec"], "asked": job.asked, "sizes": sizes}))
`;

const bounds = {
  ...{ min: 1, max: 8, idleSeconds: 0, cooldownSeconds: 0, maxStep: 100_000, restsAtZero: false },
  ...{ intervalSeconds: 1, status: {} },
};
const key = "the key";
const three = { parallelism: 3, completions: 3 };

describe("the agent", () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "agent-"));
  let lead: StandInLead;
  before(() => fs.writeFileSync(path.join(directory, "agent.py"), agentProgram));
  after(() => fs.rmSync(directory, { recursive: true }));
  beforeEach(async () => void (lead = await startLead("/demand/demo", Buffer.from(key))));
  afterEach(() => lead.stop());

  /** What it says, what becomes of the Job, and what it asks of the API server. */
  async function run({ looks = 1, ...own }: { looks?: number | object[] } & Record<string, unknown> = {}) {
    const each = typeof looks === "number" ? Array.from({ length: looks }, (_, now) => [now, {}]) : looks;
    const python = promisify(execFile)("python3", ["-B", "-c", harness], { cwd: directory, encoding: "utf8" });
    python.child.stdin?.end(JSON.stringify({ ...bounds, url: lead.url, key, job: three, ...own, looks: each }));
    const lines = (await python).stdout.trim().split("\n");
    const became = JSON.parse(lines.pop() ?? "") as { job: object; asked: string[]; sizes: number[] };
    return { said: lines, ...became };
  }

  /** Says why it does nothing, and does nothing. */
  async function doesNothing(reason: RegExp, own?: object) {
    const { said, job } = await run({ ...own });
    assert.deepEqual([job, said.length], [three, 1]);
    assert.match(said[0] ?? "", reason);
  }

  /** What is told, and set by somebody else, at a time: jobs on so many hosts, and those that wait. */
  type Look = Omit<Demand, "pending"> & { pending?: number[]; busy?: number; set?: number };
  const told = ({ pending = [], busy = 0, set: _set, ...demand }: Look) => ({
    ...{ running: busy > 0 ? 1 : 0, allocated: busy, ...demand },
    pending: pending.map((hosts, index) => ({ id: `f${index}`, hosts })),
  });

  // The looks at the queue by their times, in seconds, and the sizes after them.
  const decisions = `
# A wide job grows it at once, and it shrinks when its hosts were idle for long enough.
{0: {pending: [6]}, 5: {pending: [6]}, 20: {busy: 6}, 50: {}, 70: {}, 81: {}}
  6, 6, 6, 6, 6, 1
# Hosts are added to those that are taken or drained, and shares of hosts to each other.
{0: {busy: 2, pending: [3]}}
  5
{0: {pending: [0.4, 0.4, 0.4, 0.4]}}
  2
{0: {drained: 1, pending: [2]}}
  3
# It keeps its hosts through a queue that flaps.
{0: {pending: [4]}, 20: {}, 40: {pending: [4]}, 60: {}, 80: {pending: [4]}, 100: {}, 120: {}}
  4, 4, 4, 4, 4, 4, 4
# A host that has a job never goes: the highest ranks go first.
{0: {pending: [6]}, 20: {allocated: 1, highestRank: 5}, 100: {allocated: 1, highestRank: 5}, 200: {}}
  6, 6, 6, 1
# It waits out its pause between two changes, and goes by steps where it has to.
{maxStep: 3, 0: {pending: [8]}, 5: {pending: [8]}, 10: {pending: [8]}, 20: {pending: [8]}, 100: {}, 110: {}}
  4, 4, 7, 8, 5, 2
# It keeps to its bounds, and brings a size back to them that somebody else has set.
{min: 2, 0: {busy: 1}}
  2
{0: {set: 20}}
  8
{min: 3, 0: {set: 1}}
  3
# A size that was wanted once is no reason to grow.
{0: {pending: [6]}, 30: {busy: 6}, 65: {set: 3}}
  6, 6, 3
# Nothing is forgotten while the demand is not known: a lead broker that restarts loses no host.
{0: {pending: [4]}, 10: {busy: 4}, 60: unknown, 100: {}, 130: {}, 165: {}}
  4, 4, 4, 4, 4, 1
`;
  for (const { title, given, want } of casesOf(decisions))
    it(`decides: ${title}`, async () => {
      const all = Object.entries(valueIn(given) as Record<string, Look | "unknown">);
      const looks = all.filter(([name]) => /^\d/.test(name));
      const settings = Object.fromEntries(all.filter(([name]) => !/^\d/.test(name)));
      const own = { ...bounds, idleSeconds: 60, cooldownSeconds: 10, intervalSeconds: 0, ...(settings as object) };
      lead.tell(looks.map(([, look]) => (look === "unknown" ? look : demandText(told(look)))));
      const { sizes } = await run({
        ...{ ...own, job: { parallelism: own.min, completions: own.min } },
        looks: looks.map(([now, look]) => [Number(now), (look as Look).set ? { parallelism: (look as Look).set } : {}]),
      });
      assert.equal(sizes.join(", "), want[0]);
    });

  it("keeps the size while nobody is there", async () => {
    lead.stop();
    await doesNothing(/^size 3: the lead broker's pod does not tell its demand: .*refused/);
  });

  const silent = /does not tell its demand: it is too slow$/;
  const nobody = /tells nonsense: it does not prove to have the key$/;
  const others: [name: string, respond: (response: ServerResponse) => void, says: RegExp][] = [
    ["says nothing", () => undefined, silent],
    ["begins and says no more", (response) => void response.write("{"), silent],
    ["goes on without an end", (response) => void setInterval(() => response.write(" "), 50).unref(), silent],
    [
      "leads elsewhere",
      (response) => response.writeHead(302, { Location: "http://127.0.0.1/" }).end(),
      /does not tell its demand: it answers with status 302$/,
    ],
    [
      "speaks of something else",
      (response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
      /does not tell its demand: SSH-2.0-OpenSSH_9.6/,
    ],
    ["says too much", (response) => response.end("a".repeat(2_000_000)), nobody],
    [
      "does not have the key",
      (response) => response.setHeader("Proof", "0".repeat(64)).end(demandText({ allocated: 8 })),
      nobody,
    ],
  ];
  for (const [name, respond, says] of others)
    it(`keeps the size where who answers ${name}`, async () => {
      lead.answer(respond);
      await doesNothing(says);
    });

  it("is told nothing where it has another key", () =>
    doesNothing(/does not tell its demand: it answers with status 403$/, { key: "another" }));

  const job = (hosts: unknown, id: unknown = "f1") => `{"id": ${JSON.stringify(id)}, "hosts": ${String(hosts)}}`;
  const demand = (pending: string, allocated = "0") =>
    `{"pending": [${pending}], "running": 0, "allocated": ${allocated}, "drained": 0, "highestRank": 0}`;
  const nonsense = {
    "no JSON": "hosts: 5",
    "nothing of a demand": "{}",
    "a list": "[1, 2]",
    "jobs that are none": demand('"f1"'),
    "a number in words": demand(job('"5"')),
    "a number below zero": demand(job(-5)),
    "no number": demand(job("NaN")),
    "a number without an end": demand(job("Infinity")),
    "a number past all hosts": demand("", "1e300"),
    "true for a number": demand("", "true"),
    "a name of more lines": demand(job(5, "f1\nsize 3 => 8")),
    "brackets without an end": "[".repeat(100_000),
  };
  it("keeps the size where nonsense is told by who has the key", async () => {
    const texts = Object.values(nonsense);
    lead.tell(texts);
    const { said, job } = await run({ looks: texts.length });
    assert.deepEqual(lead.asked, Array(texts.length).fill("/demand/demo"));
    assert.deepEqual(job, three);
    for (const line of said) assert.match(line, /^size 3: the lead broker's pod tells nonsense: /);
  });

  it("stays in its bounds, whatever is told by who has the key", async () => {
    const most = { allocated: 999_999, drained: 999_999, highestRank: 999_999 };
    lead.tell([demandText({ ...most, pending: [{ id: "f1", hosts: 8 }] }), demandText({})]);
    const { said, sizes } = await run({ looks: 3 });
    assert.deepEqual(sizes, [8, 1, 1]);
    // A job as wide as its bounds is not one that can never fit.
    assert.equal(said[0], "size 3 => 8: 0 running on 999999 hosts, 1 pending for 8");
  });

  it("grows for no job that is wider than its bounds, and names it", async () => {
    lead.tell(told({ allocated: 3, pending: [9, 2] }));
    const { said, job } = await run();
    assert.deepEqual(said, ["size 3 => 5: 0 running on 3 hosts, 2 pending for 11 (f0 can never have more than 8)"]);
    assert.deepEqual(job, { parallelism: 5, completions: 5 });
  });

  it("keeps hosts for a drain that does not end", async () => {
    // The pods that leave are drained, and have a job: they are no reason to grow, and go when they may.
    lead.tell({ running: 1, allocated: 3 });
    const { said } = await run({ looks: 50, job: { parallelism: 1, completions: 1 } });
    const text = "1 running on 3 hosts, 0 pending for 0";
    assert.deepEqual(said, [`size 1 => 3: ${text}`, `size 3: ${text}`]);
  });

  it("asks the API server at one of six looks, and before each change", async () => {
    lead.tell({ running: 1, allocated: 3 });
    assert.deepEqual((await run({ looks: 7 })).asked, ["GET", "GET"]);
    lead.tell({ running: 1, allocated: 4 });
    assert.deepEqual((await run({ looks: 3 })).asked, ["GET", "GET", "PATCH", "GET"]);
  });

  it("changes no Job that somebody has changed since it looked, and looks again", async () => {
    const [stays, grows] = [told({ allocated: 3 }), told({ allocated: 3, pending: [2] })].map(demandText);
    const looks = [0, 1, 2].map((now) => [now, now === 1 ? { parallelism: 4, completions: 4 } : {}]);
    lead.tell([stays!, grows!]);
    const { said, asked, sizes } = await run({ looks });
    const text = "0 running on 3 hosts, 1 pending for 2";
    assert.deepEqual(said.slice(1), [`size 3 => 5: ${text}`, "the Job has changed", `size 4 => 5: ${text}`]);
    assert.deepEqual(asked, ["GET", "GET", "GET", "GET", "PATCH"]);
    assert.deepEqual(sizes, [3, 4, 5]);
  });

  for (const [what, own] of Object.entries({
    suspended: { job: { ...three, suspend: true } },
    ended: { status: { conditions: [{ type: "Complete", status: "True" }] } },
  }))
    it(`leaves a Job alone that is ${what}`, async () => {
      lead.tell({ allocated: 8 });
      const { said, asked } = await run(own);
      assert.deepEqual([said, asked], [["size 3: the Job has ended or is suspended"], ["GET"]]);
    });

  it("brings a Job that rests to the size that is needed, and back to rest", async () => {
    const rests = { parallelism: 1, completions: 1, suspend: true };
    const own = { min: 0, restsAtZero: true, job: rests };
    const { said, job } = await run(own);
    assert.deepEqual([said, job], [["size 0: 0 running on 0 hosts, 0 pending for 0"], rests]);
    lead.tell(told({ pending: [5] }));
    const grown = await run(own);
    assert.deepEqual(grown.said, ["size 0 => 5: 0 running on 0 hosts, 1 pending for 5"]);
    assert.deepEqual(grown.job, { parallelism: 5, completions: 5, suspend: false });
    lead.tell({});
    assert.deepEqual((await run({ ...own, job: grown.job })).job, rests);
    assert.deepEqual((await run({ ...own, min: 2 })).sizes, [2]);
  });
});
