import * as assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  certificateProblem,
  curvePublicKey,
  encodeZ85,
  renderCurveCertificate,
} from "../../../provider/minicluster/flux/curve";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

// Bytes of a CURVE secret key.
const keyBytes = 32;

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
        renderCurveCertificate("x", randomBytes(keyBytes)),
        /^ {4}public-key = "[^"\\\s]{40}"\n {4}secret-key = "[^"\\\s]{40}"$/m,
      );
  });

  for (const length of [0, 31, 33])
    it(`is not made of ${length} bytes`, () => {
      assert.throws(() => renderCurveCertificate("x", Buffer.alloc(length)));
    });
});

describe("problem of a certificate", () => {
  const key = (fill: number) => Buffer.alloc(keyBytes, fill);
  const secret = encodeZ85(key(7));
  const ours = renderCurveCertificate("demo", key(7));
  const other = encodeZ85(curvePublicKey(key(8)));
  const own = encodeZ85(curvePublicKey(key(7)));

  const fromKeygen = [
    "#   ****  Generated on 2024-05-01 10:00:00 by CZMQ  ****",
    "#   ZeroMQ CURVE **Secret** Certificate",
    "",
    "metadata",
    '    name = "node1"',
    '    keygen.hostname = "node1"',
    '    keygen.userid = "1000"',
    "curve",
    `    public-key = "${own}"`,
    `    secret-key = "${secret}"`,
    "",
  ].join("\n");

  const good: [name: string, text: string][] = [
    ["one of ours", ours],
    ["one of flux keygen", fromKeygen],
    ["one with line ends of Windows", fromKeygen.replaceAll("\n", "\r\n")],
    ["one with tabs and other blanks", ours.replaceAll("    ", "\t").replaceAll(" = ", "=").replace("curve\n", "curve  \n")],
    ["one with no newline at its end", ours.trimEnd()],
    ["one whose keys are the other way round", ours.replace(/^( +public.*\n)( +secret.*\n)/m, "$2$1")],
    ["one with metadata after it", `${ours}metadata\n    a = "b"\n`],
  ]; // prettier-ignore
  for (const [name, text] of good)
    it(`is none for ${name}`, () => {
      assert.equal(certificateProblem(text), undefined);
    });

  const noSection = /^is no curve certificate: it has no section "curve"; make one with flux keygen$/;
  const noKey = (half: string) =>
    new RegExp(
      `^is no curve certificate: "curve" needs a ${half}-key of 40 characters in Z85; make one with flux keygen$`,
    );
  const noPair = /^its public-key does not belong to its secret-key; take both from one certificate$/;
  const bad: [name: string, text: string, problem: RegExp][] = [
    ["nothing", "", noSection],
    ["something else", `-----BEGIN KEY-----\n${secret}\n`, noSection],
    ["a key alone", secret, noSection],
    ["a section that is indented", ours.replace("\ncurve", "\n  curve"), noSection],
    ["a section of another name", ours.replace("\ncurve", "\ncurves"), noSection],
    ["an empty section", "curve\n", noKey("public")],
    ["a public half alone", ours.replace(/ +secret-key.*\n/, ""), noKey("secret")],
    ["a secret half alone", ours.replace(/ +public-key.*\n/, ""), noKey("public")],
    ["a key at the margin", ours.replace("    secret", "secret"), noKey("secret")],
    ["a key in another section", ours.replace("    secret", "more\n    secret"), noKey("secret")],
    ["a key that is too short", ours.replace(secret, secret.slice(1)), noKey("secret")],
    ["a key that is too long", ours.replace(secret, `${secret}0`), noKey("secret")],
    ["a key without quotes", ours.replace(`"${secret}"`, secret), noKey("secret")],
    ["a character that Z85 does not have", ours.replace(secret, `${secret.slice(1)}~`), noKey("secret")],
    ["a character of two halves", ours.replace(secret, `${secret.slice(2)}🚀`), noKey("secret")],
    ["five characters above 32 bits", ours.replace(secret, `${secret.slice(5)}#####`), noKey("secret")],
    ["halves of two certificates", ours.replace(own, other), noPair],
    ["halves in each other's places", ours.replace(own, "x").replace(secret, own).replace('"x"', `"${secret}"`), noPair],
  ]; // prettier-ignore
  for (const [name, text, problem] of bad)
    it(`of ${name} says what is wrong, and nothing of the keys`, () => {
      const found = certificateProblem(text) ?? "";
      assert.match(found, problem);
      for (let at = 0; at + 8 <= secret.length; at++) assert.ok(!found.includes(secret.slice(at, at + 8)));
    });
});
