import { generateKeyPairSync, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** Name of the context, cluster and user in the kubeconfig, which distinguishes it from a user's own clusters. */
export const contextName = "minicluster-sandbox";

/** The administrator whose requests an audit records. */
const auditedUser = "audited";

/** Files with which the API server recognises its callers and signs service account tokens. */
export interface CredentialFiles {
  /** Bearer token of the one administrator. */
  token: string;
  /** That of another user, whose requests can be distinguished. */
  auditedToken: string;
  tokenFile: string;
  serviceAccountKey: string;
  serviceAccountPublicKey: string;
}

/** Makes fresh credentials in `directory`. */
export function writeCredentials(directory: string): CredentialFiles {
  const [token, auditedToken] = [newToken(), newToken()];
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
    auditedToken,
    tokenFile: write("tokens.csv", tokenLine(token, contextName) + tokenLine(auditedToken, auditedUser)),
    serviceAccountKey: write("service-account.key", privateKey),
    serviceAccountPublicKey: write("service-account.pub", publicKey),
  };
}

const newToken = () => randomBytes(24).toString("hex");

const tokenLine = (token: string, user: string) => `${token},${user},${user},"system:masters"\n`;

/** Audit policy: one line for each request of the audited administrator, and none for others. */
export function writeAuditPolicy(directory: string): { policy: string; log: string } {
  const policy = path.join(directory, "audit-policy.json");
  const rules = [{ level: "Metadata", users: [auditedUser] }, { level: "None" }];
  // A watch has a line at its start, and another at its end.
  const omitStages = ["RequestReceived", "ResponseStarted"];
  fs.writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages, rules }));
  return { policy, log: path.join(directory, "audit.log") };
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
