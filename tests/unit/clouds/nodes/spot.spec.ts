import * as assert from "node:assert/strict";
import { specOf } from "../../../../provider/core/parse/featureRules";
import type { RequeueSpec } from "../../../../provider/requeue/fields";
import { buildNodePool } from "../../../../provider/clouds/gke/nodes/objects";
import { driverNotices } from "../../../../provider/clouds/gke/nodes/diagnostics";
import { spotNotices } from "../../../../provider/clouds/eks/karpenter/diagnostics";
import { clusterWarnings } from "../../../../provider/core/parse/warnings";
import { aMiniCluster } from "../../../support/fixtures";
import { aGkePool, aKarpenterPool, aksPool, anEksPool, gkeProblemsOf, aGkePoolArgs } from "./fixtures";
import { diagnosing } from "./tables";

const spot = { capacityType: "spot" } as const;
const long = { ...spot, spotNoticeSeconds: 120 };

describe("a cluster on spot nodes", () => {
  const pools = { EKS: anEksPool(spot), Karpenter: aKarpenterPool(spot), GKE: aGkePool(spot), AKS: aksPool(spot) };
  const wants: Record<string, [drain: number, budget: boolean]> = {
    EKS: [90, false],
    Karpenter: [90, false],
    GKE: [5, true],
    AKS: [20, false],
    "GKE with a longer notice": [75, true],
    "EKS on demand": [30, true],
  };
  const others = { "GKE with a longer notice": aGkePool(long), "EKS on demand": anEksPool() };
  for (const [name, { scheduling: pool }] of Object.entries({ ...pools, ...others }))
    it(`has the drain and the budget that fit the end of its nodes: ${name}`, () => {
      const { drainTimeoutSeconds, disruptionBudget } = aMiniCluster({ pool });
      assert.deepEqual([drainTimeoutSeconds, disruptionBudget], wants[name]);
      assert.deepEqual(clusterWarnings(aMiniCluster({ pool })), []);
    });

  it("has less where its pods have less, and what it says itself", () => {
    const { scheduling: pool } = pools.EKS;
    const podTemplate = { spec: { terminationGracePeriodSeconds: 60 } };
    assert.equal(aMiniCluster({ pool, podTemplate }).drainTimeoutSeconds, 50);
    assert.equal(aMiniCluster({ pool, drainTimeoutSeconds: 7 }).drainTimeoutSeconds, 7);
  });

  it("is warned of a drain longer than the notice, and of a budget that blocks evictions", () => {
    const warnings = clusterWarnings(
      aMiniCluster({ pool: pools.AKS.scheduling, drainTimeoutSeconds: 60, disruptionBudget: true }),
    );
    assert.match(warnings[0] ?? "", /^drainTimeoutSeconds 60 is longer .* 30 s from the notice .* at most 20 s;/);
    assert.match(warnings[1] ?? "", /^disruptionBudget blocks the evictions .* without a drain; remove it$/);
  });

  it("requeues jobs within the drain", () => {
    const spec = aMiniCluster({ pool: pools.GKE.scheduling, requeue: {} });
    assert.equal(specOf<RequeueSpec>(spec, "requeue")?.graceSeconds, 5);
  });
});

describe("the notice of spot nodes of GKE", () => {
  it("is that of the kubelet", () => {
    const { nodeConfig } = buildNodePool(aGkePool(long)) as { nodeConfig: { kubeletConfig: object } };
    assert.deepEqual(nodeConfig.kubeletConfig, {
      shutdownGracePeriodSeconds: 120,
      shutdownGracePeriodCriticalPodsSeconds: 15,
    });
  });

  it("is refused where it cannot be", () => {
    const problems = (args: object) => gkeProblemsOf({ ...aGkePoolArgs(), ...args }).map(String);
    assert.deepEqual(
      gkeProblemsOf({ ...aGkePoolArgs(), spotNoticeSeconds: 60 }).map(({ propertyPath }) => propertyPath),
      ["spotNoticeSeconds"],
    );
    assert.equal(problems({ ...spot, spotNoticeSeconds: 20 }).length, 1);
  });
});

describe("the diagnostics of drivers and handlers that a pool needs", () => {
  const karpenter = diagnosing(spotNotices);
  karpenter.says({
    ["info: pool hpc: Karpenter evicts the pods of a spot machine that AWS reclaims only if Karpenter has an…"]:
      aKarpenterPool(spot),
  });
  karpenter.saysNothing({ "machines on demand": aKarpenterPool() });
  const gke = diagnosing(driverNotices);
  gke.says({
    ["info: pool hpc: NVIDIA's DRA driver (chart dra-driver-nvidia-gpu) needs nvidiaDriverRoot=/home/kubernetes/bin/" +
    "nvidia and resources.gpus.enabled=false in its values, and its kubeletPlugin must tolerate " +
    "nvidia.com/gpu=present:NoSchedule and kubernetes.io/arch=arm64:NoSchedule"]: aGkePool({
      machineType: "a4x-highgpu-4g",
      fabric: "rdma",
    }),
  });
  gke.saysNothing({ "GPUs without an NVLink domain": aGkePool({ machineType: "a4-highgpu-8g" }) });
});
