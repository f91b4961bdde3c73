import * as fs from "node:fs";
import { ApiClient, ApiError, type ApiRequest, type KubeAccess } from "./apiClient";

export type { KubeAccess } from "./apiClient";

/** A Kubernetes object as JSON, with the metadata that nearly every caller reads. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: KubeMetadata;
  // Tests read objects of any kind; types for each of them would add nothing to the assertions.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

/** The part of an object's metadata that tests use. */
export interface KubeMetadata {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  deletionTimestamp?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

/** Names one object of any kind. */
export interface ObjectRef {
  apiVersion: string;
  kind: string;
  name: string;
  /** Left out for kinds without a namespace. */
  namespace?: string;
}

/** Names the objects of one kind. */
export type KindRef = Omit<ObjectRef, "name">;

/** An object to create. */
export interface NewObject extends KubeObject {
  apiVersion: string;
  kind: string;
}

/** The content type of each kind of patch. */
export const patchTypes = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** How a patch is meant. */
export interface PatchOptions {
  /** Default: merge. */
  type?: keyof typeof patchTypes;
  /** Default: kubectl-patch. */
  fieldManager?: string;
  /** For example `status`. Default: the object itself. */
  subresource?: string;
}

/** A pod of an Indexed Job, reduced to what identifies it. */
export interface JobPod {
  name: string;
  uid: string;
  completionIndex: number;
  phase: string;
  ready: boolean;
  deleting: boolean;
  /** Where it runs. */
  node: string | undefined;
  pod: KubeObject;
}

interface ApiResource {
  name: string;
  kind: string;
}

/**
 * The Kubernetes client of sandbox and tests: objects of any kind, unchanged. (`@kubernetes/client-node` 2 needs
 * Node.js 22.)
 */
export class Kube implements KubeAccess {
  readonly server: string;
  readonly token: string;
  readonly ca?: string;
  private readonly client: ApiClient;
  private readonly kinds = new Map<string, Promise<ApiResource[]>>();

  constructor({ server, token, ca }: KubeAccess) {
    [this.server, this.token, this.ca] = [server, token, ca];
    this.client = new ApiClient({ server, token, ca });
  }

  /** For the sandbox's own kubeconfig. */
  static fromKubeconfig(kubeconfigPath: string): Kube {
    const config = JSON.parse(fs.readFileSync(kubeconfigPath, "utf8")) as {
      clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
      users: [{ user: { token: string } }];
    };
    const { server, "certificate-authority-data": authority } = config.clusters[0].cluster;
    return new Kube({ server, ca: Buffer.from(authority, "base64").toString(), token: config.users[0].user.token });
  }

  /** The response to one request by path; throws an ApiError for a failure status. */
  async request<T = KubeObject>(
    method: ApiRequest["method"],
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<T> {
    return (await this.client.send({ method, path, body, contentType })) as T;
  }

  /** The log of a container, or another response that is not JSON; throws an ApiError for a failure status. */
  text(path: string): Promise<string> {
    return this.client.text({ method: "GET", path });
  }

  /** The lines of a streamed response, such as a watch, in the requested form. */
  stream(path: string, accept: string, signal: AbortSignal): AsyncGenerator<Record<string, unknown>> {
    return this.client.stream({ method: "GET", path, accept, signal });
  }

  /** The object; throws an ApiError if it does not exist. */
  async get(ref: ObjectRef): Promise<KubeObject> {
    return this.request("GET", await this.path(ref, ref.name));
  }

  /** The object, or undefined if it does not exist. */
  async find(ref: ObjectRef): Promise<KubeObject | undefined> {
    return this.get(ref).catch(unlessGone);
  }

  /** All objects of a kind, of one namespace if that is given. */
  async list(ref: KindRef, labelSelector = ""): Promise<KubeObject[]> {
    return this.listBy(ref, labelSelector ? `?labelSelector=${encodeURIComponent(labelSelector)}` : "");
  }

  /** All objects of a kind as they were when another object had its present state. */
  async listWhen(ref: KindRef, { metadata }: KubeObject): Promise<KubeObject[]> {
    return this.listBy(ref, `?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`);
  }

  private async listBy(ref: KindRef, query: string): Promise<KubeObject[]> {
    const { items } = await this.request<{ items: KubeObject[] }>("GET", (await this.path(ref)) + query);
    return items;
  }

  /** Creates the object. */
  async create(object: NewObject): Promise<KubeObject> {
    const { apiVersion, kind, metadata } = object;
    return this.request("POST", await this.path({ apiVersion, kind, namespace: metadata.namespace }), object);
  }

  /** Changes fields, as `kubectl patch` does with the same `fieldManager`. */
  async patch(
    ref: ObjectRef,
    body: unknown,
    { type = "merge", fieldManager = "kubectl-patch", subresource = "" }: PatchOptions = {},
  ): Promise<KubeObject> {
    const path = (await this.path(ref, ref.name)) + (subresource && `/${subresource}`);
    const force = type === "apply" ? "&force=true" : "";
    return this.request("PATCH", `${path}?fieldManager=${fieldManager}${force}`, body, patchTypes[type]);
  }

  /** Deletes the object in the background, if it exists. */
  async delete(ref: ObjectRef): Promise<void> {
    const options = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" };
    await this.request("DELETE", await this.path(ref, ref.name), options).catch(unlessGone);
  }

  /** The pods of an Indexed Job by completion index, terminating ones included. */
  async podsOfJob(namespace: string, jobName: string): Promise<JobPod[]> {
    const ref = { apiVersion: "v1", kind: "Pod", namespace };
    const pods = await this.list(ref, `batch.kubernetes.io/job-name=${jobName}`);
    return pods.map(toJobPod).sort((a, b) => a.completionIndex - b.completionIndex);
  }

  /** Drops the idle connections. */
  close(): void {
    this.client.close();
  }

  private async path({ apiVersion, kind, namespace }: KindRef, name?: string): Promise<string> {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resource = (await this.resources(root)).find((r) => r.kind === kind && !r.name.includes("/"));
    if (!resource) throw new Error(`the API server has no ${kind} in ${apiVersion}`);
    return [root, namespace && `namespaces/${namespace}`, resource.name, name].filter(Boolean).join("/");
  }

  private resources(root: string): Promise<ApiResource[]> {
    let known = this.kinds.get(root);
    if (!known) {
      known = this.request<{ resources: ApiResource[] }>("GET", root).then((found) => found.resources);
      this.kinds.set(root, known);
      // A failure, for example while the API server is stopped, is not cached.
      known.catch(() => this.kinds.delete(root));
    }
    return known;
  }
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

function toJobPod(pod: KubeObject): JobPod {
  const status = pod.status as { phase: string; conditions?: { type: string; status: string }[] };
  const annotation = pod.metadata.annotations?.["batch.kubernetes.io/job-completion-index"];
  return {
    name: pod.metadata.name,
    uid: pod.metadata.uid ?? "",
    completionIndex: Number(annotation),
    phase: status.phase,
    ready: status.conditions?.some((c) => c.type === "Ready" && c.status === "True") ?? false,
    deleting: pod.metadata.deletionTimestamp !== undefined,
    node: (pod.spec as { nodeName?: string } | undefined)?.nodeName,
    pod,
  };
}
