import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import { z } from "zod";
import { bytes, type Credentials, credentialsOf, user } from "./credentials";

/** Address of an API server, and the credentials for it. */
export interface Connection {
  server: string;
  ca?: Buffer;
  insecure: boolean;
  /** Name in the server's certificate, if it differs from the host of its address. */
  serverName?: string;
  /** URL of the proxy for the server. Default: the proxy in the environment variables. */
  proxy?: string;
  /** Credentials, which may change while a program runs. */
  credentials: () => Promise<Credentials>;
}

/**
 * Settings with which a Kubernetes provider selects its Kubernetes cluster: the text or the path of a kubeconfig, and
 * the context and the cluster in it.
 */
export interface ClusterChoice {
  kubeconfig?: string;
  context?: string;
  cluster?: string;
}

const text = z.string().optional();
const list = <K extends string, T extends z.ZodType>(key: K, entry: T) =>
  z
    .array(z.object({ name: z.string() }).and(z.object({ [key]: entry } as Record<K, T>)))
    .nullish()
    .transform((entries) => entries ?? []);
const cluster = z.object({
  server: z.string(),
  "certificate-authority": text,
  "certificate-authority-data": text,
  "insecure-skip-tls-verify": z.boolean().default(false),
  "tls-server-name": text,
  "proxy-url": text,
  extensions: z.array(z.object({ name: z.string(), extension: z.unknown() })).nullish(),
});
type ClusterEntry = z.output<typeof cluster>;

/** The parts of a kubeconfig that are used here (Kubernetes, "Organizing Cluster Access Using kubeconfig Files"). */
const kubeconfig = z.object({
  "current-context": text,
  clusters: list("cluster", cluster),
  contexts: list("context", z.object({ cluster: z.string(), user: text, namespace: text })),
  users: list("user", user),
});
type Kubeconfig = z.output<typeof kubeconfig>;

/**
 * The connection of a provider with these settings, or undefined if there is none or its kind is unknown. It does not
 * use `@kubernetes/client-node` (1.4 and 2.0), which reads neither `tokenFile` nor the groups of an impersonated user,
 * rejects kubeconfigs that kubectl merges, passes no KUBERNETES_EXEC_INFO to a command, and ignores the proxy of the
 * environment.
 */
export function connectionFor(choice: ClusterChoice): Connection | undefined {
  const config = readKubeconfig(choice.kubeconfig);
  if (!config) return inClusterConnection();
  const context = activeContext(config, choice)?.context;
  const active = config.clusters.find((entry) => entry.name === (choice.cluster ?? context?.cluster))?.cluster;
  if (!active) return undefined;
  const who = config.users.find((entry) => entry.name === context?.user)?.user;
  const ca = bytes(active["certificate-authority-data"], active["certificate-authority"]);
  const { server, "tls-server-name": serverName, "proxy-url": proxy } = active;
  return {
    server,
    insecure: active["insecure-skip-tls-verify"],
    ...(ca && { ca }),
    ...(serverName && { serverName }),
    ...(proxy && { proxy }),
    credentials: who ? credentialsOf(who, clusterInfo(active, ca)) : () => Promise.resolve({ headers: {} }),
  };
}

/** The context in a kubeconfig that the settings of a provider select. */
function activeContext(config: Kubeconfig, choice: ClusterChoice) {
  const selected = selectedContext(config, choice);
  return config.contexts.find(({ name }) => name === selected);
}

const selectedContext = (config: Kubeconfig, { context }: ClusterChoice) => context ?? config["current-context"];

/** The namespace of the context that the settings of a provider select. Undefined if there is none, or if it cannot be read. */
export function contextNamespace(choice: ClusterChoice): { context: string; namespace: string } | undefined {
  try {
    const config = readKubeconfig(choice.kubeconfig);
    const { name = "", context: { namespace } = {} } = (config && activeContext(config, choice)) ?? {};
    return namespace ? { context: name, namespace } : undefined;
  } catch {
    return undefined; // The provider reports a kubeconfig that cannot be read.
  }
}

