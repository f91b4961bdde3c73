import * as assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { isPlainObject, withoutEmpty } from "../../../provider/shared/objects";

describe("withoutEmpty", () => {
  it("leaves out what says nothing", () =>
    assert.deepEqual(withoutEmpty({ a: undefined, b: [], c: {}, d: 1 }), { d: 1 }));

  it("keeps what says something, however little", () => {
    const kept = { a: 0, b: "", c: false, d: null, e: [undefined], f: { g: undefined }, h: pulumi.output({}) };
    assert.deepEqual(Object.keys(withoutEmpty(kept)), Object.keys(kept));
  });
});

describe("isPlainObject", () => {
  const cases: [name: string, value: unknown, want: boolean][] = [
    ["an object literal", { a: 1 }, true],
    ["an object without a prototype", Object.create(null), true],
    ["an object of another realm", runInNewContext("({})"), true],
    ["null", null, false],
    ["a list", [], false],
    ["a string", "a", false],
    ["a date", new Date(), false],
    ["a map", new Map(), false],
    ["a promise", Promise.resolve(), false],
    ["an output", pulumi.output({}), false],
  ];
  for (const [name, value, want] of cases)
    it(`says ${want} of ${name}`, () => assert.equal(isPlainObject(value), want));
});
