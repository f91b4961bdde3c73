import * as assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import type { ServerResponse } from "node:http";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { agentProgram } from "../../../../provider/minicluster/flux/programs/agent";
import { demandText, startLead, type StandInLead } from "../../../support/lead";

/** Looks of the real agent, one after the other, at a lead broker's pod and at a Job that is kept here. */
const harness = `
import json, signal, sys
import agent
settings = json.load(sys.stdin)
signal.signal(signal.SIGALRM, agent.too_slow)
agent.Lead.patience = 1

class Job(agent.Job):
    live = {"metadata": {"resourceVersion": "1"}, "spec": settings["job"]}
    asked = []
    def ask(self, method, body=None):
        self.asked.append(method)
        if method == "PATCH":
            self.live["spec"].update(body["spec"])
        return json.loads(json.dumps(self.live))

job = Job({**settings, "namespace": "default", "name": "demo"}, "", None, None)
lead = agent.Lead(settings["url"], lambda: settings["key"].encode())
decider = agent.Decider(settings)
for now in range(settings["looks"]):
    if now == 1:
        job.live["spec"].update(settings.get("meanwhile", {}))
    try:
        agent.step(job, lead, decider, now)
    except ValueError as error:
        agent.say(str(error))
print(json.dumps(job.asked))
print(json.dumps(job.live["spec"]))
`;

const bounds = {
  ...{ min: 1, max: 8, idleSeconds: 0, cooldownSeconds: 0, maxStep: 100_000, restsAtZero: false },
  intervalSeconds: 1,
};
const key = "the key";

