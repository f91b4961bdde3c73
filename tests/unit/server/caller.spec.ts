import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { callerOptions } from "../../../provider/server/caller";
import { valueOf } from "../../support/mocks";

/** Options as the SDK's server makes them of a request. */
const fromServer = (options: object): pulumi.ComponentResourceOptions => {
  const customTimeouts: object = { create: "", update: "", pb_delete: "" };
  return { aliases: [], protect: false, retainOnDelete: false, customTimeouts, ...options };
};

describe("the options of a component whose caller is a program in another process", () => {
  const cases: [name: string, given: object, want: object][] = [
    ["say nothing of what is not given", {}, {}],
    [
      "have the time limits that are given, under their own names",
      { customTimeouts: { create: "1m", update: "", pb_delete: "2m" } },
      { customTimeouts: { create: "1m", delete: "2m" } },
    ],
    ["retain where that is given", { retainOnDelete: true }, { retainOnDelete: true }],
  ];
  for (const [name, given, want] of cases)
    it(name, () => {
      const known = { aliases: [], protect: false, customTimeouts: {} };
      assert.deepEqual(callerOptions(fromServer(given)), { ...known, ...want });
    });

  it("have the whole URN of what it is deleted with", async () => {
    const urn = "urn:pulumi:dev::project::kubernetes:core/v1:Namespace::home";
    const { deletedWith } = callerOptions(fromServer({ deletedWith: new pulumi.DependencyProviderResource(urn) }));
    assert.equal(deletedWith && (await valueOf(deletedWith.urn)), urn);
  });
});
