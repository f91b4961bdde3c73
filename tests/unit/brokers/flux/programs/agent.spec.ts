import * as assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { demandOf, three, withAgentBench } from "../../../../support/agentLooks";
import { demandText } from "../../../../support/lead";

describe("the agent", () => {
  const { lead, run } = withAgentBench();

  /** Says why it does nothing, and does nothing. */
  async function doesNothing(reason: RegExp, own?: object) {
    const { said, job, read } = await run({ ...own });
    assert.deepEqual([job, said.length, read], [three, 1, [false]]);
    assert.match(said[0] ?? "", reason);
  }

  it("names the resourceVersion that it has read in each patch, so that no other change is undone", async () => {
    lead().setDemand(demandOf({ pending: [4] }));
    const { versions, asked, sizes } = await run({ looks: [[0, {}, [409]]] });
    assert.deepEqual([versions, sizes], [["1", "11"], [4]]);
    assert.deepEqual(asked, ["GET", "GET", "PATCH", "GET", "PATCH"]);
  });

  it("keeps the size without an answer", async () => {
    lead().stop();
    await doesNothing(/^size 3: the lead broker's pod does not serve the demand: .*refused/);
    assert.deepEqual((await run()).problems, [{ peer: "lead", code: "notReached" }]);
  });

  for (const [failure, code, says] of [
    ["away", "notReached", "<urlopen error [Errno 111] Connection refused>"],
    ["slow", "notReached", "it is too slow"],
    ["noRoute", "notReached", "<urlopen error [Errno 113] No route to host>"],
    ["closed", "notReached", "[Errno 104] Connection reset by peer"],
    ["unnamed", "nameNotResolved", "<urlopen error [Errno -3] Temporary failure in name resolution>"],
    [403, "rejected", "the API server answers with status 403: jobs.batch .* is forbidden: .* denied request"],
    [401, "rejected", "the API server answers with status 401: internal error"],
    [422, undefined, "the API server answers with status 422: Job.batch .* spec.completions: field is immutable"],
    [500, undefined, "the API server answers with status 500: internal error"],
  ] as const)
    it(`logs the message of the API server and the code of its failure: ${failure}`, async () => {
      lead().setDemand(demandOf({ pending: [4] }));
      const { said, problems, sizes } = await run({ looks: [[0, {}, [failure]]] });
      assert.match(said.at(-1) ?? "", new RegExp(`^skipped this round: ${says.replaceAll(/[[\]<>]/g, "\\$&")}`));
      assert.deepEqual([problems, sizes], [code === undefined ? [] : [{ peer: "server", code }], [3]]);
    });

  it("sends no request to a busy API server before the time that the server has named (Retry-After)", async () => {
    lead().setDemand(demandOf({ pending: [4] }));
    const looks = [0, 1, 29, 30].map((now) => [now, {}, now === 0 ? [429] : []] as [number, object, number[]]);
    const { asked, sizes } = await run({ looks });
    assert.deepEqual(sizes, [3, 3, 3, 4]);
    // Two requests before the rejected patch, and none for 30 s.
    assert.deepEqual(asked, ["GET", "GET", "PATCH", "GET", "GET", "PATCH"]);
  });

  const silent = /does not serve the demand: it is too slow$/;
  const unproved = /sends an invalid answer: it does not prove to have the key$/;
  const others: [name: string, respond: (response: ServerResponse) => void, says: RegExp][] = [
    ["says nothing", () => undefined, silent],
    ["begins and says no more", (response) => void response.write("{"), silent],
    ["goes on without an end", (response) => void setInterval(() => response.write(" "), 50).unref(), silent],
    [
      "leads elsewhere",
      (response) => response.writeHead(302, { Location: "http://127.0.0.1/" }).end(),
      /does not serve the demand: it answers with status 302$/,
    ],
    [
      "speaks of something else",
      (response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
      /does not serve the demand: SSH-2.0-OpenSSH_9.6/,
    ],
    ["sends too much", (response) => response.end("a".repeat(5_000_000)), unproved],
    [
      "does not have the key",
      (response) => response.setHeader("Proof", "0".repeat(64)).end(demandText({ allocated: 8 })),
      unproved,
    ],
  ];
  for (const [name, respond, says] of others)
    it(`keeps the size where who answers ${name}`, async () => {
      lead().answer(respond);
      await doesNothing(says);
    });

  it("gets no demand with another key", () =>
    doesNothing(/does not serve the demand: it answers with status 403$/, { key: "another" }));

  it("names the rejection of another key as the problem", async () =>
    assert.deepEqual((await run({ key: "another" })).problems, [{ peer: "lead", code: "rejected" }]));

  const job = (hosts: unknown, id: unknown = "f1") =>
    `{"id": ${JSON.stringify(id)}, "hosts": ${String(hosts)}, "never": false}`;
  const demand = (pending: string, allocated = "0") =>
    demandText({})
      .replace('"pending":[]', `"pending":[${pending}]`)
      .replace('"allocated":0', `"allocated":${allocated}`);
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
  it("keeps the size after nonsense of a client with the key", async () => {
    const texts = Object.values(nonsense);
    lead().setDemand(texts);
    const { said, job } = await run({ looks: texts.length });
    assert.deepEqual(
      lead().asked.map((line) => line.replace(/&said=.*/, "")),
      Array(texts.length).fill("GET /demand/demo?size=3"),
    );
    assert.deepEqual(job, three);
    for (const line of said) assert.match(line, /^size 3: the lead broker's pod sends an invalid answer: /);
  });

  it("stays in its bounds for any answer signed with the key", async () => {
    const most = { allocated: 999_999, drained: 999_999, needed: 999_999 };
    lead().setDemand([demandText(most), demandText({})]);
    const { said, sizes } = await run({ looks: 3 });
    assert.deepEqual(sizes, [8, 1, 1]);
    assert.equal(said[0], "size 3 => 8: 0 running on 999999 hosts, 0 pending for 0, 999999 drained");
  });

  it("names the jobs for which no size is enough, and hosts that stayed unused", async () => {
    const pending = [
      { id: "f0", hosts: 9, never: true },
      { id: "f1", hosts: 2 },
    ];
    lead().setDemand({ allocated: 3, needed: 5, spoiled: 2, reason: "missing resources: core[4-7]", pending });
    const { said, job, problems } = await run({ looks: 2 });
    // Hosts that are added may be drained as well: the problem is that of a size that stays.
    assert.deepEqual([said.length, problems], [2, [{ code: "unusableHosts" }]]);
    assert.deepEqual(said.slice(0, 1), [
      "size 3 => 5: 0 running on 3 hosts, 2 pending for 11 (f0 cannot run on 8 hosts), " +
        "2 drained as they joined, and not replaced: missing resources: core[4-7]",
    ]);
    assert.deepEqual(job, { parallelism: 5, completions: 5 });
  });

  it("has hosts drained before they leave, and lets them go only where none has got a job meanwhile", async () => {
    const idle = "0 running on 0 hosts, 0 pending for 0";
    lead().setDemand([demandText({ closedFrom: 3 }), demandText({ closedFrom: 1, leaving: 2 })]);
    const left = await run({ looks: 2 });
    assert.deepEqual(left.sizes, [3, 1]);
    const leaves = `size 3: ${idle}; the last 2 hosts take no new job, and leave next`;
    assert.deepEqual(left.said, [leaves, `size 3 => 1: ${idle}`]);
    const closes = "POST /keep/demo?hosts=1&size=3&ticket=1";
    // The next look reports the decision to the lead broker's pod, for the console.
    const looks = ["GET /demand/demo?size=3", closes, `GET /demand/demo?size=3&said=${leaves}`];
    const asked = () => lead().asked.map((line) => decodeURIComponent(line.replaceAll("+", " ")));
    assert.deepEqual(asked(), looks);

    lead().asked.length = 0;
    lead().setDemand([demandText({ closedFrom: 3 }), demandText({ allocated: 3, closedFrom: 1, leaving: 2 })]);
    const stayed = await run({ looks: 2 });
    assert.deepEqual(stayed.sizes, [3, 3]);
    const opens = "POST /keep/demo?hosts=3&size=3&ticket=1";
    assert.deepEqual(asked(), [...looks, opens]);
  });

  it("lets hosts take jobs again that an agent before it has drained", async () => {
    lead().setDemand({ allocated: 3, leaving: 1, closedFrom: 2 });
    await run();
    assert.deepEqual(lead().asked, ["GET /demand/demo?size=3", "POST /keep/demo?hosts=3&size=3&ticket=1"]);
  });

  it("keeps hosts for a drain that does not end", async () => {
    // The pods that leave are drained, and have a job: they are no reason to grow, and go when they may.
    lead().setDemand({ running: 1, allocated: 3 });
    const { said } = await run({ looks: 50, job: { parallelism: 1, completions: 1 } });
    const text = "1 running on 3 hosts, 0 pending for 0";
    assert.deepEqual(said, [`size 1 => 3: ${text}`, `size 3: ${text}`]);
  });

  it("reads from the API server at one of six looks, and before each change", async () => {
    lead().setDemand({ running: 1, allocated: 3 });
    assert.deepEqual((await run({ looks: 7 })).asked, ["GET", "GET"]);
    lead().setDemand({ running: 1, allocated: 4 });
    assert.deepEqual((await run({ looks: 3 })).asked, ["GET", "GET", "PATCH", "GET"]);
  });

  it("changes no Job that another client has changed since its look, and looks again", async () => {
    const [stays, grows] = [demandOf({ busy: 3 }), demandOf({ busy: 3, pending: [2] })].map(demandText);
    const looks = [0, 1, 2].map((now): [number, object] => [now, now === 1 ? { parallelism: 4, completions: 4 } : {}]);
    lead().setDemand([stays!, grows!]);
    const { said, asked, sizes } = await run({ looks });
    const text = "1 running on 3 hosts, 1 pending for 2";
    const changed = "skipped this round: the Job has changed";
    assert.deepEqual(said.slice(1), [`size 3 => 5: ${text}`, changed, `size 4 => 5: ${text}`]);
    assert.deepEqual(asked, ["GET", "GET", "GET", "GET", "PATCH"]);
    assert.deepEqual(sizes, [3, 4, 5]);
  });

  for (const [what, own] of Object.entries({
    suspended: { job: { ...three, suspend: true } },
    ended: { status: { conditions: [{ type: "Complete", status: "True" }] } },
  }))
    it(`leaves a Job alone that is ${what}`, async () => {
      lead().setDemand({ allocated: 8 });
      const { said, asked } = await run(own);
      assert.deepEqual([said, asked], [["size 3: the Job has ended or is suspended"], ["GET"]]);
    });

  it("leaves a Job alone whose size a patch of Pulumi sets, from the moment of the patch on", async () => {
    lead().setDemand(demandOf({ pending: [8] }));
    const patched = { mark: "c383af9f54a7ddc0" };
    const fixed = await run({ looks: [[0, patched]] });
    assert.deepEqual([fixed.said, fixed.asked], [["size 3: Pulumi sets it"], ["GET"]]);
    // It has read the Job before the patch, and reads it again before it changes anything.
    lead().setDemand([demandText({ allocated: 3, needed: 3 }), demandText({ allocated: 3, needed: 5 })]);
    const { said, asked, job } = await run({ looks: [0, 1, 2].map((now) => [now, now === 1 ? patched : {}]) });
    assert.deepEqual(said.slice(2), ["skipped this round: the Job has changed", "size 3: Pulumi sets it"]);
    assert.deepEqual([asked, job], [["GET", "GET", "GET"], three]);
  });

  it("resumes a suspended Job at the size that is needed, and suspends it again", async () => {
    const rests = { parallelism: 1, completions: 1, suspend: true };
    const own = { min: 0, suspendsAtZero: true, job: rests };
    const { said, job } = await run(own);
    assert.deepEqual([said, job], [["size 0: 0 running on 0 hosts, 0 pending for 0"], rests]);
    lead().setDemand(demandOf({ pending: [5] }));
    const grown = await run(own);
    assert.deepEqual(grown.said, ["size 0 => 5: 0 running on 0 hosts, 1 pending for 5"]);
    assert.deepEqual(grown.job, { parallelism: 5, completions: 5, suspend: false });
    lead().setDemand({});
    assert.deepEqual((await run({ ...own, job: grown.job })).job, rests);
    assert.deepEqual((await run({ ...own, min: 2 })).sizes, [2]);
  });
});
