import type { Kube } from "../../sandbox/kube";

/** Times at which pods appeared or disappeared, by the clock of `performance.now()`. */
export interface Moments {
  firstPod: number;
  lastPod: number;
  ready: number;
}

/**
 * Follows the pods of a namespace. The API server sends a row of a table for each change, not the pod: to print
 * thousands of those several times would take the processors from what is measured.
 */
export class PodWatch {
  private readonly pods = new Set<string>();
  private readonly readyPods = new Set<string>();
  private readonly end = new AbortController();
  private readonly over: Promise<never>;
  private moments: Partial<Moments> = {};
  private target = 0;
  private reached: () => void = () => undefined;

  constructor(
    private readonly kube: Kube,
    private readonly namespace: string,
  ) {
    this.over = this.follow();
    // Resolves the pending waits, if there are any.
    this.over.catch(() => undefined);
  }

  /** Starts a wait for a number of pods, all of them Ready; resolves with the time. */
  async reach(target: number): Promise<Moments> {
    this.target = target;
    this.moments = {};
    const reached = new Promise<void>((resolve) => (this.reached = resolve));
    await Promise.race([reached, this.over]);
    return this.moments as Moments;
  }

  /** The present state, in words. */
  seen(): string {
    return `${this.readyPods.size} of ${this.pods.size} pods were Ready`;
  }

  close(): void {
    this.end.abort();
  }

  /** The API server may end a watch at any time, above all a busy one: then the objects are listed again. */
  private async follow(): Promise<never> {
    for (;;) {
      let version = "";
      for await (const table of this.tables("")) {
        const { rows = [], metadata } = table as unknown as Rows;
        version = metadata?.resourceVersion ?? "";
        const names = new Set(rows.map(({ cells: [name] }) => name));
        for (const name of this.pods) if (!names.has(name)) this.see("DELETED", [name, "", ""]);
        for (const { cells } of rows) this.see("ADDED", cells);
      }
      for await (const event of this.tables(`watch=1&resourceVersion=${version}&`)) {
        const { type, object } = event as unknown as { type: string; object: Rows };
        if (type === "ERROR") break;
        for (const { cells } of object.rows ?? []) this.see(type, cells);
      }
    }
  }

  private tables(query: string): AsyncGenerator<Record<string, unknown>> {
    const path = `/api/v1/namespaces/${this.namespace}/pods?${query}includeObject=None`;
    return this.kube.stream(path, "application/json;as=Table;g=meta.k8s.io;v=v1", this.end.signal);
  }

  private see(type: string, [name, containers, status]: Row["cells"]): void {
    const now = performance.now();
    const count = this.pods.size;
    const isThere = type !== "DELETED";
    place(this.pods, name, isThere);
    place(this.readyPods, name, isThere && status === "Running" && isWhole(containers));
    if (this.pods.size !== count) {
      this.moments.firstPod ??= now;
      this.moments.lastPod = now;
    }
    const isReached = this.pods.size === this.target && this.readyPods.size === this.target;
    if (!isReached || this.moments.firstPod === undefined) return;
    this.moments.ready ??= now;
    this.reached();
  }
}

interface Row {
  /** As kubectl prints them: the name, the containers that are Ready as in "1/1", the status. */
  cells: [string, string, string];
}

interface Rows {
  rows?: Row[];
  metadata?: { resourceVersion?: string };
}

const place = (set: Set<string>, name: string, isIn: boolean) => void (isIn ? set.add(name) : set.delete(name));

const isWhole = (containers: string) => {
  const [ready, all] = containers.split("/");
  return ready === all;
};
