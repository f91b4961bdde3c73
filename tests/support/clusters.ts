import assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../provider";
import { createStack, OperationError, type OperationResult, type Program, type Step, type TestStack } from "./engine";
import { aMiniClusterArgs } from "./fixtures";
import type { JobPod, KubeObject } from "../sandbox/kube";
import { clusterProgram } from "./programs";
import { sharedCluster, type SharedCluster } from "./sandboxHooks";

/** Arguments of a test's cluster; a function if the test creates other resources first. */
type SomeArgs = Partial<MiniClusterArgs> | (() => Partial<MiniClusterArgs>);

/** A stack with one MiniCluster in a separate namespace, and its objects in the API server. */
export interface ClusterUnderTest {
  namespace: string;
  stack: TestStack;
  /** Changes the arguments of the cluster from the next operation on. */
  change: (args: SomeArgs) => void;
  object: (kind: string, name: string) => Promise<KubeObject>;
  job: () => Promise<JobObject>;
  pods: () => Promise<JobPod[]>;
}

/** The fields of a Job that the tests read. */
export interface JobObject extends KubeObject {
  spec: { completions: number; parallelism: number; suspend: boolean; template: unknown };
  status: Record<string, unknown>;
}

const apiVersions: Record<string, string> = {
  Job: "batch/v1",
  NetworkPolicy: "networking.k8s.io/v1",
  Deployment: "apps/v1",
  DaemonSet: "apps/v1",
  Role: "rbac.authorization.k8s.io/v1",
  RoleBinding: "rbac.authorization.k8s.io/v1",
};

/** Runs a test with a separate MiniCluster, and ensures that destroy leaves nothing, however the test ends. */
export async function withCluster(
  args: SomeArgs,
  body: (cluster: ClusterUnderTest) => Promise<void>,
  options: StackUnderTestOptions = {},
): Promise<void> {
  await withStack(async (stack, namespace) => {
    const program = (changed: SomeArgs) =>
      clusterProgram(() => {
        const args = typeof changed === "function" ? changed() : changed;
        return aMiniClusterArgs({ namespace, waitTimeoutSeconds: 30, ...args });
      });
    stack.program = program(args);
    const { kube } = options.cluster ?? sharedCluster();
    const object = (kind: string, name: string) =>
      kube.get({ apiVersion: apiVersions[kind] ?? "v1", kind, name, namespace });
    await body({
      namespace,
      stack,
      change: (changed) => (stack.program = program(changed)),
      object,
      job: async () => (await object("Job", "demo")) as JobObject,
      pods: () => kube.podsOfJob(namespace, "demo"),
    });
  }, options);
}

/** Pods that stay Running and never become Ready, like brokers that wait for a quorum. */
export const neverReady = { pod: { labels: { "sandbox.minicluster/ready": "never" } } };

/** Pods whose command ends at once. */
export const completing = { pod: { labels: { "sandbox.minicluster/complete": "true" } } };

/** Options of a test's stack. */
export interface StackUnderTestOptions {
  program?: Program;
  config?: Record<string, string>;
  /** Labels of the namespace. */
  labels?: Record<string, string>;
  /** Directories of further provider plugins, by name. */
  plugins?: Record<string, string>;
  /** Default: the cluster of the run. */
  cluster?: SharedCluster;
  /** Whether the stack's settings of the provider let the program read the API server. Default: false. */
  reads?: boolean;
}

/** The configuration by which a program may read an API server. */
export const readable = (kubeconfigPath: string, reads = false): Record<string, string> =>
  reads ? { "kubernetes:kubeconfig": kubeconfigPath } : {};

/** Runs a test with an empty stack and a namespace, destroys the stack, and checks that nothing remains. */
export async function withStack(
  body: (stack: TestStack, namespace: string) => Promise<void>,
  { program = () => ({}), config = {}, labels, plugins, cluster, reads }: StackUnderTestOptions = {},
): Promise<void> {
  const { kubeconfigPath, newNamespace, kube } = cluster ?? sharedCluster();
  const namespace = await newNamespace(labels);
  const all = { namespace, ...readable(kubeconfigPath, reads), ...config };
  const stack = await createStack({ program, kubeconfigPath, config: all, plugins });
  // What a failed test leaves must not hide why it failed.
  const failed: unknown = await body(stack, namespace).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    await stack.destroy();
    assert.deepEqual(await leftIn(namespace, kube), []);
  } catch (error) {
    throw failed ?? error;
  } finally {
    stack.dispose();
  }
  if (failed !== undefined) throw failed as Error;
}

