import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf } from "../support/mocks";
import { answers, poolIn, register } from "../support/pools";

interface JobInputs {
  spec: {
    template: {
      metadata: { annotations: Record<string, string> };
      spec: {
        nodeSelector: object;
        tolerations: object[];
        volumes: { hostPath?: { path: string } }[];
        containers: {
          resources: { limits: Record<string, string>; requests?: object };
          env: { name: string; value: string }[];
          securityContext?: { capabilities?: { add?: string[] } };
        }[];
      };
    };
  };
}

describe("a MiniCluster on a pool", function () {
  this.timeout(60_000);

  for (const preview of [false, true]) {
    const pods = async (text: string, ...after: string[]) => {
      const { find } = await register(poolIn(text), { preview }, true);
      const { dependsOn, inputs } = find("Job demo");
      for (const id of after) assert.ok(dependsOn.includes(id), `${id}: ${dependsOn.join()}`);
      const { metadata, spec } = (inputs as JobInputs).spec.template;
      const [container = assert.fail()] = spec.containers;
      const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
      return { annotations: metadata.annotations, pod: spec, container, env };
    };
    const when = preview ? ", in a preview too" : "";
    const equal = (key: string, value: string) => [{ key, operator: "Equal", value, effect: "NoSchedule" }];
    const lock = ["IPC_LOCK"];

    it(`waits for the nodes of EKS and their plugins, and lands there with EFA${when}`, async () => {
      const plugins = ["DaemonSet hpc-nvidia-device-plugin", "DaemonSet hpc-efa-device-plugin"];
      const taints = "[{key: gpu, value: here, effect: NoSchedule}]";
      const { pod, container, env } = await pods(`!efa {taints: ${taints}}`, "NodeGroup hpc", ...plugins);
      assert.deepEqual(pod.nodeSelector, { "minicluster/pool": "hpc", "kubernetes.io/arch": "amd64" });
      assert.deepEqual(pod.tolerations, equal("gpu", "here"));
      assert.deepEqual(container.resources, {
        limits: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "42240Mi" },
        // Nine tenths of 192, so that nothing else comes beside it.
        requests: { cpu: "172" },
      });
      assert.equal(env["FI_PROVIDER"], "efa");
    });

    it(`takes the RDMA interfaces of GKE, and the host's libraries${when}`, async () => {
      const { pod, container, annotations, env } = await pods("!roce {}", "NodePool hpc");
      assert.equal(container.resources.limits["networking.gke.io.networks/rdma-7"], "1");
      assert.equal(annotations["networking.gke.io/default-interface"], "eth0");
      assert.deepEqual(container.securityContext?.capabilities?.add, lock);
      assert.ok(pod.volumes.some(({ hostPath }) => hostPath?.path === "/home/kubernetes/bin/gib"));
      assert.equal(env["NCCL_NET"], "gIB");
      assert.deepEqual((await pods("!gke {machineType: c4a-standard-72}")).pod.tolerations, [
        ...equal("kubernetes.io/arch", "arm64"),
      ]);
    });

    it(`lands on InfiniBand of AKS, and tolerates the taint of spot machines${when}`, async () => {
      const { pod, container, env } = await pods("!hb {capacity: spot}", "AgentPool hpc");
      assert.deepEqual(pod.tolerations, equal("kubernetes.azure.com/scalesetpriority", "spot"));
      assert.deepEqual(container.resources.limits, { "rdma/shared_ib": "1" });
      assert.deepEqual(container.securityContext?.capabilities?.add, lock);
      assert.equal(env["UCX_TLS"], "ib,sm,self");
    });
  }

  it("is refused in the constructor where it may grow above the pool", async () => {
    await mockEngine({ answers, preview: true });
    const { scheduling: pool } = poolIn("!efa {pairedWith: {size: 2, maxSize: 4}}")();
    assert.throws(
      () => new MiniCluster("demo", aMiniClusterArgs({ size: 2, maxSize: 5, pool })),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "maxSize",
    );
    await valueOf(pool);
  });
});
