import * as assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { isPlainObject, numberAt, withoutEmpty } from "../../../provider/shared/objects";

describe("withoutEmpty", () => {
  it("leaves out empty values", () => assert.deepEqual(withoutEmpty({ a: undefined, b: [], c: {}, d: 1 }), { d: 1 }));

  it("keeps everything that is not empty", () => {
    const kept = { a: 0, b: "", c: false, d: null, e: [undefined], f: { g: undefined }, h: pulumi.output({}) };
    assert.deepEqual(Object.keys(withoutEmpty(kept)), Object.keys(kept));
  });
});

it("a plain object is one of properties alone, of any realm", () => {
  const plain = [{ a: 1 }, Object.create(null), runInNewContext("({})")];
  const others = [null, [], "a", new Date(), new Map(), Promise.resolve(), pulumi.output({})];
  assert.deepEqual(plain.map(isPlainObject), Array(plain.length).fill(true));
  assert.deepEqual(others.map(isPlainObject), Array(others.length).fill(false));
});

it("a number at a path is found where it is one, and known", () => {
  const inputs = { spec: { completions: 4, text: "4", list: [7] }, size: pulumi.output(3) };
  const numbers = ["spec.completions", "spec.list.0"].map((path) => numberAt(inputs, ...path.split(".")));
  assert.deepEqual(numbers, [4, 7]);
  for (const path of ["spec.text", "spec", "spec.completions.more", "none.at.all", "size"])
    assert.equal(numberAt(inputs, ...path.split(".")), undefined, path);
  assert.equal(numberAt(undefined, "a"), undefined);
});
