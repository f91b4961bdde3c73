import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { z } from "zod";

/** Authentication of a request. */
export interface Credentials {
  cert?: Buffer;
  key?: Buffer;
  headers: Record<string, string | string[]>;
}

const text = z.string().optional();
const exec = z.object({
  apiVersion: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  provideClusterInfo: z.boolean().nullish(),
});
type Exec = z.output<typeof exec>;

/** A user of a kubeconfig (Kubernetes, "kubeconfig (v1)"). */
export const user = z.object({
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  "client-certificate": text,
  "client-certificate-data": text,
  "client-key": text,
  "client-key-data": text,
  as: text,
  "as-uid": text,
  "as-groups": z.array(z.string()).nullish(),
  "as-user-extra": z.record(z.string(), z.array(z.string())).nullish(),
  exec: exec.nullish(),
});
type User = z.output<typeof user>;

/**
 * Credentials of a user, read for each request. A credential command may need the Kubernetes cluster as an argument.
 */
export function credentialsOf(who: User, cluster: object): () => Promise<Credentials> {
  return async () => {
    const given = who.exec ? await runOnce(who.exec, cluster) : {};
    const cert = given.cert ?? bytes(who["client-certificate-data"], who["client-certificate"]);
    const key = given.key ?? bytes(who["client-key-data"], who["client-key"]);
    const authorization = authorizationOf(who, given.token);
    return {
      ...(cert && { cert }),
      ...(key && { key }),
      headers: { ...(authorization && { authorization }), ...impersonation(who) },
    };
  };
}

function authorizationOf({ token, tokenFile, username, password }: User, issued: string | undefined) {
  // The token of a file may be newer than the token in the kubeconfig.
  const bearer = issued ?? (bytes(undefined, tokenFile)?.toString().trim() || token);
  if (bearer) return `Bearer ${bearer}`;
  if (!username && !password) return undefined;
  return `Basic ${Buffer.from(`${username ?? ""}:${password ?? ""}`).toString("base64")}`;
}

/** Headers of a request in the name of another user (Kubernetes, "User impersonation"). */
function impersonation(who: User): Record<string, string | string[]> {
  const { as, "as-uid": uid, "as-groups": groups, "as-user-extra": extra } = who;
  if (!as) return {};
  const more = Object.entries(extra ?? {}).map(([key, values]) => [
    `Impersonate-Extra-${encodeURIComponent(key)}`,
    values,
  ]);
  return {
    "Impersonate-User": as,
    ...(uid && { "Impersonate-Uid": uid }),
    ...(groups && groups.length > 0 && { "Impersonate-Group": groups }),
    ...(Object.fromEntries(more) as Record<string, string[]>),
  };
}

/** The credential that a command has returned. */
interface Issued {
  token?: string;
  cert?: Buffer;
  key?: Buffer;
}

/** Output of a command, and its expiry in milliseconds since the epoch. */
interface Answer {
  given: Issued;
  until: number;
}

/** The last output of each command. */
const answers = new Map<string, Promise<Answer>>();

/** Milliseconds before the expiry of a credential at which a new credential is fetched. */
const marginMillis = 30_000;

/** Milliseconds for which a credential without an expiry is used. */
const defaultMillis = 60_000;

/** Credentials of a command, which runs once per validity period: a cloud's command takes a second. */
async function runOnce(command: Exec, cluster: object): Promise<Issued> {
  const key = JSON.stringify([command, cluster]);
  const last = answers.get(key);
  const known = await last?.catch(() => undefined);
  if (known && known.until > Date.now()) return known.given;
  // If several callers find the output expired, only the first runs the command.
  if (answers.get(key) === last) answers.set(key, run(command, cluster));
  return (await (answers.get(key) as Promise<Answer>)).given;
}

const credential = z.object({
  status: z.object({
    token: text,
    clientCertificateData: text,
    clientKeyData: text,
    expirationTimestamp: z.string().nullish(),
  }),
});

/** Runs the command that a kubeconfig names (Kubernetes, "client-go credential plugins"). */
async function run(command: Exec, cluster: object): Promise<Answer> {
  const { apiVersion, command: program, args, env, provideClusterInfo } = command;
  const spec = { interactive: false, ...(provideClusterInfo && { cluster }) };
  const asked = { apiVersion, kind: "ExecCredential", spec };
  const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const options = {
    env: { ...process.env, ...variables, KUBERNETES_EXEC_INFO: JSON.stringify(asked) },
    timeout: 30_000,
  };
  const { stdout } = await promisify(execFile)(program, args ?? [], options);
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = credential.parse(
    JSON.parse(stdout),
  ).status;
  const end = Date.parse(expirationTimestamp ?? "");
  return {
    given: {
      ...(token && { token }),
      ...(clientCertificateData && { cert: Buffer.from(clientCertificateData) }),
      ...(clientKeyData && { key: Buffer.from(clientKeyData) }),
    },
    until: Number.isNaN(end) ? Date.now() + defaultMillis : end - marginMillis,
  };
}

/** Content of a kubeconfig in base64, or in a file. */
export function bytes(data: string | undefined, file: string | undefined): Buffer | undefined {
  if (data) return Buffer.from(data, "base64");
  return file ? readFileSync(file) : undefined;
}
