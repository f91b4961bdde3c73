import * as assert from "node:assert/strict";
import { query } from "jsonpath-rfc9535";
import { MiniClusterWait } from "../../../../provider";
import { waitForAnnotation } from "../../../../provider/brokers/objects/job";
import type { MiniClusterSpec } from "../../../../provider/brokers/parse/spec";
import { aBurstCluster, aContainer, aMiniCluster, aRoot } from "../../../support/fixtures";

const follows = (wait: MiniClusterWait, min = 2) =>
  aMiniCluster({ containers: [aContainer({ launcher: true })], autoscale: { min, max: 8 }, wait });

/** Whether the wait for a cluster is over at a Job with so many pods. */
function isOver(spec: MiniClusterSpec, job: { parallelism: number; suspend?: boolean; status?: object }): boolean {
  const { status, ...rest } = job;
  const path = /^jsonpath=\{(.*)\}$/s.exec(waitForAnnotation(spec))?.[1] ?? "";
  const live = { metadata: { uid: "0b3a", annotations: {} }, spec: { suspend: false, ...rest }, status };
  return query(JSON.parse(JSON.stringify(live)) as never, path).length > 0;
}

describe("the wait for a cluster whose size follows its queue", () => {
  it("ends when min pods are Ready, however many the agent has asked for since", () => {
    const spec = follows(MiniClusterWait.Ready);
    assert.equal(isOver(spec, { parallelism: 8, status: { ready: 2, active: 8 } }), true);
    assert.equal(isOver(spec, { parallelism: 8, status: { ready: 5, active: 8, terminating: 1 } }), true);
    assert.equal(isOver(spec, { parallelism: 8, status: { ready: 1, active: 8 } }), false);
    assert.equal(isOver(spec, { parallelism: 2, status: {} }), false);
    assert.equal(isOver(spec, { parallelism: 2 }), false);
  });

  it("ends when all pods are Ready where min was raised: the agent, which comes after it, makes the others", () => {
    assert.equal(isOver(follows(MiniClusterWait.Ready, 4), { parallelism: 2, status: { ready: 2 } }), true);
  });

  it('also lasts until no pod is leaving, with wait "settled"', () => {
    const spec = follows(MiniClusterWait.Settled);
    assert.equal(isOver(spec, { parallelism: 8, status: { ready: 2, terminating: 1 } }), false);
    assert.equal(isOver(spec, { parallelism: 8, status: { ready: 8, terminating: 1 } }), false);
    assert.equal(isOver(spec, { parallelism: 8, status: { ready: 2, terminating: 0 } }), true);
  });

  it("does not need a pod of a burst that may have none", () => {
    const spec = aBurstCluster({ root: aRoot({ demandPort: 30_860 }), autoscale: {} });
    assert.equal(isOver(spec, { parallelism: 1, suspend: true, status: {} }), true);
    assert.equal(isOver(spec, { parallelism: 3, status: { ready: 0 } }), true);
  });

  for (const wait of Object.values(MiniClusterWait))
    it(`holds nothing that the Kubernetes provider would split or refuse, with wait "${wait}"`, () => {
      const [, path = ""] = /^jsonpath=\{(.*)\}$/s.exec(waitForAnnotation(follows(wait))) ?? [];
      // The provider splits at a single "=", as in ">=".
      assert.doesNotMatch(path, /(?<!=)=(?!=)/);
      // Its parser takes no "&&" beside a "||" without parentheses around it.
      const outer = path.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, "()");
      assert.doesNotMatch(outer, /&&/);
    });
});
