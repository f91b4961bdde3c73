import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The settings of Vault's clients. Engines inherit them from the process of the tests, as do mocha's workers. */
const [address, token] = ["VAULT_SERVER_URL", "VAULT_SERVER_TOKEN"];

/**
 * Starts a stand-in of Vault's transit engine for all stacks of the run. To derive the key of a stack from a passphrase
 * takes half of the time of a short operation.
 */
export async function shareVault(): Promise<void> {
  const server = createServer((request, response) => {
    void text(request).then((body) => response.end(JSON.stringify({ data: answer(request.url, body) })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  process.env[address] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env[token] = "sandbox";
}

/** The secrets provider of a new stack. Default: the CLI's, a passphrase. */
export const secretsProvider = () => (process.env[address] ? "hashivault://sandbox" : undefined);

/** What it "encrypts" is the key of a stack, which encrypts the secrets of the state. */
function answer(url: string | undefined, body: string): object {
  const { plaintext, ciphertext } = JSON.parse(body) as Record<"plaintext" | "ciphertext", string>;
  return url?.includes("/encrypt/") ? { ciphertext: `vault:v1:${plaintext}` } : { plaintext: ciphertext.slice(9) };
}
