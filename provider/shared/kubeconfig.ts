import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

/** Address of an API server, and the credentials for it. */
export interface Connection {
  server: string;
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
  token?: string;
  insecure: boolean;
}

/**
 * Settings by which a Kubernetes provider finds its cluster: the text or the path of a kubeconfig, and the context and
 * the cluster to use of it.
 */
export interface ClusterChoice {
  kubeconfig?: string;
  context?: string;
  cluster?: string;
}

const text = z.string().optional();
const list = <K extends string, T extends z.ZodType>(key: K, entry: T) =>
  z.array(z.object({ name: z.string() }).and(z.object({ [key]: entry } as Record<K, T>))).default([]);
const exec = z.object({
  apiVersion: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
});
const cluster = z.object({
  server: z.string(),
  "certificate-authority": text,
  "certificate-authority-data": text,
  "insecure-skip-tls-verify": z.boolean().default(false),
});
const user = z.object({
  token: text,
  tokenFile: text,
  exec: exec.nullish(),
  ...{ "client-certificate": text, "client-certificate-data": text, "client-key": text, "client-key-data": text },
});

/** The parts of a kubeconfig that are used here (Kubernetes, "Organizing Cluster Access Using kubeconfig Files"). */
const kubeconfig = z.object({
  "current-context": text,
  clusters: list("cluster", cluster),
  contexts: list("context", z.object({ cluster: z.string(), user: text })),
  users: list("user", user),
});
type User = z.output<typeof user>;

/** The connection that a provider with these settings uses, or undefined where there is none or it is of an unknown kind. */
export async function connectionFor(choice: ClusterChoice): Promise<Connection | undefined> {
  const found = readKubeconfig(choice.kubeconfig);
  if (!found) return inClusterConnection();
  const { config, directory } = found;
  const name = choice.context ?? config["current-context"];
  const context = config.contexts.find((entry) => entry.name === name)?.context;
  const active = config.clusters.find((entry) => entry.name === (choice.cluster ?? context?.cluster))?.cluster;
  if (!active) return undefined;
  const who = config.users.find((entry) => entry.name === context?.user)?.user;
  const ca = bytes(active["certificate-authority-data"], active["certificate-authority"], directory);
  const insecure = active["insecure-skip-tls-verify"];
  return { server: active.server, insecure, ...(ca && { ca }), ...(who && (await credentials(who, directory))) };
}

/**
 * A kubeconfig, and the directory that its paths are relative to. It is found as kubectl finds it, but several files are
 * not merged.
 */
function readKubeconfig(given: string | undefined) {
  const [first] = (process.env["KUBECONFIG"] ?? "").split(path.delimiter).filter((file) => file !== "");
  const source = given ?? first ?? path.join(homedir(), ".kube", "config");
  const file = source.startsWith("~") ? path.join(homedir(), source.slice(1)) : source;
  const isFile = !source.includes("\n") && existsSync(file);
  if (!isFile && given === undefined) return undefined;
  // Loaded when it is needed: most programs end before anybody asks.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { parse } = require("yaml") as typeof import("yaml");
  const config = kubeconfig.parse(parse(isFile ? readFileSync(file, "utf8") : source));
  return { config, directory: isFile ? path.dirname(file) : process.cwd() };
}

async function credentials(who: User, directory: string): Promise<Partial<Connection>> {
  const cert = bytes(who["client-certificate-data"], who["client-certificate"], directory);
  const key = bytes(who["client-key-data"], who["client-key"], directory);
  const token = who.token ?? bytes(undefined, who.tokenFile, directory)?.toString().trim();
  return {
    ...(cert && { cert }),
    ...(key && { key }),
    ...(token && { token }),
    ...(who.exec && (await run(who.exec))),
  };
}

const credential = z.object({
  status: z.object({ token: text, clientCertificateData: text, clientKeyData: text }),
});

/** Credentials from the command that a cloud's kubeconfig names (Kubernetes, "client-go credential plugins"). */
async function run({ apiVersion, command, args, env }: z.output<typeof exec>): Promise<Partial<Connection>> {
  const asked = { apiVersion, kind: "ExecCredential", spec: { interactive: false } };
  const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const options = {
    env: { ...process.env, ...variables, KUBERNETES_EXEC_INFO: JSON.stringify(asked) },
    timeout: 30_000,
  };
  const { stdout } = await promisify(execFile)(command, args ?? [], options);
  const { token, clientCertificateData, clientKeyData } = credential.parse(JSON.parse(stdout)).status;
  return {
    ...(token && { token }),
    ...(clientCertificateData && { cert: Buffer.from(clientCertificateData) }),
    ...(clientKeyData && { key: Buffer.from(clientKeyData) }),
  };
}

function bytes(data: string | undefined, file: string | undefined, directory: string): Buffer | undefined {
  if (data) return Buffer.from(data, "base64");
  return file ? readFileSync(path.resolve(directory, file)) : undefined;
}

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The service account of the pod that the program runs in, if it runs in one. */
function inClusterConnection(): Connection | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  if (!host || !port || !existsSync(`${account}/token`)) return undefined;
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const token = readFileSync(`${account}/token`, "utf8").trim();
  return { server, token, ca: readFileSync(`${account}/ca.crt`), insecure: false };
}
