import * as pulumi from "@pulumi/pulumi";
import * as provider from "@pulumi/pulumi/provider";
import {
  AksKarpenterNodePool,
  AksNodePool,
  AksSharedStorage,
  BurstCluster,
  EksNodePool,
  EksSharedStorage,
  GkeNodePool,
  GkeSharedStorage,
  KarpenterNodePool,
  MiniCluster,
  MiniClusterManifest,
  Study,
} from ".";
import packageSchema from "../sdk/schema.json";
import { callerOptions, endWithEngine, preparations, rememberHome } from "./server/caller";
import { invoke } from "./server/functions";
import { studyId } from "./server/study/id";
import { logToEngine } from "./server/study/log";
import { StudyRuns } from "./server/study/runsResource";

/** A component's class: its constructor checks all inputs. */
type Constructor = new (
  name: string,
  inputs: never,
  options: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource;

/** Each component of the schema. */
const components: Record<keyof typeof packageSchema.resources, Constructor> = {
  "minicluster:index:MiniCluster": MiniCluster,
  "minicluster:index:MiniClusterManifest": MiniClusterManifest,
  "minicluster:index:BurstCluster": BurstCluster,
  "minicluster:index:EksNodePool": EksNodePool,
  "minicluster:index:KarpenterNodePool": KarpenterNodePool,
  "minicluster:index:GkeNodePool": GkeNodePool,
  "minicluster:index:AksNodePool": AksNodePool,
  "minicluster:index:AksKarpenterNodePool": AksKarpenterNodePool,
  "minicluster:index:EksSharedStorage": EksSharedStorage,
  "minicluster:index:GkeSharedStorage": GkeSharedStorage,
  "minicluster:index:AksSharedStorage": AksSharedStorage,
  "minicluster:index:Study": Study,
};

/** Serves the components to programs in any language, with the schema that was generated from the sources. */
class MiniClusterProvider implements provider.Provider {
  readonly version = packageSchema.version;
  readonly schema = JSON.stringify(packageSchema);

  /** The only resources with code in this package. The providers of other packages create all other resources. */
  private readonly runs = new StudyRuns();
  private readonly resource = (urn: string) => (urn.includes("minicluster:index:StudyId::") ? studyId : this.runs);
  check: StudyRuns["check"] = (urn, ...args) => this.resource(urn).check(urn, ...args);
  diff: StudyRuns["diff"] = (id, urn, ...args) => this.resource(urn).diff(id, urn, ...args);
  create: StudyRuns["create"] = (urn, ...args) => this.resource(urn).create(urn, ...args);
  read: StudyRuns["read"] = (id, urn, ...args) => this.resource(urn).read(id, urn, ...args);
  update: StudyRuns["update"] = (id, urn, ...args) => this.resource(urn).update(id, urn, ...args);
  delete: StudyRuns["delete"] = (id, urn, ...args) => this.resource(urn).delete(id, urn, ...args);
  cancel = this.runs.cancel;

  readonly invoke = invoke;

  /** Creates a component in this process, with its children in the caller's stack. */
  async construct(
    name: string,
    type: string,
    inputs: pulumi.Inputs,
    options: pulumi.ComponentResourceOptions,
  ): Promise<provider.ConstructResult> {
    const Component = (components as Record<string, Constructor>)[type];
    if (!Component) throw new Error(`the package minicluster has no component ${type}`);
    const component = await withMessageAlone(async () => {
      const prepared = (await preparations[type]?.(name, inputs, options)) ?? inputs;
      return new Component(name, prepared as never, callerOptions(options));
    });
    await rememberHome(component);
    const outputs = component as unknown as pulumi.Inputs;
    return { urn: component.urn, state: Object.fromEntries(outputsOf(type).map((key) => [key, outputs[key]])) };
  }
}

/** The outputs that the schema promises of a component. */
function outputsOf(type: string): string[] {
  const resources: Record<string, { properties?: object }> = packageSchema.resources;
  return Object.keys(resources[type]?.properties ?? {});
}

/**
 * Reports the problems in the message only: for a list of problems, the engine prints every value, including secrets.
 */
async function withMessageAlone<T>(construct: () => Promise<T>): Promise<T> {
  try {
    return await construct();
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    throw new pulumi.InputPropertiesError({ message: error.message, errors: [] });
  }
}

const args = process.argv.slice(2);
if (args.includes("--version")) console.log(packageSchema.version);
else {
  endWithEngine(args);
  logToEngine(args);
  void provider.main(new MiniClusterProvider(), args);
}
