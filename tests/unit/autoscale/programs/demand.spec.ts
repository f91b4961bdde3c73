import * as assert from "node:assert/strict";
import {
  type Cluster,
  cloud,
  home,
  instanceOf,
  type Job,
  needs,
  withDemandReader,
} from "../../../support/demandReader";
import type { Instance } from "../../../support/metricsServer";

describe("the demand", () => {
  const { readAll, demandsOf, neededFor } = withDemandReader();

  const whole = (hosts: number, on?: string[]): Job => ({ words: `-N${hosts} --exclusive`, on });
  // Hosts that each cluster is to have, job by job: four hosts of 2 cores at home, and of 4 in the cloud.
  const shares: { name: string; jobs: Job[]; clusters?: Cluster[]; requests: number[][] }[] = [
    {
      name: "the only cluster gets requests for whole hosts or for shares of them",
      clusters: [home],
      jobs: [whole(1), needs("-n1"), needs("-n3")],
      requests: [[1, 0.5, 1.5]],
    },
    {
      name: "the one that a queue or a constraint leaves is asked",
      jobs: [whole(3, ["cloud"]), whole(1, ["home"]), { words: "-n2", on: ["cloud"] }],
      requests: [[1], [3, 0.5]],
    },
    { name: "home comes first", jobs: [whole(3)], requests: [[3], []] },
    {
      name: "the next cluster gets the requests that home has no room for",
      jobs: [whole(3), whole(3)],
      requests: [[3, 1], [2]],
    },
    { name: "hosts with jobs are no room", jobs: [{ ranks: "0-2" }, whole(2)], requests: [[1], [1]] },
    {
      name: "half of the cores that a job requests are on the four hosts of home",
      jobs: [needs("-n16")],
      requests: [[4], [2]],
    },
    {
      name: "home has two hosts, unless somebody gives it more",
      clusters: [{ ...home, max: null }, cloud],
      jobs: [whole(3)],
      requests: [[2], [1]],
    },
    {
      name: "a job that no cluster has room for, ever, is reported as a whole, and takes no room from another",
      jobs: [whole(9), whole(4)],
      requests: [[9, 4], [9]],
    },
    { name: "a held job requests none", jobs: [{ ...whole(3), priority: 0 }], requests: [[], []] },
  ];
  for (const { name, jobs, clusters, requests } of shares)
    it(`is shared out: ${name}`, () => {
      const hosts = Object.values(demandsOf(jobs, clusters)).map(({ pending }) => pending.map((job) => job.hosts));
      assert.deepEqual(hosts, requests);
    });

  it("reports to each cluster its own ranks", () => {
    const parts = demandsOf([{ ranks: "1" }, { ranks: "3-5" }, needs("-n1")], [home, cloud], { drained: [7] });
    assert.deepEqual(
      Object.values(parts).map(({ running, allocated, needed, drained }) => ({ running, allocated, needed, drained })),
      [
        { running: 2, allocated: 2, needed: 4, drained: 0 },
        { running: 1, allocated: 2, needed: 2, drained: 1 },
      ],
    );
  });

  it("counts a drained host only while a job waits for room, whether the host is there or not", () => {
    const drained = { drained: [0, 1] };
    assert.equal(neededFor([], home, drained), 0);
    assert.equal(neededFor([needs("-N2")], home, drained), 4);
    assert.equal(neededFor([needs("-N2")], home, { ...drained, online: [0] }), 4);
    // It is reported as drained where it is there.
    assert.equal(demandsOf([], [home], { ...drained, online: [0, 2] })["home"]?.drained, 1);
    // All four are not to be had, and more hosts do not help.
    assert.equal(neededFor([needs("-N4")], home, drained), 0);
  });

  it("takes hosts whose pods leave, or that the agent has closed, for hosts that come back", () => {
    for (const reason of ["minicluster: the pod leaves", "minicluster: the size follows the queue"]) {
      const drained = [1, 2, 3].map((rank) => ({ rank, reason, at: 0 }));
      assert.equal(neededFor([needs("-N2")], home, { drained, online: [0] }), 2, reason);
      assert.equal(demandsOf([], [home], { drained })["home"]?.drained, 0, reason);
    }
  });

  it("adds no host in the place of one that was drained as it joined, and says why", () => {
    const big = { ...home, hosts: 8, max: 8 };
    const reason = "missing resources: core[2-3]\n";
    const states = [1, 4].map((size) => {
      const joined = Array.from({ length: size - 1 }, (_, place) => ({ rank: place + 1, reason, at: 0 }));
      const online = Array.from({ length: size }, (_, rank) => rank);
      return instanceOf([big], [needs("-N4")], { online, drained: joined });
    });
    const parts = readAll([big], states).map((part) => part["home"]);
    assert.deepEqual(
      parts.map((part) => [part?.needed, part?.unusable, part?.drained]),
      [
        [4, 0, 0],
        [4, 3, 0],
      ],
    );
    assert.equal(parts[1]?.reason, reason.trim().padEnd(reason.length, " "));
    // One that has taken jobs before, and is drained by a user, is replaced.
    const [, , again] = readAll(
      [big],
      [
        ...[[], []].map((drained) => instanceOf([big], [], { drained })),
        instanceOf([big], [needs("-N4")], { drained: [2] }),
      ],
    ).map((part) => part["home"]?.needed);
    assert.equal(again, 5);
  });

  it("reports from which host on all have been closed to jobs for a second", () => {
    const now = Date.now() / 1000;
    const reason = "minicluster: the size follows the queue";
    const closed = (ranks: number[], at: number) => ranks.map((rank) => ({ rank, reason, at }));
    const fromWhich = (drained: Instance["drained"], changes: Partial<Instance> = {}) => {
      const { closedFrom, leaving } = readAll([home], [instanceOf([home], [], { drained, ...changes })], 4)[0]![
        "home"
      ]!;
      return [closedFrom, leaving];
    };
    assert.deepEqual(fromWhich([]), [4, 0]);
    assert.deepEqual(fromWhich(closed([2, 3], 0)), [2, 2]);
    assert.deepEqual(fromWhich(closed([1, 3], 0)), [3, 2]);
    assert.deepEqual(fromWhich([...closed([2], 0), ...closed([3], now + 3600)]), [4, 2]);
    assert.deepEqual(fromWhich([...closed([3], 0), 2], { exclude: [1] }), [1, 1]);
  });

  it("leaves out a job that it does not understand, and no other", () => {
    const odd: Job[] = [
      { resources: [{ type: "rack", count: 1 }] },
      { resources: [{ type: "slot", count: { min: "two" }, with: [{ type: "core", count: 1 }] }] },
      { resources: [{ count: 1 }] },
      { resources: [] },
      { resources: [null as unknown as object] },
    ];
    assert.equal(neededFor([...odd, needs("-N3")]), 3);
    const unknown = instanceOf([home], [needs("-N3"), needs("-N4")]);
    unknown.jobs[1]!.constraints = { colour: ["blue"] };
    assert.equal(readAll([home], [unknown])[0]!["home"]?.needed, 3);
  });

  it("reads the least of a range, hosts in slots, and slots in slots", () => {
    const core = (count: object | number) => ({ type: "core", count });
    const slot = (count: object | number, inner: object) => ({ type: "slot", count, with: [inner] });
    const neededOf = (resource: object) => neededFor([{ resources: [resource] }]);
    assert.equal(neededOf(slot({ min: 3, max: 9, operator: "+", operand: 1 }, core(2))), 3);
    assert.equal(neededOf(slot(3, { type: "node", count: 1, with: [core(1)] })), 3);
    assert.equal(neededOf({ type: "node", count: 2, with: [slot(2, core(1))] }), 2);
    assert.equal(neededOf({ type: "node", count: 2, exclusive: true }), 2);
  });

  it("excludes a stopped queue, and counts the first thousand jobs of each queue", () => {
    const inQueue = (queue: string, words: string): Job => ({ words, queue, on: [queue] });
    const queues = { home: { stopped: true }, cloud: {} };
    const stopped = demandsOf([inQueue("home", "-N3"), inQueue("cloud", "-N2")], [home, cloud], { config: { queues } });
    assert.deepEqual([stopped["home"]?.needed, stopped["cloud"]?.needed], [0, 2]);
    assert.equal(neededFor([needs("-N3")], home, { stopped: true }), 0);

    const many = Array.from({ length: 1500 }, () => inQueue("home", "-n1"));
    const runs = Array.from({ length: 1200 }, (): Job => ({ ranks: "4", queue: "cloud" }));
    const crowd = [...many, ...runs, inQueue("cloud", "-N2 --exclusive")];
    const parts = demandsOf(crowd, [home, cloud], { config: { queues: { home: {}, cloud: {} } } });
    assert.deepEqual([parts["cloud"]?.needed, parts["cloud"]?.running], [3, 1200]);
    assert.equal(parts["home"]?.pending.length, 1000);
  });
});
