import * as assert from "node:assert/strict";
import { fromOptionalPackage } from "../../../provider/shared/optionalPackage";

describe("a package that may be missing", () => {
  it("is used if it is installed", () =>
    assert.equal(
      fromOptionalPackage("@pulumi/aws", () => 7),
      7,
    ));

  it("is named with its install command if it is missing", () => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const load = () => require("@pulumi/nowhere/eks") as unknown;
    assert.throws(() => fromOptionalPackage("@pulumi/nowhere", load), {
      message: "the package @pulumi/nowhere is missing; run: npm install @pulumi/nowhere",
    });
  });

  it("reports a module that the package itself lacks", () => {
    const message = "Cannot find module 'mime'\nRequire stack:\n- /node_modules/@pulumi/aws/utilities.js";
    const broken = Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });
    const fail = () => {
      throw broken;
    };
    assert.throws(() => fromOptionalPackage("@pulumi/aws", fail), broken);
  });
});
