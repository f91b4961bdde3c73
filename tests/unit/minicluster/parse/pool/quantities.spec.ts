import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { amount } from "../../../../../provider/minicluster/parse/pool/quantities";

describe("the amount of a Kubernetes quantity", () => {
  const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((unit, index): [string, number] => [
    `3${unit}`,
    3 * 1024 ** (index + 1),
  ]);
  const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].map((unit, index): [string, number] => [
    `1${unit}`,
    Number(`1e${3 * (index - 3)}`),
  ]);
  // prettier-ignore
  const others: [quantity: string, amount: number][] = [
    ["+4", 4], ["1.5", 1.5], [".5", 0.5], ["2.", 2], ["3500m", 3.5], ["1.001k", 1001], ["1e3", 1000], ["12E-1", 1.2], ["1e+2", 100],
  ];
  for (const [quantity, want] of [...binary, ...decimal, ...others])
    it(`${quantity} is ${want}`, () => assert.equal(amount(quantity), want));

  it("is none of anything else", () => {
    for (const other of ["", "x", "1x", "1Mi3", "1k3", "1 Gi", "-1", "1.2.3", ".", 4, null, undefined, {}])
      assert.equal(amount(other), undefined, JSON.stringify(other));
    assert.equal(amount(pulumi.output("4")), undefined);
  });
});
