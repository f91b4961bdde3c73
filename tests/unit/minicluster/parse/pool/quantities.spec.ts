import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { amount } from "../../../../../provider/minicluster/parse/pool/quantities";

describe("the amount of a Kubernetes quantity", () => {
  const known: [quantity: string, amount: number][] = [
    ["0", 0],
    ["4", 4],
    ["+4", 4],
    ["1.5", 1.5],
    [".5", 0.5],
    ["2.", 2],
    ["500m", 0.5],
    ["3500m", 3.5],
    ["100u", 1e-4],
    ["7n", 7e-9],
    ["2k", 2000],
    ["1.001k", 1001],
    ["1M", 1e6],
    ["1G", 1e9],
    ["2T", 2e12],
    ["1P", 1e15],
    ["1E", 1e18],
    ["1Ki", 1024],
    ["5120Mi", 5120 * 1024 ** 2],
    ["8Gi", 8 * 1024 ** 3],
    ["1Ti", 1024 ** 4],
    ["1Pi", 1024 ** 5],
    ["1Ei", 1024 ** 6],
    ["1e3", 1000],
    ["12E-1", 1.2],
    ["1e+2", 100],
  ];
  for (const [quantity, want] of known) it(`${quantity} is ${want}`, () => assert.equal(amount(quantity), want));

  for (const other of [
    "",
    "x",
    "1x",
    "1Mi3",
    "1k3",
    "1 Gi",
    "-1",
    "1.2.3",
    ".",
    4,
    null,
    undefined,
    {},
    pulumi.output("4"),
  ])
    it(`is none of ${pulumi.Output.isInstance(other) ? "an output" : JSON.stringify(other)}`, () =>
      assert.equal(amount(other), undefined));
});
