import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aPool } from "../../../support/fixtures";
import { manifestsOf } from "../../../support/manifests";

const budgetOf = (args: Partial<MiniClusterArgs>) => manifestsOf(args).disruptionBudget;

describe("the disruption budget", () => {
  it("keeps every broker's pod, and not that of the services, at any size", () => {
    const { metadata, spec } = budgetOf({ namespace: "people", disruptionBudget: true, size: 2, maxSize: 9 }) ?? {};
    assert.deepEqual(spec, {
      minAvailable: 9,
      selector: {
        matchLabels: { "job-name": "demo" },
        matchExpressions: [{ key: "batch.kubernetes.io/job-completion-index", operator: "Exists" }],
      },
    });
    assert.deepEqual(metadata, {
      name: "demo",
      namespace: "people",
      labels: {
        "app.kubernetes.io/name": "minicluster",
        "app.kubernetes.io/instance": "demo",
        "job-name": "demo",
      },
      annotations: { "pulumi.com/patchForce": "true" },
    });
  });

  const cases: [name: string, args: Partial<MiniClusterArgs>, isThere: boolean][] = [
    ["is there on a pool", { pool: aPool() }, true],
    ["is not there without a pool", {}, false],
    ["is there where the user asks for one", { disruptionBudget: true }, true],
    ["is not there where the user wants none, on a pool neither", { pool: aPool(), disruptionBudget: false }, false],
  ];
  for (const [name, args, isThere] of cases) it(name, () => assert.equal(budgetOf(args) !== undefined, isThere));
});
