import * as fs from "node:fs";

import { KubeApi, KubeError, type KubeObject, patchTypes } from "../sandbox/kubeApi";

export { KubeError, type KubeObject } from "../sandbox/kubeApi";
export { waitFor } from "../sandbox/waiting";

/** Names one object of any kind. */
export interface ObjectRef {
  apiVersion: string;
  kind: string;
  name: string;
  /** Leave out for kinds without a namespace. */
  namespace?: string;
}

/** Names the objects of one kind. */
export type KindRef = Omit<ObjectRef, "name">;

/** An object to create. */
export interface NewObject extends KubeObject {
  apiVersion: string;
  kind: string;
}

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
  pod: KubeObject;
}

interface ApiResource {
  name: string;
  kind: string;
}

/** Reads and changes objects of any kind, by plain requests. */
export class Kube {
  private readonly kinds = new Map<string, Promise<ApiResource[]>>();

  constructor(readonly api: KubeApi) {}

  /** For the sandbox's own kubeconfig. */
  static fromKubeconfig(kubeconfigPath: string): Kube {
    const config = JSON.parse(fs.readFileSync(kubeconfigPath, "utf8")) as {
      clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
      users: [{ user: { token: string } }];
    };
    const { server, "certificate-authority-data": authority } = config.clusters[0].cluster;
    const ca = Buffer.from(authority, "base64").toString();
    return new Kube(new KubeApi({ server, ca, token: config.users[0].user.token }));
  }

  /** The object; throws a KubeError when there is none. */
  async get(ref: ObjectRef): Promise<KubeObject> {
    return this.api.request("GET", await this.path(ref, ref.name));
  }

  /** The object, or undefined when there is none. */
  async find(ref: ObjectRef): Promise<KubeObject | undefined> {
    return this.get(ref).catch((error: unknown) => {
      if (error instanceof KubeError && error.status === 404) return undefined;
      throw error;
    });
  }

  /** All objects of a kind, of one namespace if that is given. */
  async list(ref: KindRef, labelSelector = ""): Promise<KubeObject[]> {
    const query = labelSelector ? `?labelSelector=${encodeURIComponent(labelSelector)}` : "";
    const { items } = await this.api.request<{ items: KubeObject[] }>("GET", (await this.path(ref)) + query);
    return items;
  }

  /** Creates the object as it is given. */
  async create(object: NewObject): Promise<KubeObject> {
    const { apiVersion, kind, metadata } = object;
    return this.api.request("POST", await this.path({ apiVersion, kind, namespace: metadata.namespace }), object);
  }

  /** Changes fields, as `kubectl patch` does with the same `fieldManager`. */
  async patch(
    ref: ObjectRef,
    body: unknown,
    { type = "merge", fieldManager = "kubectl-patch", subresource = "" }: PatchOptions = {},
  ): Promise<KubeObject> {
    const path = (await this.path(ref, ref.name)) + (subresource && `/${subresource}`);
    const force = type === "apply" ? "&force=true" : "";
    return this.api.request("PATCH", `${path}?fieldManager=${fieldManager}${force}`, body, patchTypes[type]);
  }

  /** Deletes the object in the background, and does not mind if it is gone already. */
  async delete(ref: ObjectRef): Promise<void> {
    const options = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" };
    await this.api.request("DELETE", await this.path(ref, ref.name), options).catch((error: unknown) => {
      if (!(error instanceof KubeError && error.status === 404)) throw error;
    });
  }

  /** The pods of an Indexed Job by completion index; those being deleted too. */
  async podsOfJob(namespace: string, jobName: string): Promise<JobPod[]> {
    const ref = { apiVersion: "v1", kind: "Pod", namespace };
    const pods = await this.list(ref, `batch.kubernetes.io/job-name=${jobName}`);
    return pods.map(toJobPod).sort((a, b) => a.completionIndex - b.completionIndex);
  }

  private async path({ apiVersion, kind, namespace }: KindRef, name?: string): Promise<string> {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resource = (await this.resources(root)).find((r) => r.kind === kind && !r.name.includes("/"));
    if (!resource) throw new Error(`the API server knows no ${kind} in ${apiVersion}`);
    return [root, namespace && `namespaces/${namespace}`, resource.name, name].filter(Boolean).join("/");
  }

  private resources(root: string): Promise<ApiResource[]> {
    let known = this.kinds.get(root);
    if (!known) {
      known = this.api.request<{ resources: ApiResource[] }>("GET", root).then((found) => found.resources);
      this.kinds.set(root, known);
      // A failure, as while the API server is away, must not be remembered.
      known.catch(() => this.kinds.delete(root));
    }
    return known;
  }
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
    pod,
  };
}
