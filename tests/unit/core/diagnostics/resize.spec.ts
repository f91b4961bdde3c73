import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { resizeNotices, terminatingNotices } from "../../../../provider/core/diagnostics/resize";
import { maxReplacementWarnings } from "../../../../provider/autoscale/diagnostics";
import { replacementWarnings } from "../../../../provider/core/diagnostics/job";
import features from "../../../../provider/minicluster/features";
import { describeChange } from "../../../../provider/clouds/nodes/parse/capacity";
import type { MiniClusterSpec } from "../../../../provider/core/parse/spec";
import { gangFeature } from "../../../../provider/gang/feature";
import type { Inputs } from "../../../../provider/diagnostics/hooks";
import { aBurstCluster, aGpuPool, aMiniCluster, aPool } from "../../../support/fixtures";
import { manifestsOf } from "../../../support/manifests";

type Case = Partial<MiniClusterArgs>;
const patchOf = (args: Case) => manifestsOf(args).jobScale as unknown as Inputs;

it("a change of nodes names their memory where it is known, and the nodes alone without the old machine", () => {
  const node = aMiniCluster({ pool: aPool() }).pool!.node;
  const want = "nodes 0 => 2, vCPUs 0 => 192, GiB of memory 0 => 768";
  assert.equal(describeChange({ count: 0, node }, { count: 2, node }), want);
  assert.equal(describeChange({ count: 4, node: undefined }, { count: 2, node }), "nodes 4 => 2");
});

