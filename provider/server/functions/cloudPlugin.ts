import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, InvokeRequest, type InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";
import * as runtimeState from "@pulumi/pulumi/runtime/state";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { getOrMake } from "../../shared/objects";

/** Parts of the state of one call in a process. */
interface CallState {
  settings: { options: { engineAddr?: string }; monitor?: unknown };
}

/** The parts of the SDK with which its server separates calls. It does not declare them. */
const { getStore, LocalStore } = runtimeState as unknown as {
  getStore: () => CallState;
  LocalStore: new () => CallState;
};

/** Configuration of a provider, such as the region. */
export type PluginConfig = Record<string, string>;

/**
 * Runs a lookup whose invokes of other providers go to their plugins directly: a function of a plugin, unlike a component, gets no
 * address of the engine's monitor, which would forward them. `configOf` returns the configuration for a token.
 */
export function withCloudPlugins<T>(configOf: (token: string) => PluginConfig, lookup: () => Promise<T>): Promise<T> {
  const invoke = (request: ResourceInvokeRequest, callback: Callback) =>
    void answer(request, configOf(request.getTok())).then(
      (response) => callback(null, response),
      (error: Error) => callback({ code: grpc.status.UNKNOWN, details: error.message }),
    );
  const store = new LocalStore();
  // Messages go to the engine of this process.
  const { engineAddr } = getStore().settings.options;
  Object.assign(store.settings.options, { engineAddr });
  store.settings.monitor = { invoke };
  return asyncLocalStorage.run(store, lookup);
}

type Callback = (error: { code: number; details: string } | null, response?: InvokeResponse) => void;

async function answer(request: ResourceInvokeRequest, config: PluginConfig): Promise<InvokeResponse> {
  const [name = ""] = request.getTok().split(":");
  const key = JSON.stringify([name, config]);
  const client = await getOrMake(clients, key, () => configured(name, request.getVersion(), config)).catch((error) => {
    // The next lookup tries again.
    clients.delete(key);
    throw error;
  });
  const forwarded = new InvokeRequest();
  forwarded.setTok(request.getTok());
  forwarded.setArgs(request.getArgs());
  return new Promise((resolve, reject) =>
    client.invoke(forwarded, (error, response) => (error ? reject(new Error(error.details)) : resolve(response))),
  );
}

/** Plugins of this process, each with its configuration. */
const clients = new Map<string, Promise<ResourceProviderClient>>();

async function configured(name: string, version: string, config: PluginConfig): Promise<ResourceProviderClient> {
  const client = new ResourceProviderClient(await addressOf(name, version), grpc.credentials.createInsecure());
  const request = new ConfigureRequest();
  request.setArgs(Struct.fromJavaScript(config));
  request.setAcceptsecrets(true);
  for (const [key, value] of Object.entries(config)) request.getVariablesMap().set(`${name}:config:${key}`, value);
  return new Promise((resolve, reject) =>
    client.configure(request, (error) => (error ? reject(new Error(error.details)) : resolve(client))),
  );
}

/** The address of a plugin: of one that runs already (PULUMI_DEBUG_PROVIDERS), or of a new process. */
async function addressOf(name: string, version: string): Promise<string> {
  const running = (process.env["PULUMI_DEBUG_PROVIDERS"] ?? "").split(",").map((entry) => entry.split(":"));
  const port = running.find(([plugin]) => plugin === name)?.[1];
  return `127.0.0.1:${port ?? (await startedPort(executableOf(name) ?? (await installed(name, version))))}`;
}

const pluginsFolder = () => path.join(process.env["PULUMI_HOME"] ?? path.join(homedir(), ".pulumi"), "plugins");

/** The executable of a plugin on PATH, or the newest one that Pulumi has installed. */
function executableOf(name: string): string | undefined {
  const file = `pulumi-resource-${name}`;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const prefix = `resource-${name}-v`;
  const versions = fs.existsSync(pluginsFolder())
    ? fs.readdirSync(pluginsFolder()).filter((entry) => entry.startsWith(prefix) && !/\.(lock|partial)$/.test(entry))
    : [];
  const newest = versions.sort((one, other) => other.localeCompare(one, undefined, { numeric: true }));
  return [...folders, ...newest.map((entry) => path.join(pluginsFolder(), entry))]
    .map((folder) => path.join(folder, file))
    .find((executable) => fs.existsSync(executable));
}

/** Installs a plugin, as the engine does for the first resource of a package. */
async function installed(name: string, version: string): Promise<string> {
  const command = ["plugin", "install", "resource", name, ...(version === "" ? [] : [version])];
  const failure = await promisify(execFile)("pulumi", command).then(
    () => "",
    (error: Error) => `: ${error.message}`,
  );
  const executable = executableOf(name);
  if (executable === undefined)
    throw new Error(`the plugin of ${name} is missing; run: pulumi ${command.join(" ")}${failure}`);
  return executable;
}

/** The port of a new process of a plugin, which ends with this process. */
async function startedPort(executable: string): Promise<string> {
  const child: ChildProcess = spawn(executable, [], { stdio: ["ignore", "pipe", "ignore"] });
  process.once("exit", () => child.kill());
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${path.basename(executable)} has ended`)));
  const [line] = (await Promise.race([once(child.stdout!, "data"), ended])) as [Buffer];
  // Neither keeps this process from its end.
  child.unref();
  (child.stdout as unknown as { unref(): void }).unref();
  return line.toString().trim();
}
