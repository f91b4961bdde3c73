import * as https from "node:https";
import * as pulumi from "@pulumi/pulumi";
import { type ClusterChoice, type Connection, connectionFor } from "./kubeconfig";
import { whenKnown } from "./deferred";

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
  const connection = await connectionFor(choiceOf(await kubernetesSettings(component))).catch(() => undefined);
  return connection && ((path) => read(connection, path));
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

function choiceOf(settings: Record<string, unknown>): ClusterChoice {
  const given = (key: string) => {
    const value = settings[key];
    if (typeof value === "object" && value !== null) return JSON.stringify(value);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [kubeconfig, context, cluster] = ["kubeconfig", "context", "cluster"].map(given);
  return { ...(kubeconfig && { kubeconfig }), ...(context && { context }), ...(cluster && { cluster }) };
}

const timeoutMillis = 5_000;

function read({ server, token, insecure, ...tls }: Connection, path: string): Promise<unknown> {
  const headers = { accept: "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const options = { headers, ...tls, rejectUnauthorized: !insecure, timeout: timeoutMillis, agent: false as const };
  return new Promise((resolve, reject) => {
    const request = https.get(`${server.replace(/\/$/, "")}${path}`, options, (response) => {
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
