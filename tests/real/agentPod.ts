import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { promisify } from "node:util";

import { Kube, type KubeObject } from "../sandbox/kube";
import { containerProcesses, runInContainer } from "../sandbox/real/containers";
import type { ApiError } from "../sandbox/apiClient";
import { waitFor } from "../sandbox/waiting";
import { lab, patience } from "./lab";
import { type ContainerStatus } from "./look";

const run = promisify(execFile);

/** The agent's own pod of the cluster "demo" in a namespace. */
export function agentPod(namespace: string) {
  const { api } = lab();
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const pod = async () => {
    const selector = encodeURIComponent("minicluster/autoscale=demo");
    const { items } = await api.request<{ items: KubeObject[] }>("GET", `${path}?labelSelector=${selector}`);
    return items.find(({ metadata }) => metadata.deletionTimestamp === undefined);
  };
  const statusOf = (found: KubeObject | undefined) =>
    (found?.["status"] as { containerStatuses?: (ContainerStatus & { ready: boolean })[] } | undefined)
      ?.containerStatuses?.[0];
  const process = () =>
    waitFor(
      "the agent to run",
      async () => containerProcesses(statusOf(await pod())?.containerID ?? "none")[0],
      patience,
    );
  return {
    /** Waits until it is Ready. */
    ready: () => waitFor("the agent to be Ready", async () => statusOf(await pod())?.ready, patience, 200),
    /** Deletes it; the Deployment replaces it. */
    delete: async () => api.request("DELETE", `${path}/${(await pod())?.metadata.name}`),
    /** Its whole log. */
    log: async () => api.text(`${path}/${(await pod())?.metadata.name}/log`),
    /** A request to the API server, with the token of its pod. */
    asAgent: async () => {
      const token = await runInContainer(await process(), [
        "cat",
        "/var/run/secrets/kubernetes.io/serviceaccount/token",
      ]);
      const { server, ca } = Kube.fromKubeconfig(lab().kubeconfigPath);
      return new Kube({ server, ca, token });
    },
    /** The user that it runs as. */
    user: async () => fs.statSync(`/proc/${(await process()).pid}`).uid,
    /** Runs a command in its container, with all rights of root. */
    run: async (...words: string[]) => runInContainer(await process(), words),
    /** Blocks its route to the API server, as a network policy does, and restores it. */
    loseApiServer: async () => {
      const { pid } = await process();
      const route = (...words: string[]) => run("nsenter", [`--target=${pid}`, "--net", "ip", "route", ...words]);
      const { stdout } = await route("show");
      const [way = ""] = stdout.split("\n").filter((line) => / via /.test(line));
      const [to = ""] = way.split(" ");
      await route("replace", "unreachable", to);
      return async () => {
        await route("delete", "unreachable", to);
        await route("add", ...way.trim().split(/\s+/));
      };
    },
  };
}

/** The status of the response to a request: 200, or that of the error. */
export const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error as ApiError).status,
  );