describe("the agent", () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "agent-"));
  let lead: StandInLead;
  before(() => fs.writeFileSync(path.join(directory, "agent.py"), agentProgram));
  after(() => fs.rmSync(directory, { recursive: true }));
  beforeEach(async () => void (lead = await startLead("/demand/demo", Buffer.from(key))));
  afterEach(() => lead.stop());

  /** What it says, what becomes of the Job, and what it asks of the API server. */
  async function run(own: object = {}, job: object = { parallelism: 3, completions: 3 }) {
    const python = promisify(execFile)("python3", ["-B", "-c", harness], { cwd: directory, encoding: "utf8" });
    python.child.stdin?.end(JSON.stringify({ ...bounds, url: lead.url, key, looks: 1, job, ...own }));
    const lines = (await python).stdout.trim().split("\n");
    const [asked, became] = lines.slice(-2).map((line) => JSON.parse(line) as unknown);
    return { said: lines.slice(0, -2), job: became as Record<string, unknown>, asked };
  }
  const look = async (...given: Parameters<typeof run>) => {
    const { said, job } = await run(...given);
    return { said, job };
  };

  /** Says why it does nothing, and does nothing. */
  async function doesNothing(reason: RegExp, own?: object) {
    const { said, job } = await look(own);
    assert.deepEqual(job, { parallelism: 3, completions: 3 });
    assert.equal(said.length, 1);
    assert.match(said[0] ?? "", reason);
  }

  it("does what the lead broker's pod tells", async () => {
    lead.tell({ pending: [{ id: "f1", hosts: 5 }] });
    assert.deepEqual(await look(), {
      said: ["size 3 => 5: 0 running on 0 hosts, 1 pending for 5"],
      job: { parallelism: 5, completions: 5 },
    });
    assert.deepEqual(lead.asked, ["/demand/demo"]);
  });

  it("keeps the size while nobody is there", async () => {
    lead.stop();
    await doesNothing(/^size 3: the lead broker's pod does not tell its demand: .*refused/);
  });

  const slow: [name: string, respond: (response: ServerResponse) => void][] = [
    ["says nothing", () => undefined],
    ["begins and says no more", (response) => void response.write("{")],
    ["goes on without an end", (response) => void setInterval(() => response.write(" "), 50).unref()],
  ];
  for (const [name, respond] of slow)
    it(`keeps the size where the lead broker's pod ${name}`, async () => {
      lead.answer(respond);
      await doesNothing(/does not tell its demand: it is too slow$/);
    });

  it("keeps the size where something else answers", async () => {
    lead.answer((response) => response.writeHead(302, { Location: "http://127.0.0.1/" }).end());
    await doesNothing(/does not tell its demand: it answers with status 302$/);
    lead.answer((response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"));
    await doesNothing(/does not tell its demand: SSH-2.0-OpenSSH_9.6/);
    lead.answer((response) => response.end("a".repeat(2_000_000)));
    await doesNothing(/tells nonsense: it does not prove to have the key$/);
  });

  it("believes nobody who does not have the key, and nobody tells a demand to whoever has another", async () => {
    lead.answer((response) => response.setHeader("Proof", "0".repeat(64)).end(demandText({ allocated: 8 })));
    await doesNothing(/tells nonsense: it does not prove to have the key$/);
    await doesNothing(/does not tell its demand: it answers with status 403$/, { key: "another" });
  });

  const job = (hosts: unknown, id: unknown = "f1") => `{"id": ${JSON.stringify(id)}, "hosts": ${String(hosts)}}`;
  const demand = (pending: string, rest = '"running": 0, "allocated": 0, "drained": 0, "highestRank": 0') =>
    `{"pending": [${pending}], ${rest}}`;
  const nonsense = {
    "no JSON": "hosts: 5",
    "nothing of a demand": "{}",
    "a list": "[1, 2]",
    "jobs that are none": demand('"f1"'),
    "a number in words": demand(job('"5"')),
    "a number below zero": demand(job(-5)),
    "no number": demand(job("NaN")),
    "a number without an end": demand(job("Infinity")),
    "a number past all hosts": demand("", '"running": 0, "allocated": 1e300, "drained": 0, "highestRank": 0'),
    "true for a number": demand("", '"running": 0, "allocated": true, "drained": 0, "highestRank": 0'),
    "a name of more lines": demand(job(5, "f1\nsize 3 => 8")),
    "brackets without an end": "[".repeat(100_000),
  };
  it("keeps the size where nonsense is told by who has the key", async () => {
    const told = Object.values(nonsense);
    lead.tell(told);
    const { said, job } = await look({ looks: told.length });
    assert.equal(lead.asked.length, told.length);
    assert.deepEqual(job, { parallelism: 3, completions: 3 });
    for (const line of said) assert.match(line, /^size 3: the lead broker's pod tells nonsense: /);
  });

  it("stays in its bounds, whatever is told by who has the key", async () => {
    const most = { allocated: 999_999, drained: 999_999, highestRank: 999_999, pending: [{ id: "f1", hosts: 8 }] };
    lead.tell(most);
    assert.equal((await look()).job["parallelism"], 8);
    lead.tell({});
    assert.equal((await look({ looks: 2 })).job["parallelism"], 1);
  });

  it("grows for no job that is wider than its bounds, and names it", async () => {
    lead.tell({ allocated: 3, pending: [{ id: "f9", hosts: 9 }] });
    const { said, job } = await look();
    assert.deepEqual(said, ["size 3: 0 running on 3 hosts, 1 pending for 9 (f9 can never have more than 8)"]);
    assert.equal(job["parallelism"], 3);
  });

  it("keeps hosts for a drain that does not end", async () => {
    // The pods that leave are drained, and have a job: they are no reason to grow, and go when they may.
    lead.tell({ running: 1, allocated: 3 });
    const { said, job } = await look({ looks: 50 }, { parallelism: 1, completions: 1 });
    assert.deepEqual(said, [
      "size 1 => 3: 1 running on 3 hosts, 0 pending for 0",
      "size 3: 1 running on 3 hosts, 0 pending for 0",
    ]);
    assert.equal(job["parallelism"], 3);
  });

  it("asks the API server at one of six looks, and before each change", async () => {
    lead.tell({ running: 1, allocated: 3 });
    assert.deepEqual((await run({ looks: 7 })).asked, ["GET", "GET"]);
    lead.tell({ running: 1, allocated: 4 });
    assert.deepEqual((await run({ looks: 3 })).asked, ["GET", "GET", "PATCH", "GET"]);
  });

  it("changes no Job that somebody has changed since it looked, and looks again", async () => {
    const [stays, grows] = [
      demandText({ allocated: 3 }),
      demandText({ allocated: 3, pending: [{ id: "f1", hosts: 2 }] }),
    ];
    lead.tell([stays, grows]);
    const { said, asked } = await run({ looks: 2, meanwhile: { parallelism: 4, completions: 4 } });
    const text = "0 running on 3 hosts, 1 pending for 2";
    assert.deepEqual(said.slice(1), [`size 3 => 5: ${text}`, "the Job has changed"]);
    assert.deepEqual(asked, ["GET", "GET"]);
    lead.tell([stays, grows, grows]);
    const again = await run({ looks: 3, meanwhile: { parallelism: 4, completions: 4 } });
    assert.deepEqual(again.said.slice(3), [`size 4 => 5: ${text}`]);
    assert.equal(again.job["parallelism"], 5);
  });

  it("leaves a Job alone that somebody has suspended, or that has ended", async () => {
    lead.tell({ allocated: 8 });
    const suspended = { parallelism: 3, completions: 3, suspend: true };
    assert.deepEqual(await look({}, suspended), {
      said: ["size 3: the Job has ended or is suspended"],
      job: suspended,
    });
  });

  it("brings a Job that rests to the size that is needed, and back to rest", async () => {
    const own = { min: 0, restsAtZero: true };
    const rests = { parallelism: 1, completions: 1, suspend: true };
    assert.deepEqual(await look(own, rests), { said: ["size 0: 0 running on 0 hosts, 0 pending for 0"], job: rests });
    lead.tell({ pending: [{ id: "f1", hosts: 5 }] });
    const grown = await look(own, rests);
    assert.deepEqual(grown.said, ["size 0 => 5: 0 running on 0 hosts, 1 pending for 5"]);
    assert.deepEqual(grown.job, { parallelism: 5, completions: 5, suspend: false });
    lead.tell({});
    assert.deepEqual((await look({ ...own, looks: 2 }, grown.job)).job, rests);
    assert.equal((await look({ ...own, min: 2 }, rests)).job["parallelism"], 2);
  });
});
