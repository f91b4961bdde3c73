import type { Log } from "../rpc/backend";
import type { Obj } from "../rpc/values";
import { getPath, stringAt } from "./objects";
import type { Resources } from "./resources";

/** Removes the shown status of a resource. */
export const clearStatus = (log: Log, urn: string) => log("info", urn, "", "status");

/** Shows Kubernetes' warnings about an object, old ones included and each once, until `work` is done. */
export async function showingWarnings<T>(
  resources: Resources,
  object: Obj,
  show: (warning: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  void showWarnings(resources, object, show, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
  }
}

async function showWarnings(
  resources: Resources,
  object: Obj,
  show: (warning: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const uid = getPath(object, ["metadata", "uid"]);
  const shown = new Set<string>();
  for await (const event of resources.watchEvents(object, signal)) {
    const warning = `${stringAt(event, "reason")}: ${stringAt(event, "message")}`;
    const isNews = stringAt(event, "type") === "Warning" && !shown.has(warning);
    if (!isNews || getPath(event, ["involvedObject", "uid"]) !== uid) continue;
    shown.add(warning);
    show(warning);
  }
}