describe("the notice of a resize", () => {
  /** The diagnostics on a change to some arguments, from the inputs of the former patch. */
  const textsFrom = (before: Inputs, after: Case, isReplaced = false) =>
    resizeNotices(
      aMiniCluster({ maxSize: 8, ...after }),
      { size: "size", isReplaced },
      before,
      patchOf({ maxSize: 8, ...after }),
    ).map(({ severity, message }) => `${severity}: ${message}`);
  const hpc = aPool();
  const shared = { network: { affinity: "preferred" as const } };

  const table: [name: string, before: Case, after: Case, want?: string][] = [
    [
      "names nothing that the nodes do not have",
      ...([
        { size: 2, pool: hpc },
        { size: 4, pool: hpc },
        "size 2 => 4 in place on pool hpc: nodes 2 => 4, vCPUs 192 => 384; 2 pods keep running",
      ] as const),
    ],
    [
      "counts old nodes by the old machine and new ones by the new",
      { size: 4, pool: aPool({}, { vcpus: 64, fabric: "efa", fabricInterfaces: 1 }) },
      { size: 2, pool: aGpuPool() },
      "size 4 => 2 in place on pool hpc: nodes 4 => 2, GPUs 0 => 16, EFA interfaces 4 => 8, vCPUs 256 => 192; 2 " +
        "pods keep running, hosts demo-[2-3] leave after their jobs or the drain timeout of 30 s",
    ],
    [
      "distinguishes the interfaces of two networks",
      { size: 1, pool: aPool({}, { fabric: "infiniband", fabricInterfaces: 1 }) },
      { size: 1, pool: aGpuPool() },
      "resize on pool hpc: nodes 1 => 1, GPUs 0 => 8, InfiniBand interfaces 1 => 0, EFA interfaces 0 => 4, " +
        "vCPUs 96 => 96",
    ],
    [
      "names both pools of a cluster that moves",
      { size: 2, pool: hpc },
      { size: 2, pool: aPool({ pool: "b" }) },
      "move from pool hpc to pool b: nodes 2 => 2, vCPUs 192 => 192",
    ],
    [
      "compares no CPUs and no memory if they are unknown on one side",
      { size: 2, pool: aGpuPool() },
      { size: 4, pool: aGpuPool({}, { vcpus: undefined, cores: undefined }) },
      "size 2 => 4 in place on pool hpc: nodes 2 => 4, GPUs 16 => 32, EFA interfaces 8 => 16; 2 pods keep running",
    ],
    [
      "ends with the price where the pool has one",
      { size: 2, pool: aPool({ pricePerHour: 1.5 }) },
      { size: 4, pool: aPool({ pricePerHour: 1.5 }) },
      "size 2 => 4 in place on pool hpc: nodes 2 => 4, vCPUs 192 => 384, price per hour 3 => 6; 2 pods keep running",
    ],
    ["is empty if size, pool and machine stay", { size: 2, pool: aGpuPool() }, { size: 2, pool: aGpuPool() }],
    [
      "names the pods that keep running without a pool",
      { size: 2 },
      { size: 4 },
      "size 2 => 4 in place; 2 pods keep running",
    ],
    [
      "counts no nodes if pods share them",
      { size: 1, pool: hpc, ...shared },
      { size: 4, pool: hpc, ...shared },
      "size 1 => 4 in place; 1 pod keeps running",
    ],
    [
      "promises no pods to a suspended cluster",
      { size: 2, suspend: true },
      { size: 4, suspend: true },
      "size 2 => 4 in place; no pod runs until suspend is false",
    ],
  ];
  for (const [name, before, after, want] of table)
    it(name, () =>
      assert.deepEqual(
        textsFrom(patchOf({ maxSize: 8, ...before }), after),
        want === undefined ? [] : [`info: ${want}`],
      ),
    );

  it("compares the nodes alone with a cluster whose pool is not recorded in a known form", () => {
    const noted = ["{", "{}", "null", 5, undefined].map((note) => ({
      spec: { completions: 2 },
      metadata: { annotations: { "minicluster/pool-node": note } },
    }));
    for (const before of [patchOf({ size: 2, maxSize: 8 }), ...noted]) {
      assert.deepEqual(textsFrom(before, { size: 4, pool: hpc }), [
        "info: size 2 => 4 in place on pool hpc: nodes 2 => 4; 2 pods keep running",
      ]);
      assert.deepEqual(textsFrom(before, { size: 2, pool: hpc }), []);
    }
    assert.deepEqual(textsFrom({}, { size: 2, pool: hpc }), []);
  });

  it("promises nothing to the pods of a Job that is replaced", () => {
    const cost = "info: resize on pool hpc: nodes 2 => 4, vCPUs 192 => 384";
    assert.deepEqual(textsFrom(patchOf({ size: 2, maxSize: 8, pool: hpc }), { size: 4, pool: hpc }, true), [cost]);
    assert.deepEqual(textsFrom(patchOf({ size: 2, maxSize: 8 }), { size: 4 }, true), []);
  });

  it("names the controller that stops all pods for another size, and its absence for a Job that Kueue resizes", () => {
    const restarts = [false, true].map((elastic) =>
      gangFeature.restartOnResize?.(aMiniCluster({ gang: { queueName: "hpc", elastic } })),
    );
    assert.deepEqual(restarts, ["Kueue stops all pods and starts them again", undefined]);
    const [notice] = resizeNotices(
      spec,
      { size: "size", isReplaced: false, restart: restarts[0] },
      counts(2),
      counts(4),
    );
    assert.equal(notice?.message, "size 2 => 4 in place; Kueue stops all pods and starts them again");
  });
});

describe("the warning that a resize replaces the Job", () => {
  const warnings = (before: Inputs, after: Case) =>
    replacementWarnings(aMiniCluster(after), features, before, patchOf(after));

  it("reports the cause and the remedy if maxSize is not set", () => {
    const message =
      "size 4 => 6 replaces the Job and restarts every broker, because maxSize is not set; pending and running jobs " +
      "are lost; set maxSize in the same update to the largest size that you plan, so that later changes are made " +
      "in place";
    assert.deepEqual(warnings(patchOf({ size: 4 }), { size: 6 }), [{ severity: "warning", message }]);
  });

  for (const [storage, lost] of [
    [undefined, "; pending and running jobs are lost;"],
    [{ size: "1Gi" }, "; running jobs are lost, and also pending jobs if the running lead broker has no lead.storage;"],
  ] as const)
    it(`names the jobs that another group costs ${storage ? "with" : "without"} lead.storage`, () => {
      const groups = (names: string[]): Case => ({
        interactive: true,
        lead: { storage },
        groups: Object.fromEntries(names.map((name) => [name, {}])),
      });
      const [warning] = warnings(patchOf(groups(["cpu"])), groups(["cpu", "gpu"]));
      assert.ok(warning?.message.includes(lost), warning?.message);
    });

  const silent: [name: string, before: Case | undefined, after: Case][] = [
    ["maxSize is set", { size: 4 }, { size: 6, maxSize: 8 }],
    ["the instance knew as many hosts already, so that nothing is replaced", { size: 4, maxSize: 6 }, { size: 6 }],
    ["the size stays", { size: 4 }, { size: 4, tasks: 9 }],
    ["the former size is not known", undefined, { size: 4 }],
  ];
  for (const [name, before, after] of silent)
    it(`is not given where ${name}`, () =>
      assert.deepEqual(warnings(before ? patchOf(before) : { spec: {} }, after), []));
});

