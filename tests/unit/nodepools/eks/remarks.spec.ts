import * as assert from "node:assert/strict";
import { nodeGroupRemarks } from "../../../../provider/nodepools/eks/remarks";
import type { EksPoolSpec } from "../../../../provider/nodepools/eks/parse";
import { anEfaPool, anEksPool, groupInputs, m99, templateInputs } from "./fixtures";

/** What is said of a pool that becomes another one, its launch template too if that changes. */
const said = (
  old: EksPoolSpec,
  spec: EksPoolSpec,
  { template = true, desired }: { template?: boolean; desired?: number } = {},
) =>
  nodeGroupRemarks(spec, {
    before: groupInputs(old),
    after: desired === undefined ? groupInputs(spec) : withDesired(spec, desired),
    templateBefore: template ? templateInputs(old) : undefined,
  }).map(({ severity, text }) => `${severity}: ${text}`);

/** The inputs of a group whose number of nodes is left to the autoscaler: that of the state. */
function withDesired(spec: EksPoolSpec, desiredSize: number) {
  const inputs = groupInputs(spec);
  return { ...inputs, scalingConfig: { ...(inputs["scalingConfig"] as object), desiredSize } };
}

const block = (machineType: string, args: object = {}) =>
  anEfaPool(machineType, { capacity: "capacityBlock", reservationId: "cr-1", ...args });

describe("what is said of another number of nodes on EKS", () => {
  const mayLose = /^warning: pool hpc may have at most \d nodes instead of 8; /;

  it("counts all nodes of a pool of fixed size", () => {
    for (const template of [true, false])
      assert.deepEqual(said(anEksPool({ size: 2 }), anEksPool({ size: 4 }), { template }), [
        "info: pool hpc: nodes 2 => 4, vCPUs 4 => 8",
      ]);
  });

  it("counts from none where the pool had a fixed size of none", () =>
    assert.deepEqual(said(anEksPool({ size: 0 }), anEksPool({ size: 4 })), [
      "info: pool hpc: nodes 0 => 4, vCPUs 0 => 8",
    ]));

  it("warns where a pool may have fewer nodes, be it fixed now or autoscaled", () => {
    const [scaled, fixed] = [anEksPool({ autoscale: { max: 8 } }), anEksPool({ size: 8 })];
    assert.match(said(scaled, anEksPool({ size: 2 }))[1] ?? "", mayLose);
    assert.match(said(fixed, anEksPool({ autoscale: { max: 4 } }), { desired: 4 })[1] ?? "", mayLose);
    assert.match(
      said(fixed, anEksPool({ autoscale: { min: 4, max: 4 } }))[1] ?? "",
      /^warning: pool hpc loses 4 of 8 nodes/,
    );
  });

  it("counts the limit of a pool of one node at most that the autoscaler has started", () => {
    const [one, four] = [anEksPool({ autoscale: { max: 1 } }), anEksPool({ autoscale: { max: 4 } })];
    const before = withDesired(one, 1);
    const [remark] = nodeGroupRemarks(four, { before, after: withDesired(four, 1), templateBefore: undefined });
    assert.equal(remark?.text, "pool hpc (maximum): nodes 1 => 4, vCPUs 2 => 8");
  });
});

