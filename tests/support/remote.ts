import * as pulumi from "@pulumi/pulumi";
import { type BurstRoot, MiniCluster, type MiniClusterArgs } from "../../provider";
import type { TestStack } from "./engine";

/** A MiniCluster in a generated SDK of any language: the plugin constructs it. */
export class RemoteMiniCluster extends pulumi.ComponentResource {
  declare readonly jobName: pulumi.Output<string>;
  declare readonly burst: pulumi.Output<BurstRoot>;
  declare readonly connectCommand: pulumi.Output<string>;

  constructor(name: string, args: pulumi.Inputs, options?: pulumi.ComponentResourceOptions) {
    const outputs = { jobName: undefined, burst: undefined, connectCommand: undefined };
    super("minicluster:index:MiniCluster", name, { ...outputs, ...args }, options, true);
  }
}

/** Any component in the same way, and some of its outputs. */
export const remote = <Output extends string = never>(
  component: string,
  name: string,
  args: pulumi.Inputs,
  outputs: readonly Output[] = [],
  options: pulumi.ComponentResourceOptions = {},
): Record<Output, pulumi.Output<unknown>> => {
  const wanted = Object.fromEntries(outputs.map((output) => [output, undefined]));
  const made: unknown = new pulumi.ComponentResource(
    `minicluster:index:${component}`,
    name,
    { ...wanted, ...args },
    options,
    true,
  );
  return made as Record<Output, pulumi.Output<unknown>>;
};

/** A component of the user's own. */
export class Team extends pulumi.ComponentResource {
  constructor(name: string, options?: pulumi.ComponentResourceOptions) {
    super("my:index:Team", name, {}, options);
  }
}

type Make = (name: string, args: MiniClusterArgs, options?: pulumi.ComponentResourceOptions) => pulumi.Resource;

/** The two ways to a MiniCluster, between which users must see no difference. */
export const ways: { way: string; make: Make }[] = [
  { way: "made by the plugin", make: (name, args, options) => new RemoteMiniCluster(name, { ...args }, options) },
  { way: "made by the program", make: (name, args, options) => new MiniCluster(name, args, options) },
];

/** Small arguments of a cluster whose pods run until it goes. */
export const smallArgs = (args: Partial<MiniClusterArgs> & { namespace: string }): MiniClusterArgs => ({
  size: 2,
  maxSize: 4,
  waitTimeoutSeconds: 30,
  containers: [{ image: "ubuntu:noble", command: "sleep 600" }],
  ...args,
});

/** A resource as it is in the state. */
export interface ResourceState {
  urn: string;
  type: string;
  parent?: string;
  provider?: string;
  protect?: boolean;
  retainOnDelete?: boolean;
  deletedWith?: string;
  customTimeouts?: Record<string, number>;
}

/** The resources of a stack, without the stack itself and its providers. */
export async function resourcesOf(stack: TestStack): Promise<ResourceState[]> {
  const { resources = [] } = await stack.exportState();
  return (resources as unknown as ResourceState[]).filter(({ type }) => !type.startsWith("pulumi:"));
}

/** The types of a resource and of everything above it. */
export const typesIn = ({ urn }: Pick<ResourceState, "urn">) => urn.split("::")[2] as string;

/** Those resources that are inside a MiniCluster. */
export function childrenAmong(resources: ResourceState[]): ResourceState[] {
  return resources.filter(({ urn }) => typesIn({ urn }).includes("minicluster:index:MiniCluster$"));
}
