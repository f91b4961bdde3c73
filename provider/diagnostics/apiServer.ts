import * as http from "node:http";
import * as https from "node:https";
import { isIP } from "node:net";
import * as tls from "node:tls";
import * as pulumi from "@pulumi/pulumi";
import { type ClusterChoice, type Connection, connectionFor, contextProblem } from "./connection/kubeconfig";
import { whenKnown } from "../shared/deferred";
import { printable } from "../shared/printable";
import { proxyOf, targetOf, tunnel } from "./connection/proxy";

/** A response of an API server with a status of failure. */
export class FailedRead extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
    /** The header Retry-After of the response. */
    readonly retryAfter?: string,
  ) {
    super(`${status}: ${body}`);
  }
}

/** True for an error from the API server itself. */
export const isFromServer = (error: unknown) => error instanceof FailedRead;

/** True if the API server has no object at the path. */
export const isNotFound = (error: unknown) => error instanceof FailedRead && error.status === 404;

/** Reads the API server's response at a path, decoded if it is JSON. */
export type Read = (path: string) => Promise<unknown>;

/** Labels as the parameter `labelSelector` of a list. */
export const labelSelector = (labels: Record<string, string>) =>
  Object.entries(labels)
    .map((pair) => pair.join("="))
    .join();

/** Reads the response at a path, or sends an object there. */
export type Send = (path: string, object?: object) => Promise<unknown>;

/**
 * Access to the Kubernetes cluster of a component's provider, with the connection settings of the provider. Undefined
 * if no connection is possible: callers continue without it.
 */
export async function readerOf(component: pulumi.Resource): Promise<Send | undefined> {
  const connection = await connectionOf(component);
  // A connection cannot be used if its credentials cannot be read.
  const isUsable =
    connection &&
    (await connection.credentials().then(
      () => true,
      () => false,
    ));
  return isUsable ? (path, object) => send(connection, path, object) : undefined;
}

/** The connection of a component's provider. Undefined if none is possible, or if the provider writes files. */
export async function connectionOf(component: pulumi.Resource): Promise<Connection | undefined> {
  const settings = await providerSettings(component);
  return isRendering(settings) ? undefined : connectionIfAny(choiceOf(settings));
}

/** Why no connection is possible, and what to do. Undefined if there is no reason, such as a Kubernetes cluster that is only created. */
export async function connectionProblem(component: pulumi.Resource): Promise<string | undefined> {
  const settings = await providerSettings(component);
  if (isRendering(settings)) return undefined;
  const choice = choiceOf(settings);
  const connection = connectionIfAny(choice);
  if (!connection) return contextProblem(choice);
  return connection.credentials().then(
    () => undefined,
    (error: Error) =>
      `the credentials of the kubeconfig cannot be read; log in to the Kubernetes cluster again: ${printable(error.message)}`,
  );
}

/** True for a provider that writes the objects to files instead of sending them to a Kubernetes cluster. */
export const isRendering = ({ renderYamlToDirectory }: Record<string, unknown>) =>
  renderYamlToDirectory !== undefined && renderYamlToDirectory !== "";

/** Identity of the Kubernetes provider of a component's children: its URN, or a text for the default provider. */
export async function providerOf(component: pulumi.Resource): Promise<string> {
  const provider = component.getProvider("kubernetes:core/v1:Service");
  return (provider && (await whenKnown(provider.urn))) ?? "the default provider";
}

/** Settings of the Kubernetes provider of a component's children. */
export const providerSettings = (component: pulumi.Resource) =>
  settingsOf(component.getProvider("kubernetes:core/v1:ConfigMap"));

/** Settings of a Kubernetes provider, by default of the stack's own. Only the engine has the settings of an explicit provider. */
export async function settingsOf(provider?: pulumi.ProviderResource): Promise<Record<string, unknown>> {
  if (!provider) return defaultProviderSettings();
  const urn = await whenKnown(provider.urn);
  const { state = {} } = (await pulumi.runtime.invoke("pulumi:pulumi:getResource", { urn })) as {
    state?: Record<string, unknown>;
  };
  return state;
}

