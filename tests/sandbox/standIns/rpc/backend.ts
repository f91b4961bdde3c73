import type { Json, Obj } from "./values";

/** The engine's request before it changes a resource. */
export interface CheckRequest {
  urn: string;
  olds: Obj;
  news: Obj;
  /** Same bytes in the preview and in the update that follows, so that names are the same too. */
  randomSeed: Uint8Array;
  /** The name the engine proposes, when the project configures autonaming. */
  proposedName?: string;
}

/** A problem with one input. */
export interface CheckFailure {
  property: string;
  reason: string;
}

export interface CheckResponse {
  inputs: Obj;
  failures?: CheckFailure[];
}

export interface DiffRequest {
  id: string;
  urn: string;
  /** The state that the last create, update or read returned. */
  olds: Obj;
  news: Obj;
  /** The inputs of the former state. */
  oldInputs?: Obj;
}

/** How one property changes; `replace`: the change needs a new resource. */
export interface PropertyChange {
  kind: "add" | "delete" | "update";
  replace: boolean;
  /** The engine shows old inputs instead of old outputs as the value before. */
  inputDiff?: boolean;
}

export interface DiffResponse {
  changed: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** Keyed by property path. */
  detailed: Map<string, PropertyChange>;
}

export interface CreateRequest {
  urn: string;
  inputs: Obj;
  preview: boolean;
}

/** The present state of a resource. An empty id means that it does not exist. */
export interface ResourceState {
  id: string;
  properties: Obj;
}

export interface ReadRequest {
  id: string;
  urn: string;
  properties: Obj;
  inputs: Obj;
}

export interface UpdateRequest {
  id: string;
  urn: string;
  olds: Obj;
  news: Obj;
  /** The inputs of the former state. */
  oldInputs?: Obj;
  preview: boolean;
}

export interface DeleteRequest {
  id: string;
  urn: string;
  properties: Obj;
}

export interface InvokeRequest {
  token: string;
  args: Obj;
}

export interface InvokeResponse {
  result: Obj;
  failures?: CheckFailure[];
}

/** A provider plugin without its wire format: plain data in, plain data out. */
export interface Backend {
  version: string;
  checkConfig(news: Obj, olds: Obj): CheckResponse;
  diffConfig(olds: Obj, news: Obj): DiffResponse;
  configure(variables: Record<string, string>): Promise<void>;
  check(request: CheckRequest): Promise<CheckResponse>;
  diff(request: DiffRequest): Promise<DiffResponse>;
  create(request: CreateRequest): Promise<ResourceState>;
  read(request: ReadRequest): Promise<ResourceState & { inputs: Obj }>;
  update(request: UpdateRequest): Promise<Obj>;
  delete(request: DeleteRequest): Promise<void>;
  /** Answers a data source. */
  invoke?(request: InvokeRequest): Promise<InvokeResponse>;
}

/** The fields of a diff without differences. */
export const noChanges = (): DiffResponse => ({
  changed: false,
  replaces: [],
  deleteBeforeReplace: false,
  detailed: new Map(),
});

/** The resource type in a URN, without its parents' types. */
export function urnType(urn: string): string {
  return (urn.split("::")[2] ?? "").split("$").at(-1) ?? "";
}

/** The resource name in a URN. */
export function urnName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

export type { Json, Obj };
