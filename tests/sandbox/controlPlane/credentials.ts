import { generateKeyPairSync, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** Name of the context, cluster and user in the kubeconfig: a person sees at once that this is no cluster of theirs. */
export const contextName = "minicluster-sandbox";

/** Files with which the API server recognises its callers and signs service account tokens. */
export interface CredentialFiles {
  /** Bearer token of the one administrator. */
  token: string;
  tokenFile: string;
  serviceAccountKey: string;
  serviceAccountPublicKey: string;
}

/** Makes fresh credentials in `directory`. */
export function writeCredentials(directory: string): CredentialFiles {
  const token = randomBytes(24).toString("hex");
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const write = (name: string, text: string) => {
    const file = path.join(directory, name);
    fs.writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    token,
    tokenFile: write("tokens.csv", `${token},${contextName},${contextName},"system:masters"\n`),
    serviceAccountKey: write("service-account.key", privateKey),
    serviceAccountPublicKey: write("service-account.pub", publicKey),
  };
}

/** A kubeconfig with the administrator's token. JSON is YAML, so every client reads it. */
export function kubeconfig(server: string, token: string, ca: string): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": contextName,
    clusters: [{ name: contextName, cluster: { server, "certificate-authority-data": base64(ca) } }],
    users: [{ name: contextName, user: { token } }],
    contexts: [{ name: contextName, context: { cluster: contextName, user: contextName } }],
  };
  return JSON.stringify(config, undefined, 2) + "\n";
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