/** The problem with a context that the kubeconfig of these settings does not have, and what to change. */
export function contextProblem(choice: ClusterChoice): string | undefined {
  const config = readKubeconfig(choice.kubeconfig);
  if (!config || config.contexts.length === 0 || activeContext(config, choice)) return undefined;
  const names = config.contexts.map(({ name }) => name);
  const name = selectedContext(config, choice);
  const what = name === undefined || name === "" ? "no current context" : `no context "${name}"`;
  return `the kubeconfig has ${what}; set context of the Kubernetes provider (kubernetes:context) to one of ${names.join(", ")}`;
}

/** A cluster in the format for credential commands (Kubernetes, "client-go credential plugins"). */
function clusterInfo(active: ClusterEntry, ca: Buffer | undefined): object {
  const config = active.extensions?.find(({ name }) => name === "client.authentication.k8s.io/exec")?.extension;
  return {
    server: active.server,
    "tls-server-name": active["tls-server-name"],
    "insecure-skip-tls-verify": active["insecure-skip-tls-verify"] || undefined,
    "certificate-authority-data": ca?.toString("base64"),
    "proxy-url": active["proxy-url"],
    config: config ?? undefined,
  };
}

/** Path of a kubeconfig, as the Kubernetes provider resolves it. */
const expanded = (source: string) => (/^~(\/|$)/.test(source) ? path.join(homedir(), source.slice(1)) : source);

/** True if a kubeconfig is given as a path, false if it is given as text. */
export const isKubeconfigFile = (source: string) => !source.includes("\n") && existsSync(expanded(source));

/**
 * The given kubeconfig, or by default the kubeconfig of kubectl: the merged files of KUBECONFIG, or the file in the
 * home directory.
 */
function readKubeconfig(given: string | undefined): Kubeconfig | undefined {
  if (given !== undefined && given !== process.env["KUBECONFIG"])
    return isKubeconfigFile(given) ? readFile(expanded(given)) : parseKubeconfig(given, process.cwd());
  const listed = (process.env["KUBECONFIG"] ?? "").split(path.delimiter).filter((file) => file !== "");
  const files = listed.length > 0 ? listed : [path.join(homedir(), ".kube", "config")];
  const found = files.filter((file) => existsSync(file)).map(readFile);
  return found.length === 0 ? undefined : merged(found);
}

/** Several kubeconfigs as one: for each name, and for the current context, the first one takes precedence. */
function merged(configs: Kubeconfig[]): Kubeconfig {
  return {
    "current-context": configs.map((config) => config["current-context"]).find((name) => name),
    clusters: configs.flatMap(({ clusters }) => clusters),
    contexts: configs.flatMap(({ contexts }) => contexts),
    users: configs.flatMap(({ users }) => users),
  };
}

const readFile = (file: string) => parseKubeconfig(readFileSync(file, "utf8"), path.dirname(path.resolve(file)));

/** A kubeconfig whose paths are absolute. */
function parseKubeconfig(source: string, directory: string): Kubeconfig {
  // Loaded on demand: most programs do not read from a Kubernetes cluster.
  /* eslint-disable @typescript-eslint/no-require-imports */
  const { parse } = require("yaml") as typeof import("yaml");
  /* eslint-enable @typescript-eslint/no-require-imports */
  const config = kubeconfig.parse(parse(source) ?? {});
  for (const { cluster: entry } of config.clusters) makeAbsolute(entry, ["certificate-authority"], directory);
  for (const { user: entry } of config.users) {
    makeAbsolute(entry, ["client-certificate", "client-key", "tokenFile"], directory);
    // A command without a path separator is searched on PATH.
    if (entry.exec && /[\\/]/.test(entry.exec.command)) makeAbsolute(entry.exec, ["command"], directory);
  }
  return config;
}

function makeAbsolute<K extends string>(entry: Partial<Record<K, string>>, keys: K[], directory: string): void {
  for (const key of keys) {
    const file = entry[key];
    if (file) entry[key] = path.resolve(directory, file);
  }
}

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The service account of the pod in which the program runs, if it runs in a pod. */
function inClusterConnection(): Connection | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  if (!host || !port || !existsSync(`${account}/token`)) return undefined;
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const credentials = credentialsOf({ tokenFile: `${account}/token` }, {});
  return { server, ca: readFileSync(`${account}/ca.crt`), insecure: false, credentials };
}
