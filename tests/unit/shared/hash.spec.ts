import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { hashDeferred, hashKnown } from "../../../provider/shared/hash";
import { mockEngine, unknownOutput, valueOf } from "../../support/mocks";

const key = pulumi.secret("key");

/** The digest of a value that holds something that is only known later. */
function digest(value: unknown): pulumi.Output<string> {
  const output = hashDeferred(value, key);
  assert.ok(output);
  return output;
}

describe("the hash of what is known", () => {
  it("is short, and the same for the same data", () => {
    assert.match(hashKnown({ a: [1, "x"] }), /^[0-9a-f]{16}$/);
    assert.equal(hashKnown({ a: [1, "x"] }), hashKnown({ a: [1, "x"] }));
  });

  it("changes with a value, a key and a place", () => {
    const all = [{ a: 1 }, { a: 2 }, { b: 1 }, { a: "1" }, { a: [1] }, { a: { b: 1 } }, { a: null }, {}];
    assert.equal(new Set(all.map(hashKnown)).size, all.length);
  });

  it("takes no notice of properties that are undefined", () =>
    assert.equal(hashKnown({ a: 1, b: undefined }), hashKnown({ a: 1 })));

  it("counts what is only known later by its place alone", () => {
    assert.equal(hashKnown({ a: pulumi.output("x") }), hashKnown({ a: pulumi.secret("y") }));
    assert.equal(hashKnown({ a: pulumi.output("x") }), hashKnown({ a: Promise.resolve("y") }));
    assert.notEqual(hashKnown({ a: pulumi.output("x") }), hashKnown({ b: pulumi.output("x") }));
  });
});

describe("the hash of what is only known later", () => {
  before(() => mockEngine());

  it("is not there where everything is known", () =>
    assert.equal(hashDeferred({ a: [1, { b: "x" }] }, key), undefined));

  it("is short, and the same for the same values", async () => {
    const value = () => ({ a: [{ b: pulumi.output("x") }], c: Promise.resolve("y") });
    assert.match(await valueOf(digest(value())), /^[0-9a-f]{16}$/);
    assert.equal(await valueOf(digest(value())), await valueOf(digest(value())));
  });

  it("changes with a value and with the key", async () => {
    const hashes = await Promise.all(
      [digest({ a: pulumi.output("x") }), digest({ a: pulumi.output("y") }), digest({ a: Promise.resolve("z") })].map(
        valueOf,
      ),
    );
    const other = hashDeferred({ a: pulumi.output("x") }, "another key");
    assert.ok(other);
    assert.equal(new Set([...hashes, await valueOf(other)]).size, 4);
  });

  it("can be shown, although the key is secret and the values may be", async () => {
    for (const leaf of [pulumi.output("x"), pulumi.secret("x")])
      assert.equal(await pulumi.isSecret(digest({ a: leaf })), false);
  });

  it("is unknown while a value or the key is", async () => {
    const isKnown = (output: pulumi.Output<string>) => (output as unknown as { isKnown: Promise<boolean> }).isKnown;
    await mockEngine({ preview: true });
    assert.equal(await isKnown(digest({ a: unknownOutput(), b: pulumi.output("x") })), false);
    const keyless = hashDeferred({ a: pulumi.output("x") }, unknownOutput());
    assert.ok(keyless);
    assert.equal(await isKnown(keyless), false);
    assert.equal(await isKnown(digest({ a: pulumi.output("x") })), true);
  });
});
