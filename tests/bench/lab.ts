import { randomBytes } from "node:crypto";
import { type Cluster, waitForDefaultServiceAccount } from "../sandbox/cluster";
import {
  createStack,
  type Operation,
  type OperationResult,
  type RunningOperation,
  type TestStack,
} from "../support/engine";
import { Kube } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";

/** How much is measured. */
export interface Effort {
  /** Simulated nodes: each takes one pod of a cluster. */
  nodes: number;
  /** Sizes at which a cluster is created and resized. */
  sizes: number[];
  /** The sizes among them at which it is also measured with its pods. */
  withPods: number[];
  /** Sizes at which the way to Ready pods is measured. */
  startSizes: number[];
  /** Numbers of clusters in one stack. */
  stackSizes: number[];
  /** How often each operation is measured. */
  runs: number;
  /** How often the plugin is started each way. */
  pluginRuns: number;
  /** In how many processes of their own parsing and building are measured, and how often in each. */
  render: { processes: number; runs: number };
}

/** The cluster and the engine of the run. */
export class Lab {
  readonly kube: Kube;
  private running: RunningOperation | undefined;

  constructor(
    private readonly cluster: Cluster,
    readonly effort: Effort,
  ) {
    this.kube = cluster.api;
  }

  /** Does something with an empty stack and forgets it; what it made has to be destroyed before. */
  async withStack<T>(body: (stack: TestStack) => Promise<T>): Promise<T> {
    const program = () => Promise.resolve({});
    const stack = await createStack({ program, kubeconfigPath: this.cluster.kubeconfigPath });
    try {
      return await body(stack);
    } finally {
      stack.dispose();
    }
  }

  /** A new namespace, ready for pods. It stays until the cluster goes: its deletion would run into the next measurement. */
  async newNamespace(): Promise<string> {
    const name = `bench-${randomBytes(4).toString("hex")}`;
    await this.kube.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await waitForDefaultServiceAccount(this.kube, name);
    return name;
  }

  /** Waits until the last pod of a namespace has gone, so that what comes next finds the cluster idle. */
  async untilEmpty(namespace: string): Promise<void> {
    const isEmpty = async () => (await this.kube.list({ apiVersion: "v1", kind: "Pod", namespace })).length === 0;
    await waitFor(`the end of the pods of ${namespace}`, isEmpty, 120_000, 100);
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

  /** Ends an operation that is under way: an engine that lives on would write into a directory that is being removed. */
  async abandon(): Promise<void> {
    await this.running?.kill();
  }
}
