import * as fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../sandbox/cluster";

/** Requests to the API server. */
export interface Requests {
  /** Those of the engine's plugins, or the plain ones, by verb: by the audit. */
  own: Record<string, number>;
  /** Those of all clients, controllers and nodes included: by the API server's own metrics. */
  all: number;
}

/** Counts requests from now on until the result is read. */
export async function countRequests({ api, auditLog }: Cluster): Promise<() => Promise<Requests>> {
  const sizeOf = () => (fs.existsSync(auditLog) ? fs.statSync(auditLog).size : 0);
  const [logBegin, allBegin] = [sizeOf(), await allRequests(api)];
  return async () => {
    const all = (await allRequests(api)) - allBegin;
    // The end of a watch is recorded when the API server has noticed it.
    await sleep(500);
    return { own: countVerbs(readFrom(auditLog, logBegin)), all };
  };
}

async function allRequests(api: Cluster["api"]): Promise<number> {
  const metrics = await api.text("/metrics");
  const counts = metrics.matchAll(/^apiserver_request_total\{[^\n]*\} (\S+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function countVerbs(lines: string): Record<string, number> {
  const verbs: Record<string, number> = {};
  for (const line of lines.split("\n").filter(Boolean)) {
    const { verb } = JSON.parse(line) as { verb: string };
    verbs[verb] = (verbs[verb] ?? 0) + 1;
  }
  return verbs;
}

function readFrom(file: string, start: number): string {
  return fs.existsSync(file) ? fs.readFileSync(file).subarray(start).toString() : "";
}
