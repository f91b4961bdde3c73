import * as assert from "node:assert/strict";
import type { Obj } from "../rpc/values";
import { mergeFields, takeOver, withIgnoredFields } from "./managedFields";

const counts = { "f:spec": { "f:completions": {} } };
const entry = (manager: string, operation: string, fieldsV1: Obj, rest: Obj = {}): Obj => ({
  manager,
  operation,
  fieldsV1,
  ...rest,
});

const live = (...managedFields: Obj[]): Obj => ({ metadata: { name: "job", managedFields }, spec: { completions: 5 } });
const inputs: Obj = { metadata: { name: "job" }, spec: { completions: 4, suspend: false } };
const ignoring = (...managedFields: Obj[]) =>
  withIgnoredFields(inputs, live(...managedFields), "me", ["spec.completions"]).spec;

describe("an update that ignores a field", () => {
  it("leaves it to the others when only they manage it", () =>
    assert.deepEqual(ignoring(entry("patch", "Apply", counts)), { suspend: false }));

  it("sends its live value when it is managed here too", () => {
    const spec = ignoring(entry("patch", "Apply", counts), entry("me", "Apply", counts));
    assert.deepEqual(spec, { completions: 5, suspend: false });
  });

  it("sends its live value when nobody manages it", () =>
    assert.deepEqual(ignoring(), { completions: 5, suspend: false }));

  it("keeps the program's value when the object has none", () => {
    const sent = withIgnoredFields(inputs, { metadata: {} }, "me", ["spec.completions"]);
    assert.deepEqual(sent.spec, { completions: 4, suspend: false });
  });
});

describe("taking fields over", () => {
  it("makes the fields of a plain create those of the resource's manager", () => {
    const status = entry("pulumi-kubernetes", "Update", {}, { subresource: "status" });
    const created = entry("pulumi-kubernetes", "Update", counts);
    assert.deepEqual(takeOver([created, status], "me"), [status, entry("me", "Apply", counts)]);
  });

  it("adds what kubectl changed to what the manager has", () => {
    const own = entry("me", "Apply", { "f:data": { "f:a": {} } });
    const kubectl = entry("kubectl-edit", "Update", { "f:data": { "f:b": {} } });
    assert.deepEqual(takeOver([own, kubectl], "me"), [entry("me", "Apply", { "f:data": { "f:a": {}, "f:b": {} } })]);
  });

  it("leaves controllers and other appliers alone", () => {
    const others = [entry("kube-controller-manager", "Update", counts), entry("patch", "Apply", counts)];
    assert.equal(takeOver(others, "me"), undefined);
  });

  it("merges field sets at every depth", () =>
    assert.deepEqual(mergeFields({ a: { b: {} } }, { a: { c: {} }, d: {} }), { a: { b: {}, c: {} }, d: {} }));
});
