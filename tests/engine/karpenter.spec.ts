import assert from "node:assert/strict";
import { KarpenterNodePool } from "../../provider";
import { buildKarpenterPool, buildNodeClass } from "../../provider/clouds/eks/karpenter/objects";
import type { NewObject } from "../sandbox/kube";
import { type CloudStack, cloudOfSuite, withCloudStack } from "../support/clouds";
import { isRefused } from "../support/clusters";
import { installKarpenter } from "../support/karpenter";
import { aKarpenterEfaArgs, aKarpenterEfaPool, aKarpenterPool } from "../unit/clouds/nodes/fixtures";

const reserved = { capacityType: "capacityBlock", reservationId: "cr-0a" } as const;

/** Pools of every form that the arguments have. */
const pools: Record<string, ReturnType<typeof aKarpenterPool>> = {
  "CPUs alone": aKarpenterPool(),
  "EFA, in the separate layout": aKarpenterEfaPool("p5.48xlarge", { placementGroupName: "close" }),
  "EFA, in Karpenter's own": aKarpenterEfaPool("hpc6id.32xlarge", { efaLayout: "combined" }),
  "a card without EFA, in a capacity block": aKarpenterEfaPool("p6-b300.48xlarge", reserved),
  "everything that people set": aKarpenterPool({
    os: "bottlerocket",
    amiVersion: "v1.50.0",
    staticCpu: true,
    tags: { team: "physics" },
    labels: { tier: "fast" },
    zones: ["us-east-1a", "us-east-1b"],
    capacityType: "spot",
    emptyForSeconds: 0,
    diskType: "gp2",
    diskGib: 500,
    taints: [
      { key: "a", value: "b", effect: "NoSchedule" },
      { key: "c", effect: "PreferNoSchedule" },
      { key: "d", effect: "NoExecute" },
    ],
  }),
  "images and user data of one's own": aKarpenterPool({ amiIds: ["ami-0a"], userData: "[settings]" }),
};

describe("A KarpenterNodePool", () => {
  const cloud = cloudOfSuite();

  it("is refused in a cluster that has no Karpenter, before anything is made, and a preview warns", () => {
    const program = () => () => new KarpenterNodePool("hpc", aKarpenterEfaArgs("hpc7g.16xlarge", {}));
    const body = async ({ stack }: CloudStack) => {
      await isRefused(stack, /cluster has no karpenter\.k8s\.aws\/v1: .*install Karpenter 1\.11 or later/);
      const plugins = { apiVersion: "apps/v1", kind: "DaemonSet", namespace: "kube-system" };
      assert.deepEqual(await cloud.kube.list(plugins), []);
    };
    return withCloudStack(cloud, program, body, { reads: true });
  });

  describe("in a cluster that has Karpenter's definitions", () => {
    before(async function () {
      // Built on first use.
      this.timeout(600_000);
      await installKarpenter(cloud.kube);
    });

    const create = (object: object) => cloud.kube.create(object as NewObject);

    for (const [name, spec] of Object.entries(pools))
      it(`has objects that Karpenter's own rules take, for ${name}`, async () => {
        for (const object of [buildNodeClass(spec), buildKarpenterPool(spec)]) {
          const { apiVersion, kind } = object;
          await create(object);
          await cloud.kube.delete({ apiVersion, kind, name: "hpc" });
        }
      });
  });
});
