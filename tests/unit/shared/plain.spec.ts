import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { knownValue, resourcesBehind, attachKnownValue } from "../../../provider/shared/plain";
import { mockEngine, valueOf } from "../../support/mocks";

describe("an output with its plain value", () => {
  it("is the same output, and is read as what it stands for", () => {
    const output = pulumi.output("later");
    assert.equal(attachKnownValue(output, "now"), output);
    assert.equal(knownValue(output), "now");
  });

  it("may stand for a value that is as good as none", () => {
    for (const value of [undefined, null, 0, ""])
      assert.equal(knownValue(attachKnownValue(pulumi.output<unknown>(1), value)), value);
  });

  it("is no output that is made of it", () =>
    assert.ok(pulumi.Output.isInstance(knownValue(attachKnownValue(pulumi.output(1), 1).apply((one) => one)))));

  for (const [name, input] of Object.entries({
    undefined: undefined,
    null: null,
    "a string": "a",
    "an object": { a: 1 },
    "another output": pulumi.output(1),
    "a promise": Promise.resolve(1),
  }))
    it(`is not ${name}, which stays as it is`, () => assert.equal(knownValue(input), input));
});

describe("the resources behind an input", () => {
  class Part extends pulumi.CustomResource {
    declare readonly size: pulumi.Output<number>;
    constructor(name: string) {
      super("test:index:Part", name, { size: 1 });
    }
  }
  const urnsBehind = async (input: unknown) =>
    (await Promise.all((await valueOf(resourcesBehind(input))).map(({ urn }) => valueOf(urn)))).map((urn) =>
      urn.split("::").at(-1),
    );

  before(async () => void (await mockEngine()));

  for (const [name, input] of Object.entries({
    undefined: undefined,
    null: null,
    "a string": "a",
    "an object": { allResources: 1 },
    "an output of nothing": pulumi.output(1),
  }))
    it(`are none behind ${name}`, async () => assert.deepEqual(await urnsBehind(input), []));

  it("are those that an output depends on, with a plain value or without", async () => {
    const [one, other] = [new Part("one"), new Part("other")];
    const both = pulumi.all([one.size, other.size]).apply(([size]) => size);
    assert.deepEqual(await urnsBehind(both), ["one", "other"]);
    assert.deepEqual(await urnsBehind(attachKnownValue(both, 1)), ["one", "other"]);
  });

  it("are those that it comes to depend on in its own time", async () => {
    const part = new Part("late");
    assert.deepEqual(await urnsBehind(pulumi.output(1).apply(() => part.size)), ["late"]);
  });
});
