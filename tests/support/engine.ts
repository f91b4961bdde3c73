import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import * as pulumi from "@pulumi/pulumi";
import * as automation from "@pulumi/pulumi/automation";
import * as settings from "@pulumi/pulumi/runtime/settings";

import { EngineCommand } from "./engineCommand";
import { EventCollector, OperationError, type OperationResult } from "./engineResult";
import { engineEnvironment, engineSetup, makeHome, pluginSettings } from "./engineSetup";
import type { RunningPlugin } from "./plugin";
import { secretsProvider } from "./vault";

export { type Diagnostic, OperationError, type OperationResult, type Step, unknownValue } from "./engineResult";

// One process of tests connects to many engines, and the system reuses the ports of ended ones. gRPC pools
// connections by address, so the new engine would be UNAVAILABLE while the old one's connection waits for its next
// attempt.
const { grpcClientOptions } = settings as unknown as { grpcClientOptions: Record<string, unknown> };
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

/** The program of a stack. It may return outputs, now or later; a resource is not an output. */
export type Program = () => unknown;

/** Options of a stack. */
export interface StackOptions {
  program: Program;
  /** Default: minicluster-tests. */
  projectName?: string;
  /** Default: a name that no other test has. */
  stackName?: string;
  /** The cluster of the default Kubernetes provider. Default: none, and never the user's own. */
  kubeconfigPath?: string;
  /** Keys without a namespace belong to the project. */
  config?: Record<string, string>;
  /** A stack that this one may refer to: both keep their state in one place. Default: none. */
  beside?: TestStack;
  /** Provider plugins beside those of the run: the directory that holds each one's executable, by name. */
  plugins?: Record<string, string>;
  /** Plugins to which the engine attaches, and of which it starts none. */
  running?: RunningPlugin[];
}

/** Options of one operation. */
export interface OperationOptions {
  /** Show property differences in the text. */
  diff?: boolean;
  refresh?: boolean;
  /** URNs to replace. */
  replace?: string[];
  /** Colours of that text. Default: none. */
  color?: "always" | "never";
  /** Receives the text for users as it is written. */
  onText?: (text: string) => void;
  /** Receives each engine event as it happens. */
  onEvent?: (event: automation.EngineEvent) => void;
}

export type Operation = "preview" | "up" | "refresh" | "destroy";

/** An operation that has been started. */
export interface RunningOperation {
  /** Its outcome; rejects with an OperationError when it fails. */
  result: Promise<OperationResult>;
  /** Ctrl-C; resolves when the engine has shut down, with the result until then. */
  interrupt(): Promise<OperationResult>;
  /** SIGKILL; resolves when the engine is gone and the stack unlocked, with the result until then. */
  kill(): Promise<OperationResult>;
}

const temporaryDirectories = new Set<string>();
process.once("exit", () => temporaryDirectories.forEach((directory) => removeDirectory(directory)));

/** Creates an empty stack, in a separate state directory. */
export async function createStack(options: StackOptions): Promise<TestStack> {
  const setup = await engineSetup();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-stack-"));
  temporaryDirectories.add(directory);
  const projectName = options.projectName ?? "minicluster-tests";
  const stackName = options.stackName ?? `test-${randomBytes(4).toString("hex")}`;
  const stateDirectory = options.beside?.stateDirectory ?? directory;
  const environment = engineEnvironment(stateDirectory, options.kubeconfigPath, options.running);
  const command = new EngineCommand(setup.pulumi.path, setup.pulumi.version, environment);
  const plugins = pluginSettings(setup, options.plugins);
  const stack = await automation.LocalWorkspace.createStack(
    { projectName, stackName, program: () => Promise.resolve() },
    {
      workDir: directory,
      pulumiHome: makeHome(directory),
      secretsProvider: secretsProvider(),
      // The automation API declares a class with a private constructor, and uses what EngineCommand has.
      pulumiCommand: command as unknown as automation.PulumiCommand,
      // `plugins` is missing from the type; the engine reads it from the project file.
      projectSettings: { name: projectName, runtime: "nodejs", plugins } as automation.ProjectSettings,
      stackSettings: { [stackName]: { config: withNamespaces(options.config ?? {}, projectName) } },
    },
  );
  return new TestStack(stack, command, { directory, stateDirectory }, options.program, projectName);
}

