import { createPrivateKey, createPublicKey } from "node:crypto";

/**
 * Text of a curve certificate for a secret key, with which the brokers of one Flux instance encrypt their traffic. A
 * ZeroMQ CURVE key pair is an X25519 pair (RFC 7748), each half written in Z85; the file is ZPL (ZeroMQ RFC 4).
 */
export function renderCurveCertificate(name: string, secretKey: Buffer): string {
  return [
    "metadata",
    `    name = "${name}"`,
    "curve",
    `    public-key = "${encodeZ85(curvePublicKey(secretKey))}"`,
    `    secret-key = "${encodeZ85(secretKey)}"`,
    "",
  ].join("\n");
}

/** The public half of a CURVE key pair. */
export function curvePublicKey(secretKey: Buffer): Buffer {
  // What precedes the 32 bytes of an X25519 key in PKCS #8 (RFC 8410): version, algorithm and two octet-string headers.
  const pkcs8Header = Buffer.from("302e020100300506032b656e04220420", "hex");
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Header, secretKey]), format: "der", type: "pkcs8" });
  return Buffer.from(createPublicKey(key).export({ format: "jwk" }).x as string, "base64url");
}

const z85Alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** Z85 (ZeroMQ RFC 32): every 4 bytes become 5 characters. The length must be a multiple of 4. */
export function encodeZ85(bytes: Buffer): string {
  let encoded = "";
  for (let offset = 0; offset < bytes.length; offset += 4) {
    const word = bytes.readUInt32BE(offset);
    for (const divisor of [85 ** 4, 85 ** 3, 85 ** 2, 85, 1]) encoded += z85Alphabet[Math.floor(word / divisor) % 85];
  }
  return encoded;
}

/** The bytes of a Z85 text, or undefined if it is not valid. */
function decodeZ85(text: string): Buffer | undefined {
  const bytes = Buffer.alloc((text.length / 5) * 4);
  for (let offset = 0; offset < text.length; offset += 5) {
    const digits = [...text.slice(offset, offset + 5)].map((character) => z85Alphabet.indexOf(character));
    const word = digits.reduce((sum, digit) => sum * 85 + digit, 0);
    if (digits.includes(-1) || word > 0xffffffff) return undefined;
    bytes.writeUInt32BE(word, (offset / 5) * 4);
  }
  return bytes;
}

/** Problem with the text of a curve certificate. The message has no part of the text, which is a secret. */
export function certificateProblem(text: string): string | undefined {
  const [, section] = text.split(/^curve[ \t]*$/m);
  if (section === undefined)
    return 'is not a curve certificate: the section "curve" is missing; create one with flux keygen';
  const keys = { public: keyIn(section, "public-key"), secret: keyIn(section, "secret-key") };
  for (const [half, key] of Object.entries(keys))
    if (key === undefined)
      return `is not a curve certificate: "curve" needs a ${half}-key of 40 characters in Z85; create one with flux keygen`;
  if (keys.secret && keys.public?.equals(curvePublicKey(keys.secret))) return undefined;
  return "its public-key does not belong to its secret-key; take both from one certificate";
}

function keyIn(section: string, name: string): Buffer | undefined {
  // A line without indentation begins another section.
  const [own = ""] = section.split(/^\S/m);
  const [, key] =
    new RegExp(`^[ \\t]+${name}[ \\t]*=[ \\t]*"([^"]{40})"[ \\t]*$`, "m").exec(own.replaceAll("\r", "")) ?? [];
  return key === undefined ? undefined : decodeZ85(key);
}
