import * as pulumi from "@pulumi/pulumi";
import * as provider from "@pulumi/pulumi/provider";
import { AksNodePool, BurstCluster, EksNodePool, GkeNodePool, MiniCluster, MiniClusterManifest } from ".";
import packageSchema from "../sdk/schema.json";
import { callerOptions } from "./server/callerOptions";
import { endWithEngine } from "./server/lifetime";
import { preparations } from "./server/prepare";

/** Each component of the package. */
const components: Record<string, new (...args: never[]) => pulumi.ComponentResource> = {
  "minicluster:index:MiniCluster": MiniCluster,
  "minicluster:index:MiniClusterManifest": MiniClusterManifest,
  "minicluster:index:BurstCluster": BurstCluster,
  "minicluster:index:EksNodePool": EksNodePool,
  "minicluster:index:GkeNodePool": GkeNodePool,
  "minicluster:index:AksNodePool": AksNodePool,
};

/** A component as the engine asks for one: its constructor checks the inputs, whoever sends them. */
type Constructor = new (
  name: string,
  inputs: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource;

/** Serves the components to programs in any language, with the schema that was generated from the sources. */
class MiniClusterProvider implements provider.Provider {
  readonly version = packageSchema.version;
  readonly schema = JSON.stringify(packageSchema);

  /** Makes a component in this process, with the children in the caller's stack. */
  async construct(
    name: string,
    type: string,
    inputs: pulumi.Inputs,
    options: pulumi.ComponentResourceOptions,
  ): Promise<provider.ConstructResult> {
    const Component = components[type] as Constructor | undefined;
    if (!Component) throw new Error(`the package minicluster has no component ${type}`);
    const component = await withoutList(async () => {
      const prepared = (await preparations[type]?.(name, inputs, options)) ?? inputs;
      return new Component(name, prepared, callerOptions(options));
    });
    const outputs = component as unknown as pulumi.Inputs;
    return { urn: component.urn, state: Object.fromEntries(outputsOf(type).map((key) => [key, outputs[key]])) };
  }
}

/** The outputs that the schema promises of a component. */
function outputsOf(type: string): string[] {
  const resources: Record<string, { properties?: object }> = packageSchema.resources;
  return Object.keys(resources[type]?.properties ?? {});
}

/** Keeps the list of problems out of the message, because the engine prints each property with its value. */
async function withoutList<T>(construct: () => Promise<T>): Promise<T> {
  try {
    return await construct();
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    const [message = ""] = error.message.split("\n");
    throw new pulumi.InputPropertiesError({ message, errors: error.errors });
  }
}

const args = process.argv.slice(2);
if (args.includes("--version")) console.log(packageSchema.version);
else {
  endWithEngine(args);
  void provider.main(new MiniClusterProvider(), args);
}
