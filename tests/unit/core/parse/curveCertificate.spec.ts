import * as assert from "node:assert/strict";
import * as certificates from "../../../../provider/core/parse/curveCertificate";

const { certificateProblem, curvePublicKey, encodeZ85, renderCurveCertificate } = certificates;
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

it("Z85 has no bytes, the test vector of ZeroMQ RFC 32, the largest number and zeros", () => {
  const encoded = ["", "86 4f d2 6f b5 59 f7 5b", "ff ff ff ff", "00 00 00 54 00 00 00 55"].map(hex).map(encodeZ85);
  assert.deepEqual(encoded, ["", "HelloWorld", "%nSc0", "0000#00010"]);
});

it("a curve certificate has the public key of RFC 7748 (6.1), and is not made of other than 32 bytes", () => {
  const alice = hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
  assert.deepEqual(curvePublicKey(alice), hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"));
  for (const length of [0, 31, 33]) assert.throws(() => renderCurveCertificate("x", Buffer.alloc(length)));
});

describe("problem of a certificate", () => {
  const key = (fill: number) => Buffer.alloc(32, fill);
  const [secret, other, own] = [key(7), curvePublicKey(key(8)), curvePublicKey(key(7))].map(encodeZ85) as [
    string,
    ...string[],
  ];
  const ours = renderCurveCertificate("demo", key(7));
  const fromKeygen = `#   ****\n\n${ours.replace("curve\n", '    keygen.userid = "1000"\ncurve\n')}`;

  const noSection = 'is not a curve certificate: the section "curve" is missing; create one with flux keygen';
  const noKey = (half: string) =>
    `is not a curve certificate: "curve" needs a ${half}-key of 40 characters in Z85; create one with flux keygen`;
  const noPair = "its public-key does not belong to its secret-key; take both from one certificate";

  const cases: [name: string, text: string, problem?: string][] = [
    ["one of flux keygen, with line ends of Windows", fromKeygen.replaceAll("\n", "\r\n")],
    ["one with other blanks", ours.replaceAll("    ", "\t").replaceAll(" = ", "=").replace("curve\n", "curve  \n")],
    ["one with no newline at its end", ours.trimEnd()],
    ["one whose keys are the other way round", ours.replace(/^( +public.*\n)( +secret.*\n)/m, "$2$1")],
    ["one with metadata after it", `${ours}metadata\n    a = "b"\n`],
    ["a key alone", secret, noSection],
    ["a section that is indented", ours.replace("\ncurve", "\n  curve"), noSection],
    ["an empty section", "curve\n", noKey("public")],
    ["a public half alone", ours.replace(/ +secret-key.*\n/, ""), noKey("secret")],
    ["a key at the margin", ours.replace("    secret", "secret"), noKey("secret")],
    ["a key in another section", ours.replace("    secret", "more\n    secret"), noKey("secret")],
    ["a key that is too short", ours.replace(secret, secret.slice(1)), noKey("secret")],
    ["a key that is too long", ours.replace(secret, `${secret}0`), noKey("secret")],
    ["a key without quotes", ours.replace(`"${secret}"`, secret), noKey("secret")],
    ["a character of two halves", ours.replace(secret, `${secret.slice(2)}🚀`), noKey("secret")],
    ["five characters above 32 bits", ours.replace(secret, `${secret.slice(5)}#####`), noKey("secret")],
    ["halves of two certificates", ours.replace(own!, other!), noPair],
  ];
  // No message has a part of its text, and so none of a key.
  for (const [name, text, problem] of cases)
    it(`of ${name} is ${problem ? "reported without the keys" : "not found"}`, () =>
      assert.equal(certificateProblem(text), problem));
});
