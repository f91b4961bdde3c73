import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

const root = path.resolve(__dirname, "../..");

let made: string | undefined;

/** A directory with the package's provider plugin as an executable. It goes with this process. */
export function pluginDirectory(): string {
  if (made) return made;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-plugin-"));
  // As it is installed: compiled, by the step that precedes the tests.
  const command = [path.join(root, "bin/pulumi-resource-minicluster")];
  writeLauncher(directory, "pulumi-resource-minicluster", command);
  process.once("exit", () => fs.rmSync(directory, { recursive: true, force: true }));
  return (made = directory);
}

/** The package's plugin, as the option `plugins` of a stack. */
export const ownPlugin = () => ({ minicluster: pluginDirectory() });

/** Puts an executable into a directory that runs a command with any arguments. */
export function writeLauncher(directory: string, name: string, command: string[]): void {
  const script = `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`;
  fs.writeFileSync(path.join(directory, name), script, { mode: 0o755 });
}

/** A plugin that runs by itself. Engines attach to it, and start none. */
export interface RunningPlugin {
  /** Name and port, in the format of PULUMI_DEBUG_PROVIDERS. */
  address: string;
  stop: () => void;
}

const stops = new Set<() => void>();
process.once("exit", () => stops.forEach((stop) => stop()));

/** Runs the plugin of a directory until this process ends. The place of relative paths is `cwd`. */
export async function runPlugin(
  name: string,
  directory: string,
  { cwd = directory, env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<RunningPlugin> {
  const executable = path.join(directory, `pulumi-resource-${name}`);
  const child = spawn(executable, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const stop = () => void child.kill();
  stops.add(stop);
  // Neither keeps this process from its end.
  child.unref();
  (child.stdout as unknown as { unref(): void }).unref();
  return { address: `${name}:${port.toString().trim()}`, stop };
}

/** A plugin whose processes can be distinguished from those of other tests. */
export interface WatchedPlugin {
  directory: string;
  /** Ids of those that run. */
  running: () => string[];
  remove: () => void;
}

/** The package's plugin behind an executable that writes down which process it becomes. */
export function watchedPlugin(): WatchedPlugin {
  const inner = pluginDirectory();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-watched-"));
  const name = "pulumi-resource-minicluster";
  const seen = path.join(directory, "seen");
  // exec keeps the id.
  const script = `echo $$ >> "$0"; executable="$1"; shift; exec "$executable" "$@"`;
  writeLauncher(directory, name, ["/bin/sh", "-c", script, seen, path.join(inner, name)]);
  return {
    directory,
    running: () => (fs.existsSync(seen) ? fs.readFileSync(seen, "utf8").trim().split("\n").filter(isRunning) : []),
    remove: () => fs.rmSync(directory, { recursive: true }),
  };
}

/** Whether there is a process that has not ended: of a zombie only the id is left. */
function isRunning(pid: string): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}
