import assert from "node:assert/strict";

/** Texts that reveal a certificate, in every form in which its key or its text may appear. */
export function needlesOf(certificate: string): string[] {
  const [, key = ""] = /secret-key = "([^"]{40})"/.exec(certificate) ?? [];
  assert.equal(key.length, 40);
  const bytes = decodeZ85(key);
  return [
    key,
    JSON.stringify(key).slice(1, -1),
    Buffer.from(key).toString("base64").slice(0, 50),
    bytes.toString("base64"),
    bytes.toString("hex"),
    Buffer.from(certificate).toString("base64"),
  ];
}

/** Z85 (ZeroMQ RFC 32), implemented a second time: the search must not rely on the code that it checks. */
function decodeZ85(text: string): Buffer {
  const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  const words = text.match(/.{5}/g) ?? [];
  return Buffer.concat(
    words.map((word) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE([...word].reduce((sum, digit) => sum * 85 + alphabet.indexOf(digit), 0));
      return bytes;
    }),
  );
}