describe("the warning that another autoscale.max replaces the Job", () => {
  const following = (max: number, maxSize?: number): Case => ({ interactive: true, autoscale: { max }, maxSize });
  const agentOf = (args: Case) => manifestsOf(args).agent?.deployment as unknown as Inputs;
  const warnings = (before: Case, after: Case) =>
    maxReplacementWarnings(aMiniCluster(after), agentOf(before), agentOf(after)).map(({ message }) => message);

  it("reports the cause and the remedy if maxSize is not set", () => {
    const [message, ...others] = warnings(following(4), following(6));
    assert.match(
      message ?? "",
      /^autoscale\.max 4 => 6 replaces the Job .* set maxSize in the same update to the largest max /,
    );
    assert.deepEqual(others, []);
  });

  it("is not given where maxSize is set or max stays", () => {
    assert.deepEqual(warnings(following(4, 8), following(6, 8)), []);
    assert.deepEqual(warnings(following(4), following(4)), []);
  });
});

const counts = (completions: number, suspend = false) => ({ spec: { completions, parallelism: completions, suspend } });
const spec = aMiniCluster({ maxSize: 8 });
const [hasty, cloud] = [aMiniCluster({ drainTimeoutSeconds: 0 }), aBurstCluster()];

describe("a resize", () => {
  const onBurst = { size: "groups.cpu.size", isReplaced: false };
  const notice = (of: MiniClusterSpec, before: Inputs, after: Inputs) =>
    resizeNotices(of, onBurst, before, after).map(({ message }) => message);
  const drained = "or the drain timeout of 30 s";
  const cases: [name: string, notices: string[], want: string[]][] = [
    [
      "names the hosts that leave",
      notice(spec, counts(8), counts(4)),
      [`groups.cpu.size 8 => 4 in place; 4 pods keep running, hosts demo-[4-7] leave after their jobs ${drained}`],
    ],
    [
      "names the one that leaves",
      notice(spec, counts(2), counts(1)),
      [`groups.cpu.size 2 => 1 in place; 1 pod keeps running, host demo-1 leaves after its jobs ${drained}`],
    ],
    [
      "reports lost jobs where they have no time to end",
      notice(hasty, counts(2), counts(1)),
      [
        "groups.cpu.size 2 => 1 in place; 1 pod keeps running, host demo-1 leaves at once, and its running " +
          "jobs are lost",
      ],
    ],
    ["reports nothing where the size stays", notice(spec, counts(4), counts(4)), []],
    [
      "names all hosts of a cluster that goes to 0",
      notice(cloud, counts(3), counts(1, true)),
      [`groups.cpu.size 3 => 0 in place; hosts cloud-[0-2] leave after their jobs ${drained}`],
    ],
    [
      "names the pods of a cluster that has had none",
      notice(cloud, counts(1, true), counts(1)),
      ["groups.cpu.size 0 => 1 in place; 1 pod starts"],
    ],
  ];
  for (const [name, notices, want] of cases) it(name, () => assert.deepEqual(notices, want));

  it("reports afterwards how many pods are terminating", () => {
    const left = (terminating?: number, after = counts(4)) =>
      terminatingNotices(counts(8), after, { status: { terminating } }).map(({ message }) => message);
    assert.deepEqual(
      [4, 1, 0, undefined].flatMap((each) => left(each)),
      ["4 pods are terminating", "1 pod is terminating"],
    );
    assert.deepEqual(left(1, counts(9)), []);
  });
});
