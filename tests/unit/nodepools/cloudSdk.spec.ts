import * as assert from "node:assert/strict";
import { withCloudSdk } from "../../../provider/nodepools/cloudSdk";

describe("the SDK of a cloud", () => {
  it("is what its load gives", () =>
    assert.equal(
      withCloudSdk("@pulumi/aws", () => 7),
      7,
    ));

  it("is asked for by name where it was left out", () => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const load = () => require("@pulumi/nowhere/eks") as unknown;
    assert.throws(() => withCloudSdk("@pulumi/nowhere", load), {
      message: "node pools of this cloud need the package @pulumi/nowhere; add it: npm install @pulumi/nowhere",
    });
  });

  it("tells of its own faults itself", () => {
    const broken = Object.assign(new Error("Cannot find module 'mime'"), { code: "MODULE_NOT_FOUND" });
    const fail = () => {
      throw broken;
    };
    assert.throws(() => withCloudSdk("@pulumi/aws", fail), broken);
  });
});
