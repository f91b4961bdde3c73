import * as assert from "node:assert/strict";
import { versionProblem } from "../../../../provider/core/diagnostics/namespace";

describe("the version of a cluster", () => {
  const dropped: [major: string, minor: string][] = [
    ["1", "30"],
    ["1", "30+"],
    ["1", "9"],
  ];
  for (const [major, minor] of dropped)
    it(`warns if it ignores the success policy of a Job: ${major}.${minor}`, () =>
      assert.match(versionProblem({ major, minor })?.message ?? "", /^Kubernetes 1\.\d+ of this API server ignores/));

  for (const version of [
    { major: "1", minor: "31" },
    { major: "1", minor: "36+" },
    { major: "2", minor: "0" },
  ])
    it(`does not warn if it supports the success policy: ${version.major}.${version.minor}`, () =>
      assert.equal(versionProblem(version), undefined));

  for (const version of [undefined, null, "v1.30.0", {}, { major: "1" }, new Error("no response in time")])
    it(`is not guessed: ${String(JSON.stringify(version))}`, () => assert.equal(versionProblem(version), undefined));
});
