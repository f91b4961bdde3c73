import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { knownValue, resourcesBehind, attachKnownValue } from "../../../provider/shared/deferred";
import { mockEngine, valueOf } from "../../support/mocks";

describe("an output with its plain value", () => {
  it("is the same output, and is read as what it stands for, though that is as good as none", () => {
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

  it("are none behind what is no output, and behind an output of nothing", async () => {
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
