import * as assert from "node:assert/strict";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { InitFailed } from "./backend";
import { errorMessage, fromStruct } from "./messages";
import { hasSecret, hasUnknown, secret, unknown, withoutSecrets } from "./values";

describe("messages to the engine", () => {
  it("carry the state of a resource that is there but did not get ready", () => {
    const error = new InitFailed("too late", { id: "ns/job", properties: { a: 1 } }, ["too late", "pod pending"]);
    const { details, metadata } = errorMessage(error);
    assert.equal(details, "too late");
    const [status] = metadata?.get("grpc-status-details-bin") ?? [];
    const [any] = Status.deserializeBinary(status as Buffer).getDetailsList();
    assert.equal(any?.getTypeName(), "pulumirpc.ErrorResourceInitFailed");
    const failed = proto.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() ?? new Uint8Array());
    assert.equal(failed.getId(), "ns/job");
    assert.deepEqual(failed.getReasonsList(), ["too late", "pod pending"]);
    assert.deepEqual(fromStruct(failed.getProperties()), { a: 1 });
  });

  it("carry the text of any other error", () =>
    assert.deepEqual(errorMessage(new Error("no")), { code: 2, details: "no" }));
});

describe("values from the engine", () => {
  it("can be secret at any depth", () => {
    const value = { a: [secret("x"), { b: secret({ c: secret("y") }) }] };
    assert.ok(hasSecret(value));
    assert.deepEqual(withoutSecrets(value), { a: ["x", { b: { c: "y" } }] });
  });

  it("are not known when anything in them is not, secret or otherwise", () => {
    assert.ok(hasUnknown({ a: [secret(unknown)] }));
    assert.ok(!hasUnknown({ a: [secret("known")] }));
  });
});
