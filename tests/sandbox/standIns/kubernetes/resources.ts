import { isObject, type Obj } from "../rpc/values";
import { type ApiClient, isNotFound } from "./api";
import { apiVersionOf, kindOf, nameOf, namespaceOf, objectsAt, stringAt } from "./objects";

/** A kind that the API server does not serve. */
export class NoSuchKind extends Error {
  constructor(apiVersion: string, kind: string) {
    super(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  }
}

interface Resource {
  /** The plural name in URLs. */
  plural: string;
  namespaced: boolean;
}

/** Built-in kinds without a namespace, for when no API server can be asked. */
const clusterScoped = new Set(
  (
    "APIService CertificateSigningRequest ClusterRole ClusterRoleBinding CSIDriver CSINode CustomResourceDefinition " +
    "DeviceClass FlowSchema IngressClass MutatingWebhookConfiguration Namespace Node PersistentVolume PriorityClass " +
    "PriorityLevelConfiguration ResourceSlice RuntimeClass StorageClass ValidatingAdmissionPolicy " +
    "ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration VolumeAttachment"
  ).split(" "),
);

export interface WriteOptions {
  fieldManager?: string;
  dryRun: boolean;
}

/** Reads and writes objects of any kind, by what the API server says about the kind. */
export class Resources {
  private readonly groups = new Map<string, Promise<Map<string, Resource>>>();
  private readonly informers = new Set<string>();

  constructor(
    private readonly client: ApiClient | undefined,
    readonly signal: AbortSignal,
  ) {}

  /** Notes that this process watches the kind of an object in its namespace from now on; false if it did before. */
  startInformer(object: Obj): boolean {
    const key = [apiVersionOf(object), kindOf(object), namespaceOf(object)].join("/");
    const starts = !this.informers.has(key);
    this.informers.add(key);
    return starts;
  }

  /** True when the API server has the kind. */
  async exists(object: Obj): Promise<boolean> {
    if (!this.client) return false;
    return this.lookUp(object).then(
      () => true,
      () => false,
    );
  }

  /** True when objects of the kind live in a namespace; an unknown kind is assumed to. */
  async isNamespaced(object: Obj): Promise<boolean> {
    if (clusterScoped.has(kindOf(object))) return false;
    if (!this.client) return true;
    return this.lookUp(object).then(
      (resource) => resource.namespaced,
      () => true,
    );
  }

  async get(object: Obj): Promise<Obj> {
    return this.send("GET", object);
  }

  /** The object, or undefined when it or its kind is gone. */
  async find(object: Obj): Promise<Obj | undefined> {
    try {
      return await this.get(object);
    } catch (error) {
      if (isNotFound(error) || error instanceof NoSuchKind) return undefined;
      throw error;
    }
  }

  async create(object: Obj, { fieldManager, dryRun }: WriteOptions): Promise<Obj> {
    return this.send("POST", object, { query: query(fieldManager, dryRun), body: object });
  }

  async replace(object: Obj, { fieldManager, dryRun }: WriteOptions): Promise<Obj> {
    return this.send("PUT", object, { query: query(fieldManager, dryRun), body: object });
  }

  /** Server-side apply. */
  async apply(object: Obj, { fieldManager, dryRun, force }: WriteOptions & { force: boolean }): Promise<Obj> {
    const options = { ...query(fieldManager, dryRun), force: String(force), fieldValidation: "Warn" };
    return this.send("PATCH", object, { query: options, body: object, contentType: "application/apply-patch+yaml" });
  }

  async jsonPatch(object: Obj, operations: Obj[]): Promise<Obj> {
    return this.send("PATCH", object, { body: operations, contentType: "application/json-patch+json" });
  }

  async remove(object: Obj, propagationPolicy: string): Promise<void> {
    await this.send("DELETE", object, { body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy } });
  }

  /**
   * The states of an object after `version`, or from the present one on when that is "", as long as the connection
   * holds. A deleted object comes as it was last.
   */
  async *watch(object: Obj, version: string, signal: AbortSignal): AsyncGenerator<Obj> {
    yield* this.watchSelected(object, { fieldSelector: `metadata.name=${nameOf(object)}`, version, signal });
  }

  /** What Kubernetes has said and says about an object, as long as the connection holds. */
  async *watchEvents(object: Obj, signal: AbortSignal): AsyncGenerator<Obj> {
    const events = { apiVersion: "v1", kind: "Event", metadata: { namespace: namespaceOf(object) } };
    yield* this.watchSelected(events, { fieldSelector: `involvedObject.name=${nameOf(object)}`, version: "", signal });
  }

  private async *watchSelected(
    kind: Obj,
    { fieldSelector, version, signal }: { fieldSelector: string; version: string; signal: AbortSignal },
  ): AsyncGenerator<Obj> {
    try {
      const query = { watch: "true", fieldSelector, resourceVersion: version || undefined };
      const request = { method: "GET" as const, path: await this.collection(kind), query, signal };
      for await (const { type, object: seen } of this.client?.stream(request) ?? [])
        if (isObject(seen) && ["ADDED", "MODIFIED", "DELETED"].some((known) => known === type)) yield seen;
    } catch {
      // Clients that watch come back, and send the request again.
    }
  }

  /** Discards the API server's list of kinds, after one was added. */
  forgetKinds(): void {
    this.groups.clear();
  }

  private async send(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", object: Obj, options = {}): Promise<Obj> {
    if (!this.client) throw new Error("no API server is configured");
    const name = method === "POST" ? "" : `/${encodeURIComponent(nameOf(object))}`;
    const path = (await this.collection(object)) + name;
    return this.client.send({ method, path, signal: this.signal, ...options });
  }

  /** The path of the objects of this kind, in the namespace of this one. */
  private async collection(object: Obj): Promise<string> {
    const { plural, namespaced } = await this.lookUp(object);
    const namespace = namespaced ? `/namespaces/${namespaceOf(object) || "default"}` : "";
    return `${groupPath(apiVersionOf(object))}${namespace}/${plural}`;
  }

  private async lookUp(object: Obj): Promise<Resource> {
    const apiVersion = apiVersionOf(object);
    const known = this.groups.get(apiVersion) ?? this.discover(apiVersion);
    this.groups.set(apiVersion, known);
    const resource = (await known).get(kindOf(object));
    // A kind can be added at any time, so only positive answers are cached.
    if (!resource) this.groups.delete(apiVersion);
    if (!resource) throw new NoSuchKind(apiVersion, kindOf(object));
    return resource;
  }

  private async discover(apiVersion: string): Promise<Map<string, Resource>> {
    try {
      const list = await this.client?.send({ method: "GET", path: groupPath(apiVersion), signal: this.signal });
      const resources = objectsAt(list ?? {}, "resources").filter((r) => !stringAt(r, "name").includes("/"));
      return new Map(
        resources.map((r) => [kindOf(r), { plural: stringAt(r, "name"), namespaced: r.namespaced === true }]),
      );
    } catch (error) {
      if (isNotFound(error)) return new Map();
      this.groups.delete(apiVersion);
      throw error;
    }
  }
}

const groupPath = (apiVersion: string) => (apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`);

const query = (fieldManager: string | undefined, dryRun: boolean) => ({
  fieldManager,
  dryRun: dryRun ? "All" : undefined,
});