describe("what is said of other machines on EKS", () => {
  it("counts each by its own, where the launch template names them", () =>
    assert.deepEqual(said(block("p4d.24xlarge", { size: 4 }), block("p5.48xlarge", { size: 2 })).slice(0, 1), [
      "info: pool hpc: machines p4d.24xlarge => p5.48xlarge, nodes 4 => 2, GPUs 32 => 16, EFA interfaces 16 => 64, vCPUs 384 => 384",
    ]));

  it("comes where a core has another number of threads, and a machine another network", () => {
    const machineTypes = ["c7i.48xlarge"];
    assert.deepEqual(said(anEksPool({ machineTypes }), anEksPool({ machineTypes, threadsPerCore: 1 })), [
      "info: pool hpc: nodes 2 => 2, vCPUs 384 => 192",
    ]);
    assert.deepEqual(said(anEksPool({ machineTypes, threadsPerCore: 1 }), anEfaPool("c7i.48xlarge")), [
      "info: pool hpc: nodes 2 => 2, EFA interfaces 0 => 2, vCPUs 192 => 384",
    ]);
  });

  it("counts only the nodes of a type that is not known any more", () => {
    const hardware = { ...m99, efaInterfaces: 1, accelerator: { kind: "nvidia", model: "X", count: 8 } } as const;
    assert.deepEqual(said(block("p99.48xlarge", { hardware }), block("p5.48xlarge", { size: 4 })), [
      "info: pool hpc: machines p99.48xlarge => p5.48xlarge, nodes 2 => 4",
    ]);
  });

  it("counts what the user says of a type on both sides", () => {
    const pool = (size: number) => anEksPool({ machineTypes: ["m99.large"], hardware: m99, size });
    assert.deepEqual(said(pool(2), pool(4)), ["info: pool hpc: nodes 2 => 4, vCPUs 16 => 32"]);
  });

  it("is nothing where the launch template changes and the machines do not", () => {
    for (const layout of ["combined", "separate"] as const)
      assert.deepEqual(said(anEfaPool("hpc7a.96xlarge"), anEfaPool("hpc7a.96xlarge", { efaLayout: layout })), []);
    const machineTypes = ["m7i.16xlarge", "c6i.16xlarge"];
    assert.deepEqual(said(anEksPool({ machineTypes }), anEksPool({ machineTypes, diskGib: 500 })), []);
  });
});

describe("what EKS would refuse of a pool that is scaled by need", () => {
  const advice = (desired: number, limit: string, config: string) =>
    `error: pool hpc: ${limit} the ${desired} nodes that the stack has on record, and EKS refuses that; run pulumi up ` +
    "--refresh. If that fails alike, run aws eks update-nodegroup-config --cluster-name flux --nodegroup-name hpc-1234567 " +
    `--scaling-config ${config}, and then pulumi up --refresh again`;
  const errors = (...given: Parameters<typeof said>) => said(...given).filter((text) => text.startsWith("error"));

  it("is a min above the number of nodes that the stack knows", () =>
    assert.deepEqual(
      errors(anEksPool({ autoscale: { max: 8 } }), anEksPool({ autoscale: { min: 2, max: 8 } }), { desired: 1 }),
      [advice(1, "min 2 is above", "minSize=2,maxSize=8,desiredSize=2")],
    ));

  it("is a max below it, as where a fixed pool is now scaled", () =>
    assert.deepEqual(errors(anEksPool({ size: 8 }), anEksPool({ autoscale: { max: 4 } }), { desired: 8 }), [
      advice(8, "max 4 is below", "minSize=0,maxSize=4,desiredSize=4"),
    ]));

  it("is nothing between the limits, on them, and where the size is fixed or not known", () => {
    const limits = anEksPool({ autoscale: { min: 2, max: 4 } });
    for (const desired of [2, 3, 4]) assert.deepEqual(errors(limits, limits, { desired }), []);
    assert.deepEqual(errors(limits, anEksPool({ size: 8 })), []);
    const remarks = nodeGroupRemarks(limits, { before: {}, after: {}, templateBefore: undefined });
    assert.deepEqual(remarks, []);
  });

  it("leaves room for names that are not known yet", () => {
    const after = {
      ...withDesired(anEksPool({ autoscale: { min: 2, max: 4 } }), 1),
      clusterName: {},
      nodeGroupName: {},
    };
    const spec = anEksPool({ autoscale: { min: 2, max: 4 } });
    const [remark] = nodeGroupRemarks(spec, { before: after, after, templateBefore: undefined });
    assert.match(remark?.text ?? "", /--cluster-name … --nodegroup-name … --scaling-config/);
  });
});