/** A stack whose program can be swapped between operations. */
export class TestStack {
  private programEnded = Promise.resolve();

  constructor(
    private readonly stack: automation.Stack,
    private readonly command: EngineCommand,
    private readonly directories: { directory: string; stateDirectory: string },
    /** The program of the next operation. */
    public program: Program,
    private readonly projectName: string,
  ) {}

  get directory(): string {
    return this.directories.directory;
  }

  /** Holds the state, of other stacks as well, where they may refer to each other. */
  get stateDirectory(): string {
    return this.directories.stateDirectory;
  }

  get name(): string {
    return this.stack.name;
  }

  get statePath(): string {
    return path.join(this.stateDirectory, ".pulumi", "stacks", this.projectName, `${this.name}.json`);
  }

  readonly preview = (options?: OperationOptions) => this.start("preview", options).result;
  readonly up = (options?: OperationOptions) => this.start("up", options).result;
  readonly refresh = (options?: OperationOptions) => this.start("refresh", options).result;
  readonly destroy = (options?: OperationOptions) => this.start("destroy", options).result;

  /** Starts an operation, which can be interrupted or killed. */
  start(operation: Operation, options: OperationOptions = {}): RunningOperation {
    const events = new EventCollector();
    const texts = { stdout: "", stderr: "" };
    const started = Date.now();
    const seen = () => events.result({ ...texts, durationMs: Date.now() - started });
    const done = this.execute(operation, options, events, texts);
    const result = done.then(seen, (error: unknown) => {
      throw new OperationError(operation, seen(), error);
    });
    const afterEnd = result.then(
      () => this.programEnded,
      () => this.programEnded,
    );
    const interrupt = async () => {
      this.command.interrupt();
      await afterEnd;
      return seen();
    };
    const kill = async () => {
      this.command.kill();
      await afterEnd;
      await this.stack.cancel();
      return seen();
    };
    return { result, interrupt, kill };
  }

  /** Sets a value of the stack's configuration; a key without a namespace belongs to the project. */
  async setConfig(key: string, value: string, secret = false): Promise<void> {
    await this.stack.setConfig(key, { value, secret });
  }

  /** Outputs of the stack, secrets in plain text. */
  outputs(): Promise<automation.OutputMap> {
    return this.stack.outputs();
  }

  /** The state in the format of `pulumi stack export`. */
  async exportState(): Promise<{ resources?: Record<string, unknown>[] }> {
    const { deployment } = (await this.stack.exportStack()) as { deployment: object };
    return deployment;
  }

  /** Removes the stack and its files. Existing resources stay. */
  dispose(): void {
    temporaryDirectories.delete(this.directory);
    removeDirectory(this.directory);
  }

  private async execute(
    operation: Operation,
    options: OperationOptions,
    events: EventCollector,
    texts: { stdout: string; stderr: string },
  ): Promise<void> {
    const { onEvent, onText, color = "never", ...flags } = options;
    this.stack.workspace.program = this.watched(this.program);
    const common = {
      ...flags,
      color,
      onOutput: (text: string) => {
        texts.stdout += text;
        onText?.(text);
      },
      // A preview with differences writes the diagnostics there.
      onError: (text: string) => {
        texts.stderr += text;
        onText?.(text);
      },
      onEvent: (event: automation.EngineEvent) => {
        events.add(event);
        onEvent?.(event);
      },
    };
    this.command.skipQueries = true;
    try {
      await this.stack[operation](common);
    } finally {
      this.command.skipQueries = false;
    }
  }

  // A program outlives a killed engine, in this process. Its later errors would be attributed to another operation,
  // so a test that ends an engine early also waits for its program.
  private watched(program: Program): automation.PulumiFn {
    let ended: () => void = () => undefined;
    return async () => {
      this.programEnded = new Promise((resolve) => (ended = resolve));
      try {
        const outputs = await program();
        return pulumi.Resource.isInstance(outputs) ? {} : (outputs as Record<string, unknown> | undefined);
      } finally {
        setTimeout(ended, 50);
      }
    };
  }
}

function withNamespaces(config: Record<string, string>, projectName: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.includes(":") ? key : `${projectName}:${key}`, value]),
  );
}

function removeDirectory(directory: string): void {
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}
