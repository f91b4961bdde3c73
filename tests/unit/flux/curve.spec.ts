import * as assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  curveKeyBytes,
  curvePublicKey,
  encodeZ85,
  renderCurveCertificate,
} from "../../../provider/minicluster/flux/curve";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("Z85", () => {
  const cases: [bytes: string, encoded: string][] = [
    ["", ""],
    // The test vector of ZeroMQ RFC 32.
    ["86 4f d2 6f b5 59 f7 5b", "HelloWorld"],
    ["00 00 00 00", "00000"],
    ["ff ff ff ff", "%nSc0"],
    ["00 00 00 54 00 00 00 55", "0000#00010"],
  ];
  for (const [bytes, encoded] of cases)
    it(`of ${bytes || "nothing"} is ${encoded || "nothing"}`, () => {
      assert.equal(encodeZ85(hex(bytes)), encoded);
    });
});

describe("curve certificate", () => {
  // Alice's keys in RFC 7748, section 6.1.
  const alice = hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");

  it("has the public key of RFC 7748", () => {
    assert.deepEqual(curvePublicKey(alice), hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"));
  });

  it("is ZPL text with both halves in Z85", () => {
    assert.equal(
      renderCurveCertificate("demo", alice),
      [
        "metadata",
        '    name = "demo"',
        "curve",
        `    public-key = "${encodeZ85(curvePublicKey(alice))}"`,
        `    secret-key = "${encodeZ85(alice)}"`,
        "",
      ].join("\n"),
    );
  });

  it("has halves of 40 characters that ZPL need not escape", () => {
    for (let count = 0; count < 50; count++)
      assert.match(
        renderCurveCertificate("x", randomBytes(curveKeyBytes)),
        /^ {4}public-key = "[^"\\\s]{40}"\n {4}secret-key = "[^"\\\s]{40}"$/m,
      );
  });

  for (const length of [0, 31, 33])
    it(`is not made of ${length} bytes`, () => {
      assert.throws(() => renderCurveCertificate("x", Buffer.alloc(length)));
    });
});
