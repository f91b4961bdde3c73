import { createPrivateKey, createPublicKey } from "node:crypto";

/** Bytes of a CURVE secret key. */
export const curveKeyBytes = 32;

/**
 * The text of a curve certificate for a secret key: what the brokers of one Flux instance encrypt their traffic with. A
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
