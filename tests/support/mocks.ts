import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";

export { valueOf, withWarnings } from "./outputs";

/** The request to the engine for a registered resource. Other resources are `Type name`. */
export interface Registration {
  id: string;
  type: string;
  inputs: unknown;
  parent: string;
  dependsOn: string[];
  deletedWith: string;
  provider: string;
  additionalSecretOutputs: string[];
  ignoreChanges: string[];
  replaceOnChanges: string[];
  deleteBeforeReplace: boolean;
  retainOnDelete: boolean;
  protect: boolean;
  timeouts: { create: string; update: string; delete?: string };
}

export interface MockOptions {
  preview?: boolean;
  /** State of a resource beside its inputs, or a promise of it where the engine takes its time. */
  state?: (resource: pulumi.runtime.MockResourceArgs) => object | Promise<object>;
  /** Answers of data sources, by token. */
  answers?: Record<string, (inputs: Record<string, unknown>) => object>;
}

// The namespace of a cluster would be the namespace of the developer's context.
process.env["KUBECONFIG"] = path.join(__dirname, "no-kubeconfig");

let seen: Registration[] = [];

/** Replaces the engine, and returns its list of requests. */
export async function mockEngine({ preview = false, state = () => ({}), answers = {} }: MockOptions = {}): Promise<
  Registration[]
> {
  const newResource = async (resource: pulumi.runtime.MockResourceArgs) => {
    const key = resource.type.includes("RandomPassword") ? { result: pulumi.secret("7".repeat(64)) } : {};
    const own = (await state(resource)) as Record<string, unknown>;
    return { id: `${resource.name}-id`, state: { ...(resource.inputs as Record<string, unknown>), ...key, ...own } };
  };
  const call = ({ token, inputs }: pulumi.runtime.MockCallArgs) => {
    try {
      return answers[token]?.(inputs as Record<string, unknown>) ?? {};
    } catch (error) {
      // The SDK reads the text of an error where gRPC puts it.
      throw Object.assign(error as Error, { details: (error as Error).message });
    }
  };
  await pulumi.runtime.setMocks({ newResource, call }, "project", "stack", preview);
  return (seen = []);
}

// The mocks themselves receive only the inputs, without the marks of secrets.
const { registerResource } = MockMonitor.prototype as { registerResource: Handler };
MockMonitor.prototype.registerResource = function (request: RegisterResourceRequest, callback) {
  seen.push(registration(request));
  return registerResource.call(this, request, callback);
};

type Handler = (this: MockMonitor, ...parameters: Parameters<MockMonitor["registerResource"]>) => Promise<void>;

function registration(request: RegisterResourceRequest): Registration {
  const timeouts = request.getCustomtimeouts();
  return {
    id: shortId(request.getType(), request.getName()),
    type: request.getType().split(":").at(-1) ?? "",
    inputs: request.getObject()?.toJavaScript(),
    parent: fromUrn(request.getParent()),
    dependsOn: request.getDependenciesList().map(fromUrn),
    deletedWith: fromUrn(request.getDeletedwith()),
    provider: request.getProvider().split("::").slice(0, -1).join("::"),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    deleteBeforeReplace: request.getDeletebeforereplace(),
    retainOnDelete: request.getRetainondelete() ?? false,
    protect: request.getProtect() ?? false,
    timeouts: {
      create: timeouts?.getCreate() ?? "",
      update: timeouts?.getUpdate() ?? "",
      ...(timeouts?.getDelete() && { delete: timeouts.getDelete() }),
    },
  };
}

function fromUrn(urn: string): string {
  const [, , types = "", name = ""] = urn.split("::");
  return urn === "" ? "" : shortId(types, name);
}

const shortId = (type: string, name: string) => `${type.split(":").at(-1)} ${name}`;

/** The mark of a secret on the wire (SDK: runtime/rpc). */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The value in place of an unknown one on the wire (SDK: runtime/rpc). */
export const unknownOnTheWire = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value went over the wire as a secret. */
export function isWireSecret(value: unknown): boolean {
  const [[key, signature]] = Object.entries(secretSignature) as [[string, string]];
  return typeof value === "object" && value !== null && (value as Record<string, unknown>)[key] === signature;
}

/** An output whose value is unknown in a preview. */
export const unknownOutput = () => pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;

/** Paths of values that satisfy a condition, in the inputs of all registered resources. */
export function placesWhere(registered: Registration[], holds: (value: unknown) => boolean): string[] {
  const walk = (value: unknown, path: string): string[] => {
    if (holds(value)) return [path];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, item]) => walk(item, `${path}.${key}`));
  };
  return registered.flatMap(({ id, inputs }) => walk(inputs, id)).sort();
}

/** The uncaught errors during an action, which would end a program. */
export async function uncaughtIn(action: () => Promise<unknown>): Promise<string[]> {
  const errors: string[] = [];
  const listeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", (error) => errors.push(String(error)));
  try {
    await action();
    for (let turn = 0; turn < 200 && errors.length === 0; turn += 1) await sleep(10);
    // More of them come at about one time.
    await sleep(50);
    return errors;
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  }
}
