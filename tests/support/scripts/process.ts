import * as assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";

/** How a script ended, and all that it wrote. */
export interface Run {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A script that runs. */
export interface RunningScript {
  process: ChildProcess;
  ended: Promise<Run>;
  /** What it has written so far. */
  output: Readonly<Pick<Run, "stdout" | "stderr">>;
  /** Sends SIGTERM to the script alone, as the kubelet does with the first process of a container. */
  terminate(): void;
  /** Ends it and all that it started, if it still runs. */
  destroy(): void;
}

const patience = 30_000;

const running = new Set<RunningScript>();

/** Ends what tests have left running. */
export function endScripts(): void {
  for (const script of running) script.destroy();
}

/** Starts a program in its own process group. One that takes too long is ended and fails the test with its output. */
export function startScript(
  command: string,
  args: string[],
  { input = "", ...options }: { cwd: string; env: NodeJS.ProcessEnv; input?: string; uid?: number; gid?: number },
): RunningScript {
  const child = spawn(command, args, { ...options, detached: true });
  const destroy = () => {
    // A group is gone with its last process.
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      return;
    }
  };
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdin.on("error", () => undefined).end(input);
  const ended = new Promise<Run>((resolve, reject) => {
    const timer = setTimeout(() => {
      destroy();
      reject(new assert.AssertionError({ message: `no end after ${patience} ms\n${output.stdout}${output.stderr}` }));
    }, patience);
    child.on("error", reject);
    // What the script has left behind may hold its output open: then it is ended like one that takes too long.
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, ...output });
    });
  });
  const script = { process: child, ended, output, terminate: () => void child.kill("SIGTERM"), destroy };
  running.add(script);
  child.on("close", () => running.delete(script));
  return script;
}

/** Waits until something holds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const start = Date.now(); !holds(); await new Promise((resolve) => setTimeout(resolve, 5)))
    if (Date.now() - start > patience) throw new assert.AssertionError({ message: `waited in vain until ${what}` });
}
