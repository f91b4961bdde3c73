import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

import type { OperationOutcome, Request } from "./harness";

/** How to start a driver. */
export interface DriverCommand {
  command: string[];
  /** Beside the environment of the engine. */
  environment?: Record<string, string>;
}

// As for the engine itself: the driver and the engine below it cannot outlive this process, however it ends.
const killWhenPipeCloses = `
{ read -r _ <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 &
watcher=$!
"$@" 3<&-
code=$?
kill -KILL $watcher
exit $code
`;

/** Seconds that one operation may take. */
const patience = 100;

/** Runs the operations of a request in one process of a language. */
export async function runDriver(
  language: string,
  { command, environment }: DriverCommand,
  request: Request,
  inherited: NodeJS.ProcessEnv,
): Promise<OperationOutcome[]> {
  const shell = spawn("/bin/sh", ["-c", killWhenPipeCloses, "driver", ...command], {
    cwd: request.workDir,
    env: { ...inherited, ...environment },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
  const [stdin, stdout, stderr] = [shell.stdin, shell.stdout, shell.stderr] as [Writable, Readable, Readable];
  const lifeline = shell.stdio[3] as Writable;
  // One that has ended before it has read, or was ended, has a reason that is reported below.
  for (const pipe of [stdin, lifeline]) pipe.on("error", () => undefined);
  stdin.end(JSON.stringify(request));
  const timer = setTimeout(() => lifeline.end(), patience * request.operations.length * 1000);
  const texts = [stdout, stderr].map((stream) => stream.setEncoding("utf8").toArray() as Promise<string[]>);
  const [code] = (await once(shell, "close").finally(() => clearTimeout(timer))) as [number | null];
  const [output = "", errors = ""] = (await Promise.all(texts)).map((chunks) => chunks.join(""));
  const outcomes = output.split("\n").filter((line) => line.startsWith("{"));
  if (code === 0 && outcomes.length === request.operations.length)
    return outcomes.map((line) => JSON.parse(line) as OperationOutcome);
  // A driver that exceeds its time is killed.
  throw new Error(`the driver of ${language} ended with code ${code}\n${tail(errors)}\n${tail(output)}`);
}

const tail = (text: string) => text.trimEnd().split("\n").slice(-30).join("\n");
