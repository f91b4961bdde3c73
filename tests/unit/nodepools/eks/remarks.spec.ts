import * as assert from "node:assert/strict";
import { nodeGroupRemarks } from "../../../../provider/nodepools/eks/remarks";
import type { EksPoolSpec } from "../../../../provider/nodepools/eks/spec";
import { anEfaPool, anEksPool } from "./fixtures";
import { groupInputs, templateInputs } from "./inputs";

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
  const mayLose = (before: number, after: number) =>
    `warning: pool hpc may have at most ${after} nodes instead of ${before}: if more are running, the cloud chooses which go, ` +
    "whatever ranks run there; shrink the MiniCluster first in an update of its own";

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

  it("warns where a scaled pool is fixed at fewer nodes than may be running", () =>
    assert.deepEqual(said(anEksPool({ autoscale: { max: 8 } }), anEksPool({ size: 2 })), [
      "info: pool hpc grows to at most: nodes 8 => 2, vCPUs 16 => 4",
      mayLose(8, 2),
    ]));

  it("warns where a fixed pool may be scaled to fewer nodes", () =>
    assert.deepEqual(said(anEksPool({ size: 8 }), anEksPool({ autoscale: { max: 4 } }), { desired: 4 }), [
      "info: pool hpc grows to at most: nodes 8 => 4, vCPUs 16 => 8",
      mayLose(8, 4),
    ]));
});

describe("what is said of other machines on EKS", () => {
  it("counts each by its own, where the launch template names them", () =>
    assert.deepEqual(said(block("p4d.24xlarge", { size: 4 }), block("p5.48xlarge", { size: 2 })).slice(0, 1), [
      "info: pool hpc: machines p4d.24xlarge => p5.48xlarge, nodes 4 => 2, GPUs 32 => 16, EFA interfaces 16 => 64, vCPUs 384 => 384",
    ]));

  it("comes where the machine is all that changes", () =>
    assert.deepEqual(said(block("p4d.24xlarge"), block("p5.48xlarge")), [
      "info: pool hpc: machines p4d.24xlarge => p5.48xlarge, nodes 2 => 2, GPUs 16 => 16, EFA interfaces 8 => 64, vCPUs 192 => 384",
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

  it("counts only the nodes of a machine that nobody knows any more", () => {
    const hardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024, efaInterfaces: 1 } as const;
    const old = block("p99.48xlarge", {
      hardware: { ...hardware, accelerator: { kind: "nvidia", model: "X", count: 8 } },
    });
    assert.deepEqual(said(old, block("p5.48xlarge", { size: 4 })), [
      "info: pool hpc: machines p99.48xlarge => p5.48xlarge, nodes 2 => 4",
    ]);
  });

  it("counts what the user says of a machine on both sides", () => {
    const hardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024 } as const;
    const pool = (size: number) => anEksPool({ machineTypes: ["m99.large"], hardware, size });
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
    `error: pool hpc: EKS refuses ${limit} the number of nodes, which is left to the autoscaler and is ${desired} as far as ` +
    "the stack knows; run pulumi up --refresh, and where that says the same, set it in EKS first: aws eks " +
    `update-nodegroup-config --cluster-name flux --nodegroup-name hpc-1234567 --scaling-config ${config}; then run ` +
    "pulumi up --refresh again";
  const errors = (...given: Parameters<typeof said>) => said(...given).filter((text) => text.startsWith("error"));

  it("is a min above the number of nodes that the stack knows", () =>
    assert.deepEqual(
      errors(anEksPool({ autoscale: { max: 8 } }), anEksPool({ autoscale: { min: 2, max: 8 } }), { desired: 1 }),
      [advice(1, "a min of 2 above", "minSize=2,maxSize=8,desiredSize=2")],
    ));

  it("is a max below it, as where a fixed pool is now scaled", () =>
    assert.deepEqual(errors(anEksPool({ size: 8 }), anEksPool({ autoscale: { max: 4 } }), { desired: 8 }), [
      advice(8, "a max of 4 below", "minSize=0,maxSize=4,desiredSize=4"),
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
