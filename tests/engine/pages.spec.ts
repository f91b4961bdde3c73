import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import * as minicluster from "../../provider";
import { runClouds } from "../support/clouds";
import { createStack, type TestStack } from "../support/engine";
import { standInCertificate } from "../support/everything";
import { fences, runProgram } from "../support/fences";
import { aRoot } from "../support/fixtures";
import { pagesInGo } from "../support/languages/go";
import { type LanguageHost, type OperationOutcome, withProgram, writeFiles } from "../support/languages/harness";
import { readText } from "../support/languages/previewText";
import { python } from "../support/languages/python";
import { yaml } from "../support/languages/yaml";
import { pagePrograms, writeFolders } from "../support/pagePrograms";
import { createPlaces } from "../support/existingPlaces";
import { pluginDirectory, type RunningPlugin, runPlugin } from "../support/plugin";
import { sharedCluster } from "../support/sandboxHooks";

/** What the programs read from the configuration of their stack. */
const config = { "aws:region": "us-east-1", "gcp:project": "physics" };
const secrets = { licence: "secret", curveCert: standInCertificate };

/** The state of another stack that programs refer to, in the organization that a backend of files has. */
const outputs = { burst: aRoot() };
const referred = {
  ".pulumi/meta.yaml": "version: 1\n",
  ".pulumi/stacks/home/prod.json": JSON.stringify({
    version: 3,
    checkpoint: {
      stack: "organization/home/prod",
      latest: {
        manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
        resources: [
          {
            urn: "urn:pulumi:prod::home::pulumi:pulumi:Stack::home-prod",
            custom: false,
            type: "pulumi:pulumi:Stack",
            outputs,
          },
        ],
      },
    },
  }),
};

/** The word for what a user has to do about a warning. */
const remedy = /\b(set|install|add|create|correct|enable|raise|remove|use) /;

// eslint-disable-next-line @typescript-eslint/no-require-imports
const load = (name: string): unknown => (name === "pulumi-minicluster" ? minicluster : require(name));

