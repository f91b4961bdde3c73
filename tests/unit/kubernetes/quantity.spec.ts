import * as assert from "node:assert/strict";
import { milliOf, quantityOf } from "../../../provider/kubernetes/quantity";

describe("quantities", () => {
  const numbers: Record<string, bigint> = {
    "1": 1000n,
    "500m": 500n,
    ".5": 500n,
    "1.": 1000n,
    "+1": 1000n,
    "-1": -1000n,
    "1Ki": 1_024_000n,
    "1n": 1n,
    "1k": 1_000_000n,
    "1e3": 1_000_000n,
    "1E-3": 1n,
    "1E": 10n ** 21n,
    "999.9999": 1_000_000n,
    "0": 0n,
    "1e-100": 1n,
    "1e999999999": 10n ** 94n,
  };
  const none = ["", ".", "1GB", "1 ", "e3", "1e", "0x1", null, undefined, {}].map((given) => [given, undefined]);
  const cases = [...Object.entries(numbers), [2, 2000n], ...none] as [given: unknown, milli: bigint | undefined][];
  for (const [given, milli] of cases)
    it(`${JSON.stringify(given)} is ${milli} thousandths`, () => assert.equal(milliOf(given), milli));

  it("are kept whole where they have few digits, and cut at the largest integer of 64 bits elsewhere", () => {
    assert.equal(quantityOf("10E"), 10n ** 28n);
    assert.equal(quantityOf("99999999999999999999"), (2n ** 63n - 1n) * 10n ** 9n);
    assert.equal(quantityOf("9000Ei"), (2n ** 63n - 1n) * 10n ** 9n);
  });
});
