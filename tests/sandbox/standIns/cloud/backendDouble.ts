import type { DiffResponse } from "../rpc/backend";
import type { Obj } from "../rpc/values";
import { cloudDeclarations } from ".";
import { type CloudName, clouds } from "./clouds";
import { CloudBackend } from "./provider";

/** The engine's record of a resource. */
export interface Known {
  urn: string;
  id: string;
  inputs: Obj;
  state: Obj;
}

/** A stand-in in this process. */
export async function backendOf(name: CloudName): Promise<CloudBackend> {
  return new CloudBackend(name, clouds[name], await cloudDeclarations(name));
}

/** Calls a stand-in for one resource, like the engine. */
export class BackendDouble {
  constructor(readonly backend: CloudBackend) {}

  /** Check; throws the failures as `path: reason`. */
  async check(urn: string, news: Obj, olds: Obj = {}, proposedName?: string): Promise<Obj> {
    const request = { urn, news, olds, randomSeed: new Uint8Array([1, 2]), ...(proposedName && { proposedName }) };
    const { inputs, failures = [] } = await this.backend.check(request);
    if (failures.length > 0)
      throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
    return inputs;
  }

  async create(type: string, news: Obj): Promise<Known> {
    const urn = urnOf(type);
    const inputs = await this.check(urn, news);
    const { id, properties } = await this.backend.create({ urn, inputs, preview: false });
    return { urn, id, inputs, state: properties };
  }

  async previewCreate(type: string, news: Obj): Promise<Obj> {
    const urn = urnOf(type);
    const inputs = await this.check(urn, news);
    return (await this.backend.create({ urn, inputs, preview: true })).properties;
  }

  async diff(known: Known, changed: Obj): Promise<DiffResponse> {
    const news = await this.check(known.urn, changed, known.inputs);
    return this.backend.diff({ ...this.request(known), news });
  }

  async update(known: Known, changed: Obj, preview = false): Promise<Known> {
    const news = await this.check(known.urn, changed, known.inputs);
    const state = await this.backend.update({ ...this.request(known), news, preview });
    return { ...known, inputs: news, state };
  }

  private request({ urn, id, inputs, state }: Known) {
    return { urn, id, olds: state, oldInputs: inputs };
  }
}

export const urnOf = (type: string) => `urn:pulumi:dev::spec::${type}::demo`;

/** The changes in a diff, each as `path: kind`. */
export function changesIn({ detailed }: DiffResponse): string[] {
  return [...detailed].map(([path, { kind, replace }]) => `${path}: ${kind}${replace ? " and replace" : ""}`).sort();
}
