import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { withStack } from "../support/clusters";
import { type WatchedPlugin, watchedPlugin } from "../support/plugin";
import { smallArgs, Team, ways } from "../support/remote";

const refusal = 'where the patches of resize "patch" would overwrite the Job and the ConfigMap; set resize: "manifest"';

describe("A cluster whose YAML is written to files", () => {
  let directory: string;
  let plugin: WatchedPlugin;
  before(() => (plugin = watchedPlugin()));
  after(() => plugin.remove());
  beforeEach(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-yaml-"))));
  afterEach(() => fs.rmSync(directory, { recursive: true }));

  const rendering = () => new kubernetes.Provider("yaml", { renderYamlToDirectory: pulumi.output(directory) });
  const providers: [whose: string, options: () => pulumi.ComponentResourceOptions, isDefault?: boolean][] = [
    ["its own", () => ({ provider: rendering() })],
    ["one of its own by package", () => ({ providers: { kubernetes: rendering() } })],
    ["that of its parent", () => ({ parent: new Team("team", { providers: [rendering()] }) })],
    ["that of the stack", () => ({}), true],
  ];

  for (const { way, make } of ways)
    for (const [whose, options, isDefault] of providers)
      it(`is refused, by ${whose}, and comes with resize by manifest when it was ${way}`, () =>
        withStack(
          async (stack, namespace) => {
            const program = (args: object) => () => {
              make("demo", smallArgs({ namespace, ...args }), options());
              return Promise.resolve({});
            };
            stack.program = program({});
            for (const operation of ["preview", "up"] as const)
              await assert.rejects(stack[operation](), (error: Error) => error.message.includes(refusal));
            assert.ok(!files().some((file) => file.includes("job")));

            stack.program = program({ resize: "manifest" });
            await stack.up();
            assert.equal(files().filter((file) => file.includes("job")).length, 1);
          },
          {
            plugins: { minicluster: plugin.directory },
            ...(isDefault && { config: { "kubernetes:renderYamlToDirectory": directory } }),
          },
        ));

  const files = () =>
    fs
      .readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);

  for (const { way, make } of ways)
    it(`is another than one by a provider of its own that speaks to a cluster, which was ${way}`, () =>
      withStack(
        async (stack, namespace) => {
          stack.program = () => {
            make("demo", smallArgs({ namespace }), { provider: new kubernetes.Provider("live") });
            return Promise.resolve({});
          };
          await stack.up();
        },
        { plugins: { minicluster: plugin.directory } },
      ));
});
