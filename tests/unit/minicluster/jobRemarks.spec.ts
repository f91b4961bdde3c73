import assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../provider";
import { replacementRemarks } from "../../../provider/minicluster/register/jobRemarks";
import type { Inputs } from "../../../provider/shared/changes";
import { aMiniCluster } from "../../support/fixtures";
import { manifestsOf } from "../../support/manifests";

describe("the warning that a resize replaces the Job", () => {
  type Case = Partial<MiniClusterArgs>;
  const patchOf = (args: Case) => manifestsOf(args).jobScale as unknown as Inputs;
  const warnings = (before: Inputs, after: Case) => replacementRemarks(aMiniCluster(after), before, patchOf(after));

  it("gives the reason and the remedy where maxSize is not set", () => {
    const text =
      "size 4 => 6 replaces the Job and restarts every broker, because maxSize is not set; set maxSize to the largest " +
      "size that you will want together with this change, and later ones are made in place";
    assert.deepEqual(warnings(patchOf({ size: 4 }), { size: 6 }), [{ severity: "warning", text }]);
  });

  const silent: [name: string, before: Case, after: Case][] = [
    ["maxSize is set", { size: 4 }, { size: 6, maxSize: 8 }],
    ["the instance knew as many hosts already, so that nothing is replaced", { size: 4, maxSize: 6 }, { size: 6 }],
    ["the size stays", { size: 4 }, { size: 4, tasks: 9 }],
  ];
  for (const [name, before, after] of silent)
    it(`is not given where ${name}`, () => assert.deepEqual(warnings(patchOf(before), after), []));

  it("is not given where the former size is not known", () =>
    assert.deepEqual(warnings({ spec: {} }, { size: 4 }), []));
});
