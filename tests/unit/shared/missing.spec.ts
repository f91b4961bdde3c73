import * as assert from "node:assert/strict";
import { withCloudSdk } from "../../../provider/shared/missing";

describe("the SDK of a cloud", () => {
  it("is what its load gives", () =>
    assert.equal(
      withCloudSdk("@pulumi/aws", () => 7),
      7,
    ));

  it("is named with its install command where it is missing", () => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const load = () => require("@pulumi/nowhere/eks") as unknown;
    assert.throws(() => withCloudSdk("@pulumi/nowhere", load), {
      message: "the package @pulumi/nowhere is missing; run: npm install @pulumi/nowhere",
    });
  });

  it("reports what it lacks itself", () => {
    const message = "Cannot find module 'mime'\nRequire stack:\n- /node_modules/@pulumi/aws/utilities.js";
    const broken = Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });
    const fail = () => {
      throw broken;
    };
    assert.throws(() => withCloudSdk("@pulumi/aws", fail), broken);
  });
});
