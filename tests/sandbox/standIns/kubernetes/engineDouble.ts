import { type Backend, type DiffResponse, InitFailed } from "../rpc/backend";
import { isObject, type Json, type Obj } from "../rpc/values";
import { getPath, setPath, stringAt } from "./objects";

/** The engine's record of one resource. */
export interface Known {
  urn: string;
  id: string;
  inputs: Obj;
  state: Obj;
}

interface Options {
  ignoreChanges?: string[];
  timeoutSeconds?: number;
}

/** Calls a backend like the engine, for one resource at a time and in this process. */
export class EngineDouble {
  constructor(readonly backend: Backend) {}

  static urn(type: string, name: string): string {
    return `urn:pulumi:dev::spec::${type}::${name}`;
  }

  /** Check, then create. */
  async create(type: string, name: string, inputs: Obj, options: Options = {}): Promise<Known> {
    const urn = EngineDouble.urn(type, name);
    const checked = await this.check(urn, inputs, {});
    const request = { urn, inputs: checked, preview: false, timeoutSeconds: options.timeoutSeconds ?? 0 };
    const { id, properties } = await this.backend.create(request);
    return { urn, id, inputs: checked, state: properties };
  }

  /** What a preview of a create shows as outputs. */
  async previewCreate(type: string, name: string, inputs: Obj): Promise<Obj> {
    const urn = EngineDouble.urn(type, name);
    const checked = await this.check(urn, inputs, {});
    return (await this.backend.create({ urn, inputs: checked, preview: true, timeoutSeconds: 0 })).properties;
  }

  async diff(known: Known, inputs: Obj, options: Options = {}): Promise<DiffResponse> {
    const news = await this.checkUpdate(known, inputs, options);
    return this.backend.diff({ ...this.request(known, options), news });
  }

  /** Check, then update; the diff is the caller's affair. */
  async update(known: Known, inputs: Obj, options: Options & { preview?: boolean } = {}): Promise<Known> {
    const news = await this.checkUpdate(known, inputs, options);
    const request = { ...this.request(known, options), news, timeoutSeconds: options.timeoutSeconds ?? 0 };
    const state = await this.backend.update({ ...request, preview: options.preview ?? false });
    return { ...known, inputs: news, state };
  }

  /** What the state is after a refresh, or undefined when the resource is gone. One that is not ready counts too. */
  async refresh(known: Known): Promise<Known | undefined> {
    const { urn, id, inputs, state: properties } = known;
    try {
      const found = await this.backend.read({ urn, id, inputs, properties });
      return found.id === "" ? undefined : { urn, id, inputs: found.inputs, state: found.properties };
    } catch (error) {
      if (!(error instanceof InitFailed)) throw error;
      return { urn, id, inputs: error.state.inputs ?? inputs, state: error.state.properties };
    }
  }

  async delete({ urn, id, state: properties }: Known, options: Options = {}): Promise<void> {
    await this.backend.delete({ urn, id, properties, timeoutSeconds: options.timeoutSeconds ?? 0 });
  }

  private request(known: Known, { ignoreChanges = [] }: Options) {
    return { id: known.id, urn: known.urn, olds: known.state, ignoreChanges };
  }

  /** The engine puts the old inputs where changes are ignored. */
  private checkUpdate(known: Known, inputs: Obj, { ignoreChanges = [] }: Options): Promise<Obj> {
    const news = structuredClone(inputs);
    for (const path of ignoreChanges.map((ignored) => ignored.split("."))) {
      const old = getPath(known.inputs, path);
      if (old !== undefined) setPath(news, path, old);
    }
    return this.check(known.urn, news, known.inputs);
  }

  private async check(urn: string, news: Obj, olds: Obj): Promise<Obj> {
    return (await this.backend.check({ urn, olds, news, randomSeed: new Uint8Array([1]) })).inputs;
  }
}

/** The changes in a diff as `path: kind`. */
export function changedPaths({ detailed }: DiffResponse): string[] {
  return [...detailed].map(([path, { kind, replace }]) => `${path}: ${kind}${replace ? " and replace" : ""}`).sort();
}

/** The manager of every entry of managed fields that has this top-level field of the spec or data. */
export function managersOf(object: Obj, group: string, field: string): string[] {
  const entries = getPath(object, ["metadata", "managedFields"]) as Json[];
  return entries
    .filter(isObject)
    .filter((entry) => getPath(entry, ["fieldsV1", `f:${group}`, `f:${field}`]) !== undefined)
    .map((entry) => `${stringAt(entry, "manager")}/${stringAt(entry, "operation")}`);
}
