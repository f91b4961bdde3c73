import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import {
  attachKnownValue,
  hashDeferred,
  hashKnown,
  knownValue,
  resourcesBehind,
} from "../../../provider/shared/deferred";
import { mockEngine, unknownOutput, valueOf } from "../../support/mocks";

const output = pulumi.output("x");
const secret = pulumi.secret("x");
const digest = (value: unknown, key: pulumi.Input<string> = pulumi.secret("key")) =>
  hashDeferred(value, key) ?? assert.fail("no hash");

it("the hash of known values changes with every value, key and place, and with no value that is known later", () => {
  const all = [{ a: 1 }, { a: 2 }, { b: 1 }, { a: "1" }, { a: [1] }, { a: { b: 1 } }, { a: null }, {}, { b: output }];
  assert.equal(new Set(all.map(hashKnown)).size, all.length);
  assert.equal(hashKnown({ a: 1, b: { c: 2, d: 3 } }), hashKnown({ b: { d: 3, c: 2 }, a: 1 }));
  for (const value of [secret, Promise.resolve("y")]) assert.equal(hashKnown({ b: output }), hashKnown({ b: value }));
  assert.equal(hashKnown({ a: 1, b: undefined }), hashKnown({ a: 1 }));
  assert.match(hashKnown({}), /^[0-9a-f]{16}$/);
});

describe("the hash of what is only known later", () => {
  before(() => mockEngine());

  it("is not there where everything is known", () =>
    assert.equal(hashDeferred({ a: [1, { b: "x" }] }, "key"), undefined));

  it("changes with a value and with the key, and can be shown, although they may be secret", async () => {
    const values = [{ a: [{ b: output }] }, { a: pulumi.output("y") }, { a: Promise.resolve("z") }];
    const digests = [...values.map((value) => digest(value)), digest(values[0], "another key")];
    const hashes = await Promise.all(digests.map(valueOf));
    assert.equal(new Set(hashes).size, 4);
    for (const hash of hashes) assert.match(hash, /^[0-9a-f]{16}$/);
    assert.equal(await valueOf(digest({ a: secret })), await valueOf(digest({ a: output })));
    assert.equal(await pulumi.isSecret(digest({ a: secret })), false);
  });

  it("is unknown while a value or the key is", async () => {
    const isKnown = (hash: pulumi.Output<string>) => (hash as unknown as { isKnown: Promise<boolean> }).isKnown;
    await mockEngine({ preview: true });
    assert.equal(await isKnown(digest({ a: unknownOutput(), b: output })), false);
    assert.equal(await isKnown(digest({ a: output }, unknownOutput())), false);
    assert.equal(await isKnown(digest({ a: output })), true);
  });
});

describe("an output with its plain value", () => {
  it("is the same output, and is read as its value, even an empty one", () => {
    for (const value of ["now", undefined, null, 0, ""]) {
      const output = pulumi.output<unknown>("later");
      assert.equal(attachKnownValue(output, value), output);
      assert.equal(knownValue(output), value);
    }
  });

  it("is no output that is made of it, and nothing else", () => {
    const made = attachKnownValue(pulumi.output(1), 1).apply((one) => one);
    for (const input of [made, undefined, null, "a", { a: 1 }, pulumi.output(1), Promise.resolve(1)])
      assert.equal(knownValue(input), input);
  });
});

describe("the resources behind an input", () => {
  class Part extends pulumi.CustomResource {
    declare readonly size: pulumi.Output<number>;
    constructor(name: string) {
      super("test:index:Part", name, { size: 1 });
    }
  }
  const namesBehind = async (input: unknown) => {
    const urns = (await valueOf(resourcesBehind(input))).map(({ urn }) => valueOf(urn));
    return (await Promise.all(urns)).map((urn) => urn.split("::").at(-1));
  };

  before(async () => void (await mockEngine()));

  it("do not exist for a value that is not an output, and for an output without resources", async () => {
    for (const input of [undefined, null, "a", { allResources: 1 }, pulumi.output(1)])
      assert.deepEqual(await namesBehind(input), []);
  });

  it("are those that an output depends on, with a plain value or without, at once or in its own time", async () => {
    const [one, other] = [new Part("one"), new Part("other")];
    const both = pulumi.all([one.size, other.size]).apply(([size]) => size);
    assert.deepEqual(await namesBehind(both), ["one", "other"]);
    assert.deepEqual(await namesBehind(attachKnownValue(both, 1)), ["one", "other"]);
    assert.deepEqual(await namesBehind(pulumi.output(1).apply(() => one.size)), ["one"]);
  });
});
