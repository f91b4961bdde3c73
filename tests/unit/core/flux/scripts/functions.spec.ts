import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { scripts } from "../../../../../provider/core/flux/scripts";

describe("the functions with which a pod waits", () => {
  // The moment is too short to meet it: bash parses what it substitutes, and a trap that runs then as a part of it.
  it("have no substitution, in which bash loses a signal", () => {
    const [follower] = scripts["follower.sh"].split("\npatience=");
    const script = `${scripts["functions.sh"]}\n${follower}\ndeclare -f nap rest knock wait_for_lead`;
    const { stdout, status } = spawnSync("bash", { input: script, encoding: "utf8" });
    assert.equal(status, 0);
    assert.match(stdout, /read -r -t 3 /);
    assert.doesNotMatch(stdout, /[$<>]\((?!\()/);
  });
});
