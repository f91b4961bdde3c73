import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";

/** What the engine was asked for when a resource was registered. */
export interface Registration {
  type: string;
  name: string;
  inputs: Record<string, any>;
  /** Inputs as they went over the wire, where a secret is still marked as one. */
  wire: Record<string, any>;
  /** Name and type of the resources that are meant, in place of their URNs. */
  parent: string;
  dependsOn: string[];
  deletedWith: string;
  provider: string;
  ignoreChanges: string[];
  deleteBeforeReplace: boolean;
  createTimeout: string;
  updateTimeout: string;
}

export interface MockOptions {
  preview?: boolean;
  /** State of a resource beside its inputs, or a promise of it where the engine takes its time. */
  state?: (resource: pulumi.runtime.MockResourceArgs) => object | Promise<object>;
}

/** A stand-in for the engine that keeps what it was asked for, in the order of the requests. */
export async function mockEngine({ preview = false, state = () => ({}) }: MockOptions = {}): Promise<Registration[]> {
  const seen: Registration[] = [];
  const mocks: pulumi.runtime.Mocks = {
    newResource: async (args) => ({
      id: `${args.name}-id`,
      state: { ...args.inputs, ...generated(args), ...(await state(args)) },
    }),
    call: ({ inputs }) => inputs as Record<string, unknown>,
  };
  await pulumi.runtime.setMocks(mocks, "project", "stack", preview);
  return seen;
}
