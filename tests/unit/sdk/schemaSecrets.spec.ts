import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as provider from "../../../provider";
import { readSchema } from "../../../sdk/generator/docs";
import { nameOf, type PropertySchema } from "../../../sdk/generator/pages/schema";
import { aBurstClusterArgs, aBursting, aMiniClusterArgs, aStudyArgs } from "../../support/fixtures";
import { mockEngine, valueOf } from "../../support/mocks";
import { existing } from "../../support/sharedStorage";
import {
  aGkePoolArgs,
  aKarpenterPoolArgs,
  aksArgs,
  anAksKarpenterPoolArgs,
  anEksPoolArgs,
} from "../clouds/nodes/fixtures";

const schema = readSchema();
// Without a command this version has the console.
const container = "{image: ubuntu, commands: {runFluxAsRoot: true}}";
const manifest = `kind: MiniCluster\nmetadata: {name: demo}\nspec: {containers: [${container}]}`;
const text = `apiVersion: flux-framework.org/v1alpha1\n${manifest}`;

/** Each component with every output that it can have. */
const bursting = aBursting({ clusters: [{ name: "cloud", maxSize: 8, cores: 4 }] });
const components: Record<string, () => pulumi.ComponentResource> = {
  MiniCluster: () => new provider.MiniCluster("demo", aMiniClusterArgs({ bursting, console: { users: ["ann"] } })),
  BurstCluster: () => new provider.BurstCluster("cloud", aBurstClusterArgs()),
  MiniClusterManifest: () => new provider.MiniClusterManifest("demo", { text }),
  EksNodePool: () => new provider.EksNodePool("hpc", anEksPoolArgs()),
  KarpenterNodePool: () => new provider.KarpenterNodePool("hpc", aKarpenterPoolArgs()),
  GkeNodePool: () => new provider.GkeNodePool("hpc", aGkePoolArgs()),
  AksNodePool: () => new provider.AksNodePool("hpc", aksArgs()),
  AksKarpenterNodePool: () => new provider.AksKarpenterNodePool("hpc", anAksKarpenterPoolArgs()),
  EksSharedStorage: existing.fsx,
  GkeSharedStorage: existing.filestore,
  AksSharedStorage: existing.files,
  Study: () => new provider.Study("demo", aStudyArgs()),
};

type Property = [name: string, property: PropertySchema & { secret?: boolean }];

const inputs = [
  ...Object.entries(schema.resources).map(([token, { inputProperties }]) => [token, inputProperties] as const),
  ...Object.entries(schema.types).map(([token, { properties = {} }]) => [token, properties] as const),
].flatMap(([token, properties]) =>
  Object.entries(properties).map(([key, property]): Property => [`${nameOf(token)}.${key}`, property]),
);

const named = (properties: Property[], is: (property: Property[1]) => boolean) =>
  properties.filter(([, property]) => is(property)).map(([name]) => name);

describe("a secret in the schema", () => {
  it("is each argument whose description says that it is kept as one", () =>
    assert.deepEqual(
      named(inputs, ({ secret }) => secret === true),
      named(inputs, ({ description = "" }) => /kept\s+as\s+a\s+secret/i.test(description)),
    ));

  it("is searched for in all existing components", () =>
    assert.deepEqual(Object.keys(components).sort(), Object.keys(schema.resources).map(nameOf).sort()));

  for (const [name, make] of Object.entries(components)) {
    const outputs = Object.entries(schema.resources[`minicluster:index:${name}`]?.properties ?? {});

    it(`is set for each output of ${name} that is one at run time, and for no other`, async () => {
      await mockEngine();
      const component = make() as unknown as Record<string, pulumi.Output<unknown>>;
      const secrets = await Promise.all(
        outputs.map(async ([key]) => [key, await pulumi.isSecret(component[key]!)] as const),
      );
      await valueOf(pulumi.all(outputs.map(([key]) => component[key])));
      const atRunTime = secrets.filter(([, isSecret]) => isSecret).map(([key]) => key);
      assert.deepEqual(
        named(outputs, ({ description = "" }) => /\ba\s+secret\b/.test(description)),
        atRunTime,
      );
    });
  }

  it("is no output, for the generated code would set an option that components in .NET do not have", () => {
    const outputs = Object.values(schema.resources).flatMap(({ properties }) => Object.entries(properties));
    assert.ok(outputs.every((output: Property) => output[1].secret !== true));
  });
});
