import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

import type { OperationOutcome, Request } from "./harness";

/** How to start a driver. */
export interface DriverCommand {
  command: string[];
  /** Beside the environment of the engine. */
  environment?: Record<string, string>;
}

// As with the engine itself: whatever becomes of this process, the driver and the engine below it cannot outlive it.
// Standard input has the request, so the pipe is one more.
const killWhenPipeCloses = `
{ read -r _ <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 &
watcher=$!
"$@" 3<&-
code=$?
kill -KILL $watcher
exit $code
`;

/** Runs the operations of a request in one process of a language. */
export async function runDriver(
  language: string,
  { command, environment }: DriverCommand,
  request: Request,
  inherited: NodeJS.ProcessEnv,
  timeoutSeconds: number,
): Promise<OperationOutcome[]> {
  const shell = spawn("/bin/sh", ["-c", killWhenPipeCloses, "driver", ...command], {
    cwd: request.workDir,
    env: { ...inherited, ...environment },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
  const [stdin, stdout, stderr] = [shell.stdin, shell.stdout, shell.stderr] as [Writable, Readable, Readable];
  const lifeline = shell.stdio[3] as Writable;
  // One that has ended before it has read, or was told to end, has a reason that is reported below.
  for (const pipe of [stdin, lifeline]) pipe.on("error", () => undefined);
  stdin.end(JSON.stringify(request));
  const texts = [collect(stdout), collect(stderr)] as const;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    lifeline.end();
  }, timeoutSeconds * 1000);
  const code = await new Promise<number | null>((resolve, reject) => {
    shell.on("close", resolve);
    shell.on("error", reject);
  }).finally(() => clearTimeout(timer));
  const [output, errors] = texts.map((text) => text()) as [string, string];
  const ending = late ? `was killed after ${timeoutSeconds} seconds` : `ended with code ${code}`;
  const outcomes = parseOutcomes(output);
  if (code === 0 && outcomes?.length === request.operations.length) return outcomes;
  throw new Error(`the driver of ${language} ${ending}\n${tail(errors)}\n${tail(output)}`);
}

/** The outcomes, one on a line; undefined where there is anything else. */
function parseOutcomes(output: string): OperationOutcome[] | undefined {
  try {
    return output
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as OperationOutcome);
  } catch {
    return undefined;
  }
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => (text += chunk));
  return () => text;
}

const tail = (text: string) => text.trimEnd().split("\n").slice(-30).join("\n");
