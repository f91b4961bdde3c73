import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { promisify } from "node:util";

/** A process in a container. */
export interface ContainerProcess {
  pid: number;
  /** Its command line. */
  words: string[];
  /** Its number in the container: 1 is the first. */
  innerPid: number;
}

/** The processes in the control group of a container, the first one first. */
export function containerProcesses(containerId: string): ContainerProcess[] {
  const id = containerId.replace(/^.*:\/\//, "");
  const roots = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory", "/sys/fs/cgroup"];
  const file = roots.map((root) => `${root}/k8s.io/${id}/cgroup.procs`).find((found) => fs.existsSync(found));
  const pids = file === undefined ? [] : read(file).split("\n").filter(Boolean).map(Number);
  return pids.map(describe).sort((a, b) => a.innerPid - b.innerPid);
}

function describe(pid: number): ContainerProcess {
  const words = read(`/proc/${pid}/cmdline`).split("\0").slice(0, -1);
  const inner = /^NSpid:.*\s(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return { pid, words, innerPid: Number(inner ?? Number.MAX_SAFE_INTEGER) };
}

// A process may end between two looks.
function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Runs a program in a container as `kubectl exec` does, as the user of its process, and returns what it prints. */
export async function runInContainer({ pid }: ContainerProcess, words: string[]): Promise<string> {
  const environment = read(`/proc/${pid}/environ`).split("\0").slice(0, -1);
  const { uid, gid } = fs.statSync(`/proc/${pid}`);
  const namespaces = [
    "--mount",
    "--uts",
    "--ipc",
    "--net",
    "--pid",
    "--root",
    "--wd",
    `--setuid=${uid}`,
    `--setgid=${gid}`,
  ];
  const enter = [`--target=${pid}`, ...namespaces, "--", "env", "-i", ...environment];
  const { stdout } = await promisify(execFile)("nsenter", [...enter, ...words], { timeout: 60_000 });
  return stdout;
}
