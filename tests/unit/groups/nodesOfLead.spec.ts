import assert from "node:assert/strict";
import { type MiniClusterArgs, MiniClusterTaintEffect } from "../../../provider";
import { allManifests } from "../../support/specs";
import { randomCertificate } from "../../../provider/core/register/certificate";
import { aLead, aPool } from "../../support/fixtures";
import { standInKey } from "../../support/manifests";
import { valueAt } from "../../support/propertyPaths";

describe("the pods beside the workers of a pool that may have no nodes", () => {
  const elastic = { autoscale: { max: 4 } };
  const labelled = (pool: string) => aPool({ pool, nodeSelector: { "minicluster/pool": pool } });
  const tainted = (effect: MiniClusterTaintEffect) => ({
    ...labelled(effect.toLowerCase()),
    taints: [{ key: "gpu", effect }],
  });
  /** What the pods of lead broker, agent and services avoid, each as a text. */
  function avoidedBy(args: Partial<MiniClusterArgs>) {
    const common = {
      name: "lab",
      interactive: true,
      containers: [{ image: "i" }],
      services: [{ image: "s", name: "web" }],
    };
    const spec = aLead({ ...common, ...args });
    const sent = allManifests(spec, { certificate: randomCertificate("lab", standInKey) });
    const at = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
    return ["job.spec.template.spec", "agent.deployment.spec.template.spec", "servicesPod.spec"].map((pod) => {
      assert.ok(valueAt(sent, pod), pod);
      return JSON.stringify(valueAt(sent, `${pod}.${at}`)) ?? "";
    });
  }
  const notIn = (...values: string[]) =>
    JSON.stringify([{ matchExpressions: [{ key: "minicluster/pool", operator: "NotIn", values }] }]);

  it("avoid its nodes, which they would keep, in the pods of lead broker, agent and services", () => {
    const pool = labelled("p5");
    const groups = {
      gpu: { pool, ...elastic },
      more: { pool, ...elastic },
      // A change of a size or of bounds must not replace the lead broker.
      cpu: { pool: labelled("c7"), size: 2 },
      soft: { pool: tainted(MiniClusterTaintEffect.PreferNoSchedule), ...elastic },
    };
    const all = notIn("c7", "p5", "prefernoschedule");
    assert.deepEqual(avoidedBy({ groups }), [all, all, all]);
    assert.deepEqual(avoidedBy({ lead: {}, pool, ...elastic }), [notIn("p5"), notIn("p5"), notIn("p5")]);
  });

  it("do not avoid nodes that stay, that a taint protects, or that the arguments select", () => {
    const stays = { fixed: { pool: aPool({ nodes: 4 }), ...elastic } };
    const taints = {
      hard: { pool: tainted(MiniClusterTaintEffect.NoSchedule), ...elastic },
      now: { pool: tainted(MiniClusterTaintEffect.NoExecute), ...elastic },
    };
    const own = { gpu: { pool: aPool(), ...elastic } };
    const shared = { gpu: { pool: aPool({ nodeSelector: { a: "1", b: "2" } }), ...elastic } };
    for (const args of [
      { groups: { ...stays, ...taints } },
      { groups: own, lead: { nodeSelector: { role: "lead" } } },
      { groups: own, lead: { pool: aPool({ pool: "hpc" }) } },
      { groups: shared },
    ])
      assert.deepEqual(avoidedBy(args), ["", "", ""]);
    const [lead, agent] = avoidedBy({ groups: own, lead: { pool: labelled("small") } });
    assert.deepEqual([lead, agent], ["", notIn("hpc")]);
  });
});