/** The remains of a cluster in a namespace, without the objects that Kubernetes creates in each. */
export async function leftIn(namespace: string, kube = sharedCluster().kube): Promise<string[]> {
  const kinds = [
    "Job",
    "Deployment",
    "Pod",
    "Service",
    "Secret",
    "ConfigMap",
    "NetworkPolicy",
    "PersistentVolumeClaim",
    "ServiceAccount",
    "Role",
    "RoleBinding",
  ];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const objects = await kube.list({ apiVersion: apiVersions[kind] ?? "v1", kind, namespace });
      return objects.map(({ metadata }) => `${kind} ${String(metadata?.name)}`);
    }),
  );
  return lists.flat().filter((name) => !["ConfigMap kube-root-ca.crt", "ServiceAccount default"].includes(name));
}

/** The error that an operation ends with. */
export async function failure(operation: Promise<unknown>): Promise<OperationError> {
  const error: unknown = await operation.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof OperationError, `expected the operation to fail, but it gave ${String(error)}`);
  return error;
}

/** Checks that a preview warns of the reason for which an update is rejected. */
export async function isRefused(stack: TestStack, reason: RegExp): Promise<void> {
  assert.match(messages(await stack.preview()).join("\n"), reason);
  assert.match((await failure(stack.up())).message, reason);
}

/** The messages of a failing operation, one per line. */
export const saidBy = async (operation: Promise<unknown>) =>
  (await failure(operation)).result.diagnostics.map(({ message }) => message).join("\n");

/** The messages of an operation with a severity. */
export const messages = ({ diagnostics }: OperationResult, severity = "warning") =>
  diagnostics.filter((each) => each.severity === severity).map(({ message }) => message.trim());

/** The steps other than "same", each as `op Kind`, sorted by kind. */
export function changes({ changedSteps }: OperationResult): string[] {
  return changedSteps.map(({ op, type }) => `${op} ${kindOf(type)}`).sort();
}

/** The same, each as `op Kind name`. */
export const namedChanges = ({ changedSteps }: OperationResult) =>
  changedSteps.map(({ op, type, name }) => `${op} ${kindOf(type)} ${name}`).sort();

/** The one step of an operation on a resource of a kind. */
export function stepOf({ changedSteps }: OperationResult, kind: string, op?: string): Step {
  const found = changedSteps.filter((step) => kindOf(step.type) === kind && (op === undefined || step.op === op));
  assert.equal(found.length, 1, `one step on a ${kind}, among ${changedSteps.map((s) => `${s.op} ${s.type}`).join()}`);
  return found[0] as Step;
}

/** The changed properties of a resource of a kind, each as `path: old => new`. */
export function diffOf(result: OperationResult, kind: string, op?: string): string[] {
  return stepOf(result, kind, op)
    .changes.map(({ path, old, new: changed }) => `${path}: ${String(old)} => ${String(changed)}`)
    .sort();
}

const kindOf = (type: string) => type.split(":").at(-1) as string;

/** The properties that an operation changes, without resources whose steps change nothing. */
export const differences = ({ changedSteps }: OperationResult) => changedSteps.flatMap(({ diffs }) => diffs);

/** The changes of a resource's size alone. */
export const onlyCounts = ["update ConfigMapPatch", "update JobPatch"];

/** The UIDs of pods by rank. */
export const uids = (pods: JobPod[]) => pods.map(({ uid }) => uid);

/** Pods that are not terminating. */
export const staying = (pods: JobPod[]) => pods.filter(({ deleting }) => !deleting);

/** Number of pods that are Ready and not terminating. */
export const readyIn = (pods: JobPod[]) => staying(pods).filter(({ ready }) => ready).length;
