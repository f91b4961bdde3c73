import * as http from "node:http";
import * as https from "node:https";
import { isIP } from "node:net";
import * as tls from "node:tls";
import * as pulumi from "@pulumi/pulumi";
import { type ClusterChoice, type Connection, connectionFor } from "./kubeconfig";
import { whenKnown } from "./deferred";
import { proxyOf, targetOf, tunnel } from "./proxy";

/** An answer of an API server that is none to the question. */
class RefusedRead extends Error {
  constructor(
    readonly status: number,
    answer: string,
  ) {
    super(`${status}: ${answer}`);
  }
}

/** True for the error of an API server that has answered, whatever it has said. */
export const isAnswer = (error: unknown) => error instanceof RefusedRead;

/** True for the error of an API server that has nothing at a path. */
export const isNotFound = (error: unknown) => error instanceof RefusedRead && error.status === 404;

/** Reads an API server's answer at a path, decoded if it is JSON. */
export type Read = (path: string) => Promise<unknown>;

/**
 * Read access to the cluster of a component's Kubernetes provider, by the connection that the provider itself would use.
 * It is optional: callers go on without it where there is none.
 */
export async function lookAtCluster(component: pulumi.Resource): Promise<Read | undefined> {
  const choice = choiceOf(await kubernetesSettings(component));
  const connection = connectionIfAny(choice);
  // Credentials that cannot be had are no connection, either.
  const isUsable =
    connection &&
    (await connection.credentials().then(
      () => true,
      () => false,
    ));
  return isUsable ? (path) => read(connection, path) : undefined;
}

/** Settings of the Kubernetes provider of a component's children. Only the engine knows those of an explicit provider. */
export async function kubernetesSettings(component: pulumi.Resource): Promise<Record<string, unknown>> {
  const provider = component.getProvider("kubernetes:core/v1:ConfigMap");
  if (!provider) {
    const keys = ["kubeconfig", "context", "cluster", "renderYamlToDirectory"];
    // A class for configuration warns of a secret that is read as a plain value; this one goes nowhere but to its cluster.
    return Object.fromEntries(keys.map((key) => [key, pulumi.runtime.getConfig(`kubernetes:${key}`)]));
  }
  const urn = await whenKnown(provider.urn);
  const { state = {} } = (await pulumi.runtime.invoke("pulumi:pulumi:getResource", { urn })) as {
    state?: Record<string, unknown>;
  };
  return state;
}

function connectionIfAny(choice: ClusterChoice): Connection | undefined {
  try {
    return connectionFor(choice);
  } catch {
    return undefined; // Such as a kubeconfig that is only known later.
  }
}

/** What the settings of a provider say of its cluster. */
export function choiceOf(settings: Record<string, unknown>): ClusterChoice {
  const given = (key: string) => {
    const value = settings[key];
    if (typeof value === "object" && value !== null) return JSON.stringify(value);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [kubeconfig, context, cluster] = ["kubeconfig", "context", "cluster"].map(given);
  return { ...(kubeconfig && { kubeconfig }), ...(context && { context }), ...(cluster && { cluster }) };
}

const timeoutMillis = 5_000;

/** Reads an answer at a path of a server. */
export async function read(connection: Connection, path: string): Promise<unknown> {
  const { ca, insecure, serverName } = connection;
  const { headers: own, ...certificate } = await connection.credentials();
  const options = {
    ...{ ...(ca && { ca }), ...certificate, ...(serverName && { servername: serverName }) },
    ...{ rejectUnauthorized: !insecure, timeout: timeoutMillis },
    headers: { accept: "application/json", ...own },
  };
  const url = new URL(`${connection.server.replace(/\/$/, "")}${path}`);
  const route = await routeTo(url, connection.proxy, options);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "http:" ? http : https).get(url, { ...options, ...route }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
      response.on("error", reject).on("end", () => {
        const { statusCode = 0 } = response;
        if (statusCode !== 200) return reject(new RefusedRead(statusCode, answer));
        resolve(response.headers["content-type"]?.includes("json") ? JSON.parse(answer) : answer);
      });
    });
    request.on("timeout", () => request.destroy(new Error("no answer"))).on("error", reject);
  });
}

/** Way to a server: a connection for one request, which leads through a proxy where there is one. */
async function routeTo(url: URL, given: string | undefined, options: tls.ConnectionOptions) {
  const proxy = given ?? proxyOf(url);
  if (proxy === undefined) return { agent: false as const };
  const target = targetOf(url);
  const socket = await tunnel(proxy, target, AbortSignal.timeout(timeoutMillis));
  const { host } = target;
  const servername = options.servername ?? (isIP(host) ? undefined : host);
  const secured = { ...options, socket, host, ...(servername && { servername }) };
  return { createConnection: () => (url.protocol === "http:" ? socket : tls.connect(secured)) };
}
