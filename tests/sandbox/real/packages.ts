import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { promisify } from "node:util";

import { findOnPath } from "../build/binaries";

/** What real nodes need of the system to build and to run, each with a file that shows whether it is installed. */
const needs: { debian: string; isThere: () => boolean }[] = [
  { debian: "gcc", isThere: onPath("gcc") },
  { debian: "libc6-dev", isThere: () => fs.existsSync("/usr/include/stdlib.h") },
  { debian: "pkg-config", isThere: onPath("pkg-config") },
  { debian: "libseccomp-dev", isThere: () => fs.existsSync("/usr/include/seccomp.h") },
  { debian: "mmdebstrap", isThere: onPath("mmdebstrap") },
  { debian: "debian-archive-keyring", isThere: () => fs.existsSync("/usr/share/keyrings/debian-archive-keyring.gpg") },
  { debian: "iproute2", isThere: onPath("ip") },
  { debian: "util-linux", isThere: () => ["unshare", "nsenter", "setpriv"].every((name) => onPath(name)()) },
];

function onPath(name: string) {
  return () => findOnPath(name) !== undefined;
}

const run = promisify(execFile);

/** Installs what is missing. Where that cannot be done, the error names it. */
export async function installPackages(): Promise<void> {
  const missing = needs.filter(({ isThere }) => !isThere()).map(({ debian }) => debian);
  if (missing.length === 0) return;
  const names = missing.join(" ");
  if (!findOnPath("apt-get"))
    throw new Error(`real nodes need these packages, by their names in Debian, and there is no apt-get: ${names}`);
  process.stderr.write(`sandbox: installing ${names}\n`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, maxBuffer: 2 ** 26 };
  const wait = ["-o", "DPkg::Lock::Timeout=300", "-qq"];
  try {
    await run("apt-get", ["update", ...wait], options);
    await run("apt-get", ["install", "--yes", "--no-install-recommends", ...wait, ...missing], options);
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Error(`could not install ${names}, which real nodes need:\n${stderr ?? ""}`, { cause: error });
  }
}
