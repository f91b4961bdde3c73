import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";

/** A running component of the sandbox. */
export interface SupervisedProcess {
  name: string;
  /** Resolves once it is gone, with the end of its log: wanted or not. */
  exited: Promise<string>;
  /** Kills it and waits until it has ended. Its data is temporary, so no clean shutdown is needed. */
  stop(): Promise<void>;
}

// The shell holds the reading end of a pipe whose other end only this Node process has. However this process ends,
// even by SIGKILL, the kernel closes its end, `read` returns, and the component is killed. A stop uses the same
// mechanism.
const killWhenPipeCloses = `
exec 3<&0
"$@" </dev/null 3<&- &
component=$!
{ read -r _; kill -KILL $component; } <&3 &
watcher=$!
wait $component
code=$?
kill -KILL $watcher 2>/dev/null
exit $code
`;

// Control groups outlive their processes. A node's own state says which were its containers'; they go when they are
// empty.
const removeWhenPipeCloses = `
read -r _
directory=$1 bridge=$2 ids=
removeGroups() {
  for id in "$directory"/*/state/io.containerd.runtime.v2.task/k8s.io/*; do
    [ ! -d "$id" ] || ids="$ids \${id##*/}"
  done
  for id in $ids; do
    for group in /sys/fs/cgroup/k8s.io/"$id" /sys/fs/cgroup/*/k8s.io/"$id"; do
      [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} + || left=yes
    done
  done
}
attempt=0
while [ $((attempt += 1)) -le 200 ]; do
  sleep 0.05
  left=
  if [ -n "$bridge" ]; then
    removeGroups
    [ ! -e "/sys/class/net/$bridge" ] || ip link delete "$bridge" || left=yes
  fi
  rm -rf "$directory" || left=yes
  [ -n "$left" ] || break
done
[ -z "$bridge" ] || rmdir /sys/fs/cgroup/k8s.io /sys/fs/cgroup/*/k8s.io
`;

/** Starts a command that cannot outlive this process; both its output streams go to `logPath`. */
export function startProcess(name: string, command: string[], logPath: string): SupervisedProcess {
  const log = fs.openSync(logPath, "a");
  // A separate session keeps a terminal's Ctrl-C from reaching it before this process has decided what to do.
  const shell = spawn("/bin/sh", ["-c", killWhenPipeCloses, name, ...command], {
    stdio: ["pipe", log, log],
    detached: true,
  });
  fs.closeSync(log);
  const gone = whenGone(shell);
  return {
    name,
    exited: gone.then(() => readTail(logPath)),
    stop: () => closePipe(shell, gone),
  };
}

/** Resources of a sandbox that outlive its processes. */
export interface Leftovers {
  directory: string;
  /** The bridge of real nodes, which keep their state in the directory. */
  bridge?: string;
}

/** Removes the rest when this process ends, or earlier on request. */
export function startJanitor({ directory, bridge = "" }: Leftovers): { clean(): Promise<void> } {
  const shell = spawn("/bin/sh", ["-c", removeWhenPipeCloses, "janitor", directory, bridge], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const gone = whenGone(shell);
  return { clean: () => closePipe(shell, gone) };
}

async function closePipe(shell: ChildProcess, gone: Promise<void>): Promise<void> {
  shell.stdin?.on("error", () => undefined); // It may be gone already, which is what is wanted.
  shell.stdin?.end();
  await gone;
}

function whenGone(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
}

function readTail(logPath: string): string {
  try {
    return fs.readFileSync(logPath, "utf8").trimEnd().split("\n").slice(-15).join("\n");
  } catch {
    return "";
  }
}
