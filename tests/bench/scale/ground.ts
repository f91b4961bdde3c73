import { randomBytes } from "node:crypto";
import { type Cluster, startCluster, waitForDefaultServiceAccount } from "../../sandbox/cluster";
import type { RatesName } from "../../sandbox/controlPlane/commands";
import { waitFor } from "../../sandbox/waiting";
import type { Operation, OperationResult, RunningOperation, TestStack } from "../../support/engine";
import { bareJob } from "../bareJob";

/** The Kubernetes cluster that is measured on, and the engine. One that has failed is replaced by a new one. */
export class Ground {
  private started: Cluster | undefined;
  private running: RunningOperation | undefined;
  private rates: RatesName = "raised";
  private isOver = false;

  constructor(
    private readonly nodes: number,
    /** Holds the plugin as an executable. */
    readonly pluginDirectory: string,
    readonly report: (line: string) => void,
  ) {}

  /** The cluster, once it is ready. */
  get cluster(): Cluster {
    if (!this.started) throw new Error("there is no cluster yet");
    return this.started;
  }

  /** Ensures a cluster whose controllers work at these rates. */
  async ready(rates: RatesName): Promise<void> {
    if (!this.started) {
      this.report(`starting a cluster of ${this.nodes} simulated nodes`);
      this.rates = "raised";
      this.started = await startCluster({ nodes: 0, audit: true });
      await this.started.failEarly(this.started.addNodes(this.nodes));
    }
    if (this.rates !== rates) await this.started.useRates(rates);
    this.rates = rates;
    const namespace = await this.newNamespace();
    const { api } = this.started;
    await api.request("POST", `/apis/batch/v1/namespaces/${namespace}/jobs`, bareJob(1, "sleep infinity"));
    const isReady = async () => (await api.podsOfJob(namespace, "demo")).some(({ ready }) => ready);
    await waitFor("the first pod", isReady, 300_000);
    await this.clear(namespace);
  }

  /**
   * A new namespace, ready for pods. It stays until the cluster goes: its deletion would run into the next measurement.
   */
  async newNamespace(): Promise<string> {
    const { api } = this.cluster;
    const name = `bench-${randomBytes(4).toString("hex")}`;
    await api.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await waitForDefaultServiceAccount(api, name);
    return name;
  }

  /** Deletes what has pods and waits until the last has gone, so that what comes next finds the cluster idle. */
  async clear(namespace: string): Promise<void> {
    const { api } = this.cluster;
    await api.request("DELETE", `/apis/batch/v1/namespaces/${namespace}/jobs?propagationPolicy=Background`);
    const pods = `/api/v1/namespaces/${namespace}/pods?limit=1`;
    const isEmpty = async () => (await api.request<{ items: unknown[] }>("GET", pods)).items.length === 0;
    await waitFor(`the end of the pods of ${namespace}`, isEmpty, 900_000, 500);
  }

  /** Runs an operation of the engine. */
  async operate(stack: TestStack, operation: Operation): Promise<OperationResult> {
    this.running = stack.start(operation);
    try {
      return await this.running.result;
    } finally {
      this.running = undefined;
    }
  }

  /**
   * Ends an operation that is under way, and the cluster: an engine that lives on would write into a directory that is
   * being removed.
   */
  async abandon(): Promise<void> {
    const { running, started } = this;
    this.started = undefined;
    // Its stack may have gone meanwhile, and then there is nothing to unlock.
    await running?.kill().catch(() => undefined);
    await started?.stop();
  }

  /**
   * Discards a cluster after a failure, and records the failure among the figures. When everything ends, nothing was
   * measured.
   */
  async failed(error: unknown): Promise<string> {
    if (this.isOver) throw error;
    await this.abandon();
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    this.report(`failed: ${reason}`);
    return reason;
  }

  /** Ends everything. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.abandon();
  }
}
