import * as assert from "node:assert/strict";
import { prepareJsonPath } from "../../../support/jsonPath";
import { sharedCluster } from "../../../support/sandboxHooks";
import { patchTypes } from "../../kube";
import { InitFailed, type Log, type Severity } from "../rpc/backend";
import type { Obj } from "../rpc/values";
import { EngineDouble } from "./engineDouble";
import { kubernetesBackend } from "./provider";

export const jobType = "kubernetes:batch/v1:Job";
export const jobPatchType = "kubernetes:batch/v1:JobPatch";
export const configMapType = "kubernetes:core/v1:ConfigMap";
export const configMapPatchType = "kubernetes:core/v1:ConfigMapPatch";

const podsReadyOrOver =
  "jsonpath={$[?@.ready == $.spec.parallelism || @.completionTime || @.conditions[?@.type == 'Failed']]}";

/** Annotations of a Patch resource that takes fields from others. */
export const forced = { "pulumi.com/patchForce": "true" };

/** A message of the provider about a resource. */
export interface Said {
  severity: Severity;
  message: string;
  kind: "status" | undefined;
}

/** An engine whose provider uses the shared cluster, and says into `said` what it has to say. */
export async function newEngine(settings: Record<string, string> = {}, said: Said[] = []): Promise<EngineDouble> {
  await prepareJsonPath();
  const log: Log = (severity, _urn, message, kind) => said.push({ severity, message, kind });
  const engine = new EngineDouble(kubernetesBackend("1.0.0", log));
  await engine.backend.configure({ "kubernetes:config:kubeconfig": sharedCluster().kubeconfigPath, ...settings });
  return engine;
}

/** An Indexed Job called `job`. By default it is waited for as the components do it. */
export function job(
  namespace: string,
  size: number,
  annotations: Obj = { "pulumi.com/waitFor": podsReadyOrOver },
): Obj {
  const pod = { restartPolicy: "Never", containers: [{ name: "flux", image: "flux:1" }] };
  const spec = { completionMode: "Indexed", completions: size, parallelism: size, template: { spec: pod } };
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name: "job", namespace, annotations }, spec };
}

/**
 * A Patch resource for the size of that Job. It sets one more field, so that it changes the Job even if the size is
 * the same: a wait takes an earlier state of an object for the present one, as long as its generation is the same.
 */
export function jobPatch(namespace: string, size: number): Obj {
  const metadata = { name: "job", namespace, annotations: forced };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata,
    spec: { completions: size, parallelism: size, backoffLimit: 9 },
  };
}

/** A ConfigMap called `config`, or a Patch resource for it. */
export function configMap(namespace: string, data: Obj, annotations: Obj = {}): Obj {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "config", namespace, annotations }, data };
}

export const jobPath = (namespace: string) => `/apis/batch/v1/namespaces/${namespace}/jobs/job`;
export const configMapPath = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps/config`;

/** The object at a path of the API. */
export const live = (path: string) => sharedCluster().kube.request<Obj>("GET", path);

/** Changes an object as `kubectl edit` does. */
export const kubectlEdit = (path: string, body: unknown) =>
  sharedCluster().kube.request("PATCH", `${path}?fieldManager=kubectl-edit`, body, patchTypes.merge);

/** Checks that there is nothing at a path of the API. */
export const isGone = (path: string) => assert.rejects(live(path), { status: 404 });

/** What an operation that did not finish returns to the engine. */
export async function failure(operation: Promise<unknown>): Promise<InitFailed> {
  const error = await operation.then(
    () => assert.fail("the operation should not have finished"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof InitFailed, String(error));
  return error;
}
