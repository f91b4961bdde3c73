import * as assert from "node:assert/strict";
import {
  MiniClusterArch,
  type MiniClusterArgs,
  MiniClusterTolerationOperator,
  MiniClusterWait,
} from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { sentManifests } from "../../../support/manifests";
import type { PlainPod } from "../../../support/pod";

const launcher = { containers: [aContainer({ launcher: true })], autoscale: { max: 4 } };

interface Sent {
  job: { spec: { template: { spec: PlainPod } } };
  agent: { deployment: { metadata: { annotations: object }; spec: { template: { spec: PlainPod } } } };
}

async function built(args: Partial<MiniClusterArgs> = {}) {
  const { job, agent } = (await sentManifests({ ...launcher, ...args })) as unknown as Sent;
  const { metadata, spec } = agent.deployment;
  return { brokers: job.spec.template.spec, agent: spec.template.spec, annotations: metadata.annotations };
}

describe("the agent's pod", () => {
  it("is scheduled on ARM nodes wherever the brokers are", async () => {
    const gpu = { key: "nvidia.com/gpu", operator: MiniClusterTolerationOperator.Exists };
    const { agent, brokers } = await built({ flux: { arch: MiniClusterArch.Arm64 }, pod: { tolerations: [gpu] } });
    assert.deepEqual(agent.nodeSelector, { "kubernetes.io/arch": "arm64" });
    assert.deepEqual(agent.tolerations, [
      { key: "kubernetes.io/arch", operator: "Equal", value: "arm64", effect: "NoSchedule" },
      gpu,
    ]);
    assert.deepEqual([agent.nodeSelector, agent.tolerations], [brokers.nodeSelector, brokers.tolerations]);
  });

  it("tolerates nothing by itself on other machines", async () => {
    assert.equal((await built()).agent.tolerations, undefined);
  });

  it("is Ready when it has made a file since its own start, for which it has a volume", async () => {
    const { agent } = await built();
    const [container] = agent.containers;
    assert.deepEqual(container?.["startupProbe"], {
      exec: { command: ["test", "-e", "/tmp/ready"] },
      periodSeconds: 1,
      failureThreshold: 86_400,
    });
    assert.match(container?.command?.at(-1) ?? "", /^rm -f \/tmp\/ready; .*exec flux python/);
    assert.deepEqual(container?.volumeMounts.at(-1), { name: "tmp", mountPath: "/tmp" });
    assert.deepEqual(agent.volumes.at(-1), { name: "tmp", emptyDir: { sizeLimit: "1Mi" } });
  });

  const newPodIsReady = "jsonpath={$[?(@.updatedReplicas == 1 && @.readyReplicas == 1) && !@.unavailableReplicas]}";
  const waits: Record<MiniClusterWait, string> = {
    [MiniClusterWait.Ready]: newPodIsReady,
    [MiniClusterWait.Settled]: newPodIsReady,
    // The lead broker, without which the agent is not Ready, may come at any time, or may have gone.
    [MiniClusterWait.None]: "jsonpath={$[?@.uid]}",
    [MiniClusterWait.Complete]: "jsonpath={$[?@.uid]}",
  };
  for (const [wait, expected] of Object.entries(waits) as [MiniClusterWait, string][])
    it(`is ${expected === newPodIsReady ? "" : "not "}waited for with wait "${wait}"`, async () => {
      const annotations = (await built({ wait })).annotations as Record<string, string>;
      assert.equal(annotations["pulumi.com/waitFor"], expected);
    });
});
