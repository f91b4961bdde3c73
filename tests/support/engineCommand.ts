import { type ChildProcess, spawn } from "node:child_process";

/** The output of a finished command, in the format of the automation API. */
export interface CommandOutput {
  stdout: string;
  stderr: string;
  code: number;
}

/** A command that has failed. */
export class CommandFailure extends Error {
  constructor(readonly output: CommandOutput) {
    super(`pulumi ended with code ${output.code}\n${output.stderr}\n${output.stdout}`);
  }
}

type Listener = (text: string) => void;

// Like the sandbox's own processes the engine cannot outlive this one. It runs in the foreground of the shell because a
// background job of a shell ignores SIGINT, and an interrupted engine is one of the things to test.
const killWhenPipeCloses = `
exec 3<&0
trap : INT
{ read -r _; kill -KILL 0; } <&3 >/dev/null 2>&1 &
watcher=$!
"$@" </dev/null 3<&-
code=$?
kill -KILL $watcher
exit $code
`;

/** Runs the Pulumi CLI for the automation API, and can end it in the middle of an operation. */
export class EngineCommand {
  readonly version: { toString(): string };
  /** Skips the automation API's queries after an `up` (outputs, history): no test reads their results there. */
  skipQueries = false;
  private current: ChildProcess | undefined;

  constructor(
    readonly command: string,
    version: string,
    private readonly baseEnvironment: NodeJS.ProcessEnv,
  ) {
    this.version = { toString: () => version };
  }

  /** The method of `PulumiCommand` that the automation API calls for every command. */
  async run(
    args: string[],
    cwd: string,
    environment: Record<string, string>,
    onOutput?: Listener,
    onError?: Listener,
  ): Promise<CommandOutput> {
    if (this.skipQueries && isQuery(args)) return { stdout: "{}", stderr: "", code: 0 };
    const env = { ...this.baseEnvironment, ...environment, PULUMI_AUTOMATION_API: "true" };
    // First, because the arguments may end with values that follow a "--".
    const all = ["--non-interactive", ...args];
    const shell = spawn("/bin/sh", ["-c", killWhenPipeCloses, "engine", this.command, ...all], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    shell.stdin.on("error", () => undefined); // Closing the pipe of an engine that has just ended is no failure.
    this.current = shell;
    const stdout = collect(shell.stdout, onOutput);
    const stderr = collect(shell.stderr, onError);
    const code = await new Promise<number>((resolve, reject) => {
      shell.on("close", (status, signal) => resolve(status ?? (signal ? 137 : 1)));
      shell.on("error", reject);
    });
    const output = { stdout: stdout(), stderr: stderr(), code };
    if (code !== 0) throw new CommandFailure(output);
    return output;
  }

  /** Ctrl-C: the engine cancels the providers, waits for operations in progress, and ends. */
  interrupt(): void {
    if (this.current?.pid && this.current.exitCode === null) process.kill(-this.current.pid, "SIGINT");
  }

  /** Like a power failure: nothing more is saved, and the stack's lock stays. */
  kill(): void {
    this.current?.stdin?.end();
  }
}

function isQuery(args: string[]): boolean {
  return args[0] === "stack" && (args[1] === "history" || args[1] === "output");
}

function collect(stream: NodeJS.ReadableStream, listener: Listener | undefined): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    text += chunk;
    listener?.(chunk);
  });
  return () => text;
}
