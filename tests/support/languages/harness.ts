import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as yaml from "yaml";

import { EngineCommand } from "../engineCommand";
import { engineEnvironment, engineSetup, makeHome, pluginSettings } from "../engineSetup";
import { ownPlugin, type RunningPlugin, writeLauncher } from "../plugin";
import { type DriverCommand, runDriver } from "./driver";

export type { DriverCommand } from "./driver";

/** A language that a program can be written in. */
export interface LanguageHost {
  /** As in the folders of its examples: hello-<name>. */
  name: string;
  /** Prepares a program. Its driver reads a Request on stdin and writes a line with each OperationOutcome. */
  driver(program: string): Promise<DriverCommand>;
}

/** The work of one run of a driver. */
export interface Request {
  stack: string;
  /** Contains the project file. */
  workDir: string;
  operations: (Operation & { program: string })[];
}

/** One operation of the automation API. */
export interface Operation {
  kind: "up" | "preview" | "destroy";
  /** Folder of the program. Default: that of the stack. */
  program?: string;
  /** Set on the stack before; keys without a namespace belong to the project. In Python, "zones[0]" is in a list. */
  config?: Record<string, string>;
}

/** The outcome of one operation. */
export interface OperationOutcome {
  kind: Operation["kind"];
  ok: boolean;
  /** The engine's text for users, with all properties. */
  text: string;
  /** The engine's messages beside it, of which a driver may give none. */
  messages?: string;
  /** The text of the automation API's error, where there was one. */
  error?: string;
  /** Of the stack after an `up`, secrets in plain text. */
  outputs: Record<string, unknown>;
}

/** Options of a program's stack. */
export interface ProgramOptions {
  kubeconfigPath: string;
  /** Set on the stack before the first operation. */
  config?: Record<string, string>;
  /** Texts of files by their paths: the state is in `.pulumi`, and the project in `project`. */
  files?: Record<string, string>;
  /** Directories of further provider plugins, by name. */
  plugins?: Record<string, string>;
  /** Plugins that run already. Default: none of these. */
  running?: RunningPlugin[];
  /** Name of the project in place of the program's own: a stack is taken over under the name that it has. */
  projectName?: string;
  /** Default: a name that no other has. */
  stackName?: string;
  /** A stack of the same project and name, whose state this one starts with. Default: none. */
  startFrom?: { directory: string; stateDirectory: string };
}

/** A program with a separate stack. */
export interface ProgramUnderTest {
  stackName: string;
  /** Runs operations in one process, which ends with the last of them. */
  run: (...operations: Operation[]) => Promise<OperationOutcome[]>;
}

/** Runs a program with a stack any number of times, and destroys its resources afterwards, however the runs end. */
export async function withProgram<T>(
  host: LanguageHost,
  program: string,
  options: ProgramOptions,
  body: (program: ProgramUnderTest) => Promise<T>,
): Promise<T> {
  const command = await host.driver(program);
  const stack = await prepareStack(program, options);
  let config = options.config;
  let mayExist = options.startFrom !== undefined;
  const run = async (...operations: Operation[]) => {
    const [first, ...others] = operations;
    if (!first) return [];
    // The driver sets the configuration of an operation; the initial configuration is set with the first one.
    const asked = [{ ...first, config: { ...config, ...first.config } }, ...others];
    const all = asked.map((operation) => ({ program, ...operation }));
    config = undefined;
    mayExist ||= all.some(({ kind }) => kind === "up");
    const request: Request = { stack: stack.name, workDir: stack.workDir, operations: all };
    const outcomes = await runDriver(host.name, command, request, stack.environment);
    const last = outcomes.at(-1);
    if (last?.kind === "destroy" && last.ok) mayExist = false;
    return outcomes;
  };
  try {
    return await body({ stackName: stack.name, run });
  } finally {
    // A program that starts from the state of another stack has only previewed its resources.
    if (mayExist && !options.startFrom) await stack.destroy();
    stack.remove();
  }
}

interface PreparedStack {
  name: string;
  workDir: string;
  environment: NodeJS.ProcessEnv;
  /** By the command line, because the driver may be the cause of the failure. */
  destroy(): Promise<void>;
  remove(): void;
}

async function prepareStack(program: string, options: ProgramOptions): Promise<PreparedStack> {
  const setup = await engineSetup();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-program-"));
  const workDir = path.join(directory, "project");
  fs.mkdirSync(workDir);
  const { startFrom, stackName = `test-${randomBytes(4).toString("hex")}` } = options;
  const own = projectFile(program, pluginSettings(setup, { ...options.plugins, ...ownPlugin() }));
  const project = { ...own, name: options.projectName ?? own["name"] };
  fs.writeFileSync(path.join(workDir, "Pulumi.yaml"), yaml.stringify(project));
  if (startFrom) {
    const settings = `Pulumi.${stackName}.yaml`;
    fs.copyFileSync(path.join(startFrom.directory, settings), path.join(workDir, settings));
    fs.cpSync(path.join(startFrom.stateDirectory, ".pulumi"), path.join(directory, ".pulumi"), { recursive: true });
  }
  const bin = path.join(directory, "bin");
  fs.mkdirSync(bin);
  const { KUBECONFIG, ...inherited } = engineEnvironment(directory, options.kubeconfigPath, options.running);
  // The automation API looks for an executable of this name. The variable is for the engine alone: in programs, the SDK
  // of Kubernetes would take it for an argument, which the plugin refuses where it renders files.
  writeLauncher(bin, "pulumi", ["env", `KUBECONFIG=${KUBECONFIG}`, setup.pulumi.path]);
  const environment: NodeJS.ProcessEnv = {
    ...inherited,
    PULUMI_HOME: makeHome(directory),
    PATH: [bin, inherited["PATH"]].join(path.delimiter),
  };
  writeFiles(directory, options.files ?? {});
  const pulumi = new EngineCommand(setup.pulumi.path, setup.pulumi.version, { ...environment, KUBECONFIG });
  return {
    name: stackName,
    workDir,
    environment,
    destroy: async () => {
      // A killed driver leaves its lock.
      await pulumi.run(["cancel", "--yes", "--stack", stackName], workDir, {}).catch(() => undefined);
      await pulumi.run(["destroy", "--yes", "--skip-preview", "--stack", stackName], workDir, {});
    },
    remove: () => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Writes texts into files of a directory, by their paths. */
export function writeFiles(directory: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}

/** The program's own project file, with the plugins of the run instead of the installed ones. */
function projectFile(program: string, plugins: object): Record<string, unknown> {
  const file = path.join(program, "Pulumi.yaml");
  const { name, runtime, config } = yaml.parse(fs.readFileSync(file, "utf8")) as Record<string, unknown>;
  return { name, runtime, ...(config !== undefined && { config }), plugins };
}
