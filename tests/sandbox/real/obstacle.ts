import * as fs from "node:fs";
import * as os from "node:os";

/** Bits of Linux capabilities (capability.h) that containers, mounts and bridges cannot do without. */
const capabilities = { CAP_NET_ADMIN: 12, CAP_SYS_ADMIN: 21 };

/** The reason why no real node can run on this machine, in one line; undefined if one can. */
export function realNodesObstacle(): string | undefined {
  if (process.platform !== "linux") return obstacle(`this is ${process.platform}, and containers need Linux`);
  if (!["x64", "arm64"].includes(os.arch())) return obstacle(`they were never tried on ${os.arch()}`);
  if (process.getuid?.() !== 0) return obstacle("only root can start containers; run this again as root");
  for (const [name, bit] of Object.entries(capabilities))
    if (!hasCapability(bit)) return obstacle(`root has no ${name} here, as in a container`);
  if (!hasOverlay()) return obstacle("the kernel has no overlay file system");
  if (!hasWritableCgroups()) return obstacle("there are no control groups with a memory controller to write to");
  return undefined;
}

const obstacle = (reason: string) => `no real nodes: ${reason}`;

function hasCapability(bit: number): boolean {
  const [, effective = "0"] = /^CapEff:\s*([0-9a-f]+)$/m.exec(read("/proc/self/status")) ?? [];
  return ((BigInt(`0x${effective}`) >> BigInt(bit)) & 1n) === 1n;
}

// A kernel that has it as a module lists it once the module is there, which the first mount would load.
function hasOverlay(): boolean {
  return /\boverlay$/m.test(read("/proc/filesystems")) || fs.existsSync(`/lib/modules/${os.release()}`);
}

function hasWritableCgroups(): boolean {
  const [version1, version2] = ["/sys/fs/cgroup/memory", "/sys/fs/cgroup"];
  const found = fs.existsSync(`${version1}/cgroup.procs`)
    ? version1
    : /\bmemory\b/.test(read(`${version2}/cgroup.controllers`)) && version2;
  if (!found) return false;
  const probe = `${found}/minicluster-probe-${process.pid}`;
  try {
    fs.mkdirSync(probe);
    fs.rmdirSync(probe);
    return true;
  } catch {
    return false;
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
