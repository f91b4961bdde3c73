import * as assert from "node:assert/strict";
import { unknown } from "../rpc/values";
import { canonicalQuantity, normalise } from "./normalise";

describe("normalised inputs", () => {
  const quantities: [written: string | number, canonical: string][] = [
    [4, "4"],
    ["1000m", "1"],
    ["0.5", "500m"],
    [0.1, "100m"],
    ["1024Mi", "1Gi"],
    ["1.5Gi", "1536Mi"],
    ["1000Mi", "1000Mi"],
    ["0", "0"],
    ["5000", "5k"],
    ["1e3", "1e3"],
  ];
  for (const [written, canonical] of quantities)
    it(`spell the quantity ${written} as ${canonical}`, () => assert.equal(canonicalQuantity(written), canonical));

  it("have the text of a Secret as data", () => {
    const secret = { apiVersion: "v1", kind: "Secret", data: { a: "YQ==" }, stringData: { b: "b" } };
    assert.deepEqual(normalise(secret), { apiVersion: "v1", kind: "Secret", data: { a: "YQ==", b: "Yg==" } });
  });

  it("stay as they are while something in them is not known", () => {
    const secret = { apiVersion: "v1", kind: "Secret", stringData: { a: unknown, b: "b" } };
    assert.deepEqual(normalise(secret), secret);
  });

  it("have no metadata that only the API server writes", () => {
    const metadata = { name: "a", uid: "1", resourceVersion: "2", managedFields: [] };
    assert.deepEqual(normalise({ metadata }), { metadata: { name: "a" } });
  });
});
