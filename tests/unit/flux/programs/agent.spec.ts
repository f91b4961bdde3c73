import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { agentProgram } from "../../../../provider/minicluster/flux/programs/agent";

interface Demand {
  running?: number;
  allocated?: number;
  drained?: number;
  highestRank?: number;
  pending?: number[];
}

/** One look at the queue: the time, the size of the Job if somebody else has set it, and the demand. */
type Look = [now: number, demand: Demand | undefined, size?: number];

const settings = { min: 1, max: 8, idleSeconds: 60, cooldownSeconds: 10, maxStep: 100_000 };

const harness = `
import json, sys
from agent import Decider
settings, looks = json.load(sys.stdin)
decider, size, told = Decider(settings), settings["min"], []
for now, given, set_size in looks:
    size = size if set_size is None else set_size
    if given is None:
        decider.forget()
        told.append([None, ""])
        continue
    pending = [{"id": f"f{index}", "hosts": hosts} for index, hosts in enumerate(given.get("pending", []))]
    demand = {"running": 0, "allocated": 0, "drained": 0, "highestRank": 0, **given, "pending": pending}
    target, text = decider.decide(now, size, demand)
    size = target or size
    told.append([target, text])
print(json.dumps(told))
`;

describe("the agent", () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "agent-"));
  before(() => fs.writeFileSync(path.join(directory, "agent.py"), agentProgram));
  after(() => fs.rmSync(directory, { recursive: true }));

  const told = (looks: Look[], own: Partial<typeof settings> = {}) =>
    JSON.parse(
      execFileSync("python3", ["-B", "-c", harness], {
        cwd: directory,
        input: JSON.stringify([
          { ...settings, ...own },
          looks.map(([now, demand, size]) => [now, demand ?? null, size ?? null]),
        ]),
        encoding: "utf8",
      }),
    ) as [size: number | null, text: string][];
  const sizes = (looks: Look[], own?: Partial<typeof settings>) => told(looks, own).map(([size]) => size);
  const busy = (hosts: number): Demand => ({ running: 1, allocated: hosts, highestRank: hosts - 1 });

  it("grows at once for one wide job, and shrinks when its hosts were idle for long enough", () =>
    assert.deepEqual(
      sizes([
        [0, { pending: [6] }],
        [5, { pending: [6] }],
        [20, busy(6)],
        [50, {}],
        [70, {}],
        [81, {}],
      ]),
      [6, null, null, null, null, 1],
    ));

  it("adds hosts to those that are taken, and shares of hosts to each other", () => {
    assert.deepEqual(sizes([[0, { ...busy(2), pending: [3] }]]), [5]);
    assert.deepEqual(sizes([[0, { pending: Array<number>(100).fill(0.02) }]]), [2]);
    assert.deepEqual(sizes([[0, { drained: 1, pending: [2] }]]), [3]);
  });

  it("keeps its hosts through bursts of short jobs, and through a queue that flaps", () => {
    const looks = Array.from({ length: 40 }, (_, index): Look => [index * 5, index % 4 === 0 ? { pending: [4] } : {}]);
    assert.deepEqual(
      sizes(looks).filter((size) => size !== null),
      [4],
    );
  });

  it("never takes a host away that has a job: the highest ranks go first", () => {
    const late: Demand = { running: 1, allocated: 1, highestRank: 5 };
    assert.deepEqual(
      sizes([
        [0, { pending: [6] }],
        [20, late],
        [100, late],
        [200, {}],
      ]),
      [6, null, null, 1],
    );
  });

  it("waits out its pause between two changes, and goes by steps where it has to", () => {
    assert.deepEqual(
      sizes(
        [
          [0, { pending: [8] }],
          [5, { pending: [8] }],
          [10, { pending: [8] }],
          [20, { pending: [8] }],
          [100, {}],
          [110, {}],
        ],
        { maxStep: 3 },
      ),
      [4, null, 7, 8, 5, 2],
    );
  });

  it("names jobs that can never fit, and grows for none of them", () => {
    const [[size, text]] = told([[0, { pending: [9, 2] }]]) as [[number, string]];
    assert.equal(size, 2);
    assert.match(text, /2 pending for 11 \(f0 can never have more than 8\)/);
  });

  it("says what it has seen", () =>
    assert.equal(told([[0, { ...busy(2), pending: [3] }]])[0]?.[1], "1 running on 2 hosts, 1 pending for 3"));

  it("keeps to its bounds, and brings a size back to them that somebody else has set", () => {
    assert.deepEqual(sizes([[0, busy(1)]], { min: 2 }), [null]);
    assert.deepEqual(sizes([[0, {}, 20]]), [8]);
    assert.deepEqual(sizes([[0, {}, 1]], { min: 3 }), [3]);
    // A size that was wanted once is no reason to grow.
    assert.deepEqual(
      sizes([
        [0, { pending: [6] }],
        [30, busy(6)],
        [65, {}, 3],
      ]),
      [6, null, null],
    );
  });

  it("forgets nothing while the demand is not known: a lead broker that restarts loses no host", () =>
    assert.deepEqual(
      sizes([
        [0, { pending: [4] }],
        [10, busy(4)],
        // Nobody answers; then the queue of the new instance is empty.
        [60, undefined],
        [100, {}],
        [130, {}],
        [165, {}],
      ]),
      [4, null, null, null, null, 1],
    ));
});
