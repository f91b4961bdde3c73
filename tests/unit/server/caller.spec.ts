import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { callerOptions } from "../../../provider/server/caller";
import { valueOf } from "../../support/mocks";

const nothing: object = { create: "", update: "", pb_delete: "" };

/** Options as the SDK's server makes them of a request. */
const fromServer = (options: object = {}): pulumi.ComponentResourceOptions => ({
  ...{ aliases: [], protect: false, retainOnDelete: false },
  customTimeouts: nothing,
  ...options,
});

describe("the options of a component whose caller is a program in another process", () => {
  it("say nothing of what is not given", () =>
    assert.deepEqual(callerOptions(fromServer()), { aliases: [], protect: false, customTimeouts: {} }));

  it("have the time limits that are given, under their own names", () => {
    const customTimeouts = { create: "1m", update: "", pb_delete: "2m" };
    assert.deepEqual(callerOptions(fromServer({ customTimeouts })).customTimeouts, { create: "1m", delete: "2m" });
    assert.deepEqual(callerOptions({ customTimeouts: { delete: "3m" } }).customTimeouts, { delete: "3m" });
  });

  it("retain where that is given", () =>
    assert.equal(callerOptions(fromServer({ retainOnDelete: true })).retainOnDelete, true));

  it("have the whole URN of what it is deleted with", async () => {
    const urn = "urn:pulumi:dev::project::kubernetes:core/v1:Namespace::home";
    const { deletedWith } = callerOptions(fromServer({ deletedWith: new pulumi.DependencyProviderResource(urn) }));
    assert.equal(deletedWith && (await valueOf(deletedWith.urn)), urn);
  });
});
