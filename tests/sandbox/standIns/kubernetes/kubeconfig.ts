import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { isObject, type Json, type Obj } from "../rpc/values";
import { getPath, objectsAt, stringAt } from "./objects";

/** Which part of a kubeconfig to use; an empty string leaves the choice to the file. */
export interface Selection {
  context: string;
  cluster: string;
}

/** How to reach an API server, and as whom. */
export interface Connection {
  server: string;
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
  token?: string;
  insecure: boolean;
  /** The namespace of the context. */
  namespace: string;
}

/** Reads a kubeconfig given as a path or as its content, and makes the paths inside it absolute. */
export function readKubeconfig(pathOrContent: string): Obj {
  const path = pathOrContent.startsWith("~") ? join(homedir(), pathOrContent.slice(1)) : pathOrContent;
  const isFile = !path.includes("\n") && existsSync(path);
  const config: unknown = parse(isFile ? readFileSync(path, "utf8") : pathOrContent);
  if (!isObject(config)) throw new Error("couldn't get version/kind; json parse error");
  return isFile ? withAbsolutePaths(config, dirname(path)) : config;
}

/**
 * The kubeconfig that kubectl would use: $KUBECONFIG, where the first file to define something wins, or ~/.kube/config.
 */
export function ambientKubeconfig(): Obj {
  const paths = (process.env.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  const files = paths.length > 0 ? paths : [join(homedir(), ".kube", "config")];
  const configs = files.filter((path) => existsSync(path)).map(readKubeconfig);
  const lists = ["clusters", "contexts", "users"];
  const merged = lists.map((list) => [list, configs.flatMap((config) => objectsAt(config, list))]);
  const current = configs.map((config) => stringAt(config, "current-context")).find((name) => name !== "");
  return { ...(Object.fromEntries(merged) as Obj), "current-context": current ?? "" };
}

function withAbsolutePaths(config: Obj, directory: string): Obj {
  const absolute = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(absolute);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === "string" && fileKeys.has(key) ? resolve(directory, inner) : absolute(inner ?? null),
    ]);
    return Object.fromEntries(entries) as Obj;
  };
  return absolute(config) as Obj;
}

const fileKeys = new Set(["certificate-authority", "client-certificate", "client-key", "tokenFile"]);

function named(config: Obj, list: string, kind: string, name: string): Obj {
  const inner = objectsAt(config, list).find((item) => item.name === name)?.[kind];
  return isObject(inner) ? inner : {};
}

/** The cluster entry in force, which identifies the cluster. */
export function activeCluster(config: Obj, { context, cluster }: Selection): Obj | undefined {
  const entry = named(config, "contexts", "context", context || stringAt(config, "current-context"));
  const active = named(config, "clusters", "cluster", cluster || stringAt(entry, "cluster"));
  return Object.keys(active).length > 0 ? active : undefined;
}

/** The connection for a context. Credential helpers and in-cluster accounts are not known here. */
export function connectionFrom(config: Obj, selection: Selection): Connection {
  const context = selection.context || stringAt(config, "current-context");
  const entry = named(config, "contexts", "context", context);
  if (selection.context !== "" && Object.keys(entry).length === 0)
    throw new Error(`context ${JSON.stringify(selection.context)} does not exist`);
  const cluster = activeCluster(config, selection);
  if (!cluster)
    throw new Error(
      "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable",
    );
  const user = named(config, "users", "user", stringAt(entry, "user"));
  if (getPath(user, ["exec"]) !== undefined) throw new Error("credential helpers are not supported by this stand-in");
  const tokenFile = stringAt(user, "tokenFile");
  return {
    server: stringAt(cluster, "server").replace(/\/$/, ""),
    ca: fileOrData(cluster, "certificate-authority"),
    cert: fileOrData(user, "client-certificate"),
    key: fileOrData(user, "client-key"),
    token: stringAt(user, "token") || (tokenFile === "" ? undefined : readFileSync(tokenFile, "utf8").trim()),
    insecure: cluster["insecure-skip-tls-verify"] === true,
    namespace: stringAt(entry, "namespace"),
  };
}

function fileOrData(entry: Obj, key: string): Buffer | undefined {
  const data = stringAt(entry, `${key}-data`);
  if (data !== "") return Buffer.from(data, "base64");
  const file = stringAt(entry, key);
  return file === "" ? undefined : readFileSync(file);
}