/** Settings of the default Kubernetes provider. */
export function defaultProviderSettings(): Record<string, unknown> {
  const keys = ["kubeconfig", "context", "cluster", "namespace", "renderYamlToDirectory"];
  // pulumi.Config warns of a secret that is read as a plain value; this secret is only sent to its Kubernetes cluster.
  return Object.fromEntries(keys.map((key) => [key, pulumi.runtime.getConfig(`kubernetes:${key}`)]));
}

export function connectionIfAny(choice: ClusterChoice): Connection | undefined {
  try {
    return connectionFor(choice);
  } catch {
    return undefined; // Such as a kubeconfig that is only known later.
  }
}

/** The Kubernetes cluster that the settings of a provider select. */
export function choiceOf(settings: Record<string, unknown>): ClusterChoice {
  const given = (key: string) => {
    const value = settings[key];
    if (typeof value === "object" && value !== null) return JSON.stringify(value);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [kubeconfig, context, cluster] = ["kubeconfig", "context", "cluster"].map(given);
  return { ...(kubeconfig && { kubeconfig }), ...(context && { context }), ...(cluster && { cluster }) };
}

/** Time within which a server has to respond. */
export const timeoutMillis = 5_000;

/** Address and options of a request to a server: certificates, credentials, and the connection. */
export async function requestTo(connection: Connection, path: string) {
  const { ca, insecure, serverName } = connection;
  const { headers, ...certificate } = await connection.credentials();
  const options = {
    ...(ca && { ca }),
    ...certificate,
    ...(serverName && { servername: serverName }),
    rejectUnauthorized: !insecure,
  };
  const url = new URL(`${connection.server.replace(/\/$/, "")}${path}`);
  return { url, options: { ...options, ...(await routeTo(url, connection.proxy, options)), headers } };
}

/** Connections that concurrent requests share: the objects of a cluster are sent side by side. */
const connections = new https.Agent({ keepAlive: true, maxSockets: 8 });

/** Reads the response at a path of a server, or sends an object there. An aborted signal ends the request. */
export async function send(
  connection: Connection,
  path: string,
  object?: object,
  signal?: AbortSignal,
): Promise<unknown> {
  const { url, options } = await requestTo(connection, path);
  const method = object ? "POST" : "GET";
  const headers = {
    accept: "application/json",
    ...(object && { "content-type": "application/json" }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const { request: open } = url.protocol === "http:" ? http : https;
    const way = url.protocol === "https:" && options.agent === false ? { agent: connections } : {};
    const request = open(
      url,
      { ...options, ...way, method, headers, timeout: timeoutMillis, ...(signal && { signal }) },
      (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
        response.on("error", reject).on("end", () => {
          const { statusCode = 0 } = response;
          if (statusCode < 200 || statusCode > 299)
            return reject(new FailedRead(statusCode, body, response.headers["retry-after"]));
          try {
            resolve(response.headers["content-type"]?.includes("json") ? JSON.parse(body) : body);
          } catch {
            reject(new Error("a response that is not valid JSON"));
          }
        });
      },
    );
    request.on("timeout", () => request.destroy(new Error("no response in time"))).on("error", reject);
    request.end(object && JSON.stringify(object));
  });
}

/** Connection to a server for one request, through a proxy if one is configured. */
async function routeTo(url: URL, given: string | undefined, options: tls.ConnectionOptions) {
  const proxy = given ?? proxyOf(url);
  if (proxy === undefined) return { agent: false as const };
  const target = targetOf(url);
  const socket = await tunnel(proxy, target, timeoutMillis);
  const { host } = target;
  const servername = options.servername ?? (isIP(host) ? undefined : host);
  const secured = { ...options, socket, host, ...(servername && { servername }) };
  return { createConnection: () => (url.protocol === "http:" ? socket : tls.connect(secured)) };
}
