import * as fs from "node:fs";
import * as path from "node:path";

/** The processes whose memory is measured. */
export const memoryOwners = { engine: "engine", plugin: "plugin", kubernetes: "Kubernetes plugin" } as const;

/** The greatest resident set of each in bytes. */
export type Memory = Partial<Record<keyof typeof memoryOwners, number>>;

const intervalMs = 200;

/**
 * Looks at the engine and its plugins, which are children of this process, until it is stopped. Elsewhere than on
 * Linux nothing is seen.
 */
export function watchMemory(): () => Memory {
  const memory: Memory = {};
  const look = () => {
    for (const pid of descendants(process.pid)) {
      const owner = ownerOf(pid);
      if (owner) memory[owner] = Math.max(memory[owner] ?? 0, peakOf(pid));
    }
  };
  const timer = setInterval(look, intervalMs);
  return () => {
    clearInterval(timer);
    return memory;
  };
}

function descendants(pid: number): number[] {
  // A child belongs to the thread that started it.
  const children = list(`/proc/${pid}/task`).flatMap((thread) => read(pid, `task/${thread}/children`).split(" "));
  return children.filter(Boolean).flatMap((child) => [Number(child), ...descendants(Number(child))]);
}

function ownerOf(pid: number): keyof Memory | undefined {
  const [command = "", ...args] = read(pid, "cmdline").split("\0");
  const name = path.basename(command);
  // What a shell or Node.js runs is its first argument; a shell only starts what follows it.
  if (name === "sh") return undefined;
  const program = name === "node" ? (args.find((arg) => !arg.startsWith("-")) ?? "") : command;
  if (path.basename(program) === "pulumi") return "engine";
  if (program.endsWith("pulumi-resource-minicluster")) return "plugin";
  return /kubernetes\/(plugin\.cjs|pulumi-resource-kubernetes)$|pulumi-resource-kubernetes$/.test(program)
    ? "kubernetes"
    : undefined;
}

/** The kernel keeps the peak itself, so that only what happens after the last look is missed. */
export function peakOf(pid: number): number {
  const [, kibibytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(read(pid, "status")) ?? [];
  return Number(kibibytes) * 1024;
}

// A process may have ended since it was seen.

function list(directory: string): string[] {
  try {
    return fs.readdirSync(directory);
  } catch {
    return [];
  }
}

function read(pid: number, file: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
