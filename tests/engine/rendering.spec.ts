import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { renderCurveCertificate } from "../../provider/core/parse/curveCertificate";
import type { KubeObject } from "../sandbox/kube";
import { messages, withStack } from "../support/clusters";
import { needlesOf } from "../support/needles";
import { type WatchedPlugin, watchedPlugin } from "../support/plugin";
import { smallArgs, Team, ways } from "../support/remote";

const refusal = 'where the patches of resize "patch" would overwrite the Job and the ConfigMap; set resize: "manifest"';

const certificate = renderCurveCertificate("elsewhere", Buffer.alloc(32, 11));

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
    ["a separate one by package", () => ({ providers: { kubernetes: rendering() } })],
    ["that of its parent", () => ({ parent: new Team("team", { providers: [rendering()] }) })],
    ["that of the stack", () => ({}), true],
  ];

  for (const { way, make } of ways)
    for (const [whose, options, isDefault] of providers)
      it(`comes whole, and is refused with resize by patches, by ${whose}, when it was ${way}`, () =>
        withStack(
          async (stack, namespace) => {
            const program = (args: object) => () =>
              make("demo", smallArgs({ namespace, flux: { curveCert: certificate }, ...args }), options());
            // Only a program that constructs the cluster itself cannot wait for the settings of an explicit provider.
            const isDecided = isDefault || way === "made by the plugin";
            stack.program = program(isDecided ? { resize: "patch" } : {});
            for (const operation of ["preview", "up"] as const)
              await assert.rejects(stack[operation](), (error: Error) => error.message.includes(refusal));
            assert.deepEqual(rendered("Job"), []);

            for (const size of [2, 3]) {
              stack.program = program({ size, ...(!isDecided && { resize: "manifest" }) });
              // No API server judges what is written for a cluster that the provider does not know.
              assert.doesNotMatch(messages(await stack.up(), "info").join(), /API server/);
            }
            const [job, ...others] = rendered("Job").map(({ object }) => object.spec as Record<string, number>);
            assert.deepEqual([job?.["completions"], job?.["parallelism"], others], [3, 3, []]);
            const [config] = rendered("ConfigMap").map(({ object }) => object.data as Record<string, string>);
            assert.equal(config?.["size"], "3");
            assert.ok(config["broker.toml"]);
            const needles = needlesOf(certificate);
            const holders = rendered().filter(({ text }) => needles.some((needle) => text.includes(needle)));
            assert.deepEqual([holders.length, holders], [1, rendered("Secret")]);
          },
          {
            plugins: { minicluster: plugin.directory },
            ...(isDefault && { config: { "kubernetes:renderYamlToDirectory": directory } }),
          },
        ));

  /** What `kubectl apply` would find in the directory. */
  const rendered = (wanted?: string) =>
    fs
      .readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name), "utf8"))
      .map((text) => ({ text, object: parse(text) as KubeObject }))
      .filter(({ object }) => wanted === undefined || object.kind === wanted);
});