describe("A program on a page", () => {
  const programs = pagePrograms("organization");
  const manifest = fences().find(({ language, text }) => language === "yaml" && text.includes("kind: MiniCluster"));
  const options = { projectName: "page", stackName: "dev" };
  const workingDirectory = process.cwd();
  const kubeconfig = process.env["KUBECONFIG"];
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-pages-"));
  const hosts: { host: LanguageHost; folders: string[] }[] = [];
  let kubeconfigPath: string;
  /** Plugins for all previews, whose start would take longer than most of them. */
  let running: RunningPlugin[] = [];
  /** A preview leaves nothing, so all programs have one stack. */
  let stack: TestStack;
  let removePlaces: () => Promise<void>;

  before(async function () {
    // The first time on a machine, it compiles Pulumi's SDKs and the host of YAML.
    this.timeout(1_200_000);
    fs.writeFileSync(path.join(directory, "minicluster.yaml"), manifest?.text ?? "");
    kubeconfigPath = withContexts(sharedCluster().kubeconfigPath, ["cloud", "research", "gke", "eks"]);
    removePlaces = await createPlaces(sharedCluster().kube);
    const clouds = await runClouds();
    // Functions of the plugin read this kubeconfig, and ask the plugins of the clouds themselves.
    const env = {
      ...process.env,
      KUBECONFIG: kubeconfigPath,
      PULUMI_DEBUG_PROVIDERS: clouds.map(({ address }) => address).join(","),
    };
    running = [await runPlugin("minicluster", pluginDirectory(), { cwd: directory, env }), ...clouds];
    stack = await createStack({ ...options, kubeconfigPath, running, config, program: () => undefined });
    for (const [key, value] of Object.entries(secrets)) await stack.setConfig(key, value, true);
    writeFiles(stack.stateDirectory, referred);
    const go = await pagesInGo(programs.map((program) => program.go));
    for (const host of [python, go, yaml]) {
      const folders = writeFolders(directory, programs, host.name as "python" | "go" | "yaml");
      await host.driver(folders[0] ?? "");
      hosts.push({ host, folders });
    }
    process.chdir(directory);
  });
  after(async () => {
    await removePlaces();
    process.chdir(workingDirectory);
    if (kubeconfig === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = kubeconfig;
    running.forEach(({ stop }) => stop());
    stack.dispose();
    fs.rmSync(directory, { recursive: true });
  });

  /** A kubeconfig in which the contexts that programs name lead to the same cluster. */
  function withContexts(file: string, names: string[]): string {
    const given = parse(fs.readFileSync(file, "utf8")) as { contexts: { context: object }[] };
    const contexts = names.map((name) => ({ name, context: given.contexts[0]?.context }));
    const target = path.join(directory, "kubeconfig");
    fs.writeFileSync(target, stringify({ ...given, contexts: [...given.contexts, ...contexts] }));
    return target;
  }

  const isOfProgram = (line: string) => !/^version:/.test(line);
  // Values are aligned by the longest name beside them.
  const unaligned = (line: string) => line.replace(/^(\S+) +:/, "$1:");

  /** What a preview shows of each resource, but for what the engine makes up and for look-ups in other languages. */
  const readSteps = (text: string) =>
    readText(text.replaceAll(/(?<=["/][\w-]*)[0-9a-f]{7,8}(?=["/])/g, "x"))
      .steps.filter(({ op, urn }) => op !== "read" && !/:providers:aws::.*-price-list$/.test(urn))
      .map(({ lines, ...step }) => ({ ...step, lines: lines.map(unaligned).filter(isOfProgram) }));

  async function previewInTypeScript(text: string) {
    stack.program = () => runProgram(text, load);
    // With it the program can read the API server. The SDK for TypeScript also sets it in an explicit provider.
    process.env["KUBECONFIG"] = /\bnew \w+\.Provider\(/.test(text) ? "" : kubeconfigPath;
    const { stdout, diagnostics } = await stack.preview({ diff: true });
    // The Kubernetes provider warns at its own resources, below the component.
    const isOurs = (urn = "") => /(?:::|\$)minicluster:index:\w+::[^$]*$/.test(urn);
    const ours = diagnostics.filter(({ severity, urn }) => severity === "warning" && isOurs(urn));
    assert.deepEqual(
      ours.map(({ message }) => message).filter((message) => !remedy.test(message)),
      [],
    );
    return readSteps(stdout);
  }

  /** The outcomes of several programs, of one process of the language. */
  async function previewIn(host: LanguageHost, folders: string[]): Promise<OperationOutcome[]> {
    const files = { "project/minicluster.yaml": manifest?.text ?? "" };
    const started = { ...options, kubeconfigPath, running, files, startFrom: stack };
    const operations = folders.map((program) => ({ kind: "preview" as const, program }));
    return withProgram(host, folders[0] ?? "", started, ({ run }) => run(...operations));
  }

  // One process of a language previews a group, which shares its start. A group that fails is tried again by itself.
  const groupSize = 10;
  for (let first = 0; first < programs.length; first += groupSize) {
    const group = programs.slice(first, first + groupSize);
    const places = group.map(({ place }) => place);
    it(`has the same preview in TypeScript, Python, Go and YAML: ${places.join(", ")}`, async function () {
      // Forty previews, while other tests share the processors.
      this.timeout(1_200_000);
      const expected: ReturnType<typeof readSteps>[] = [];
      for (const { typescript } of group) expected.push(await previewInTypeScript(typescript));
      for (const { host, folders } of hosts) {
        const outcomes = await previewIn(host, folders.slice(first, first + groupSize));
        for (const [index, { ok, error, text }] of outcomes.entries()) {
          const program = `${host.name}, ${places[index]}`;
          assert.ok(ok, `${program}: ${error}`);
          assert.deepEqual({ program, steps: readSteps(text) }, { program, steps: expected[index] });
        }
      }
      assert.ok(expected.every((steps) => steps.length > 1));
    });
  }
});
