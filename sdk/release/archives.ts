import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

/** The name of the plugin, which Pulumi requires at the root of an archive. */
const plugin = "pulumi-resource-minicluster";

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };
const architectures: Record<string, string> = { x64: "amd64", arm64: "arm64" };

/** Name of the archive for a machine, as Pulumi requests it. */
export function archiveName(version: string, platform: NodeJS.Platform, arch: string): string {
  const [system, processor] = [platforms[platform], architectures[arch]];
  if (system === undefined || processor === undefined)
    throw new Error(`Pulumi has no plugins for ${platform} on ${arch}`);
  return `${plugin}-v${version}-${system}-${processor}.tar.gz`;
}

/** Name of the executable in the archive for a machine. */
export const executableName = (platform: NodeJS.Platform) => (platform === "win32" ? `${plugin}.exe` : plugin);

/** An archive with some files at its root. */
export function writeArchive(file: string, files: string[]): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-archive-"));
  try {
    for (const each of files) fs.copyFileSync(each, path.join(folder, path.basename(each)));
    run("tar", ["-czf", path.resolve(file), ...files.map((each) => path.basename(each))], folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Name of the file with the checksums of the others. */
export const sums = "SHA256SUMS";

/** SHA-256 of every file of a folder, in the format of sha256sum. */
export const checksums = (folder: string): string =>
  fs
    .readdirSync(folder)
    .filter((file) => file !== sums)
    .sort()
    .map(
      (file) =>
        `${createHash("sha256")
          .update(fs.readFileSync(path.join(folder, file)))
          .digest("hex")}  ${file}\n`,
    )
    .join("");

// Node.js searches its own executable for this text to find an embedded program.
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * The plugin as one executable for this machine, which embeds the running Node.js, so that a user needs none. It can only be built
 * on the machine type that it is for.
 */
export function writeExecutable(script: string, folder: string): string {
  const executable = path.join(folder, executableName(process.platform));
  const main = path.join(folder, "plugin.cjs");
  const output = path.join(folder, "plugin.blob");
  const settings = path.join(folder, "sea.json");
  fs.writeFileSync(main, fs.readFileSync(script, "utf8").replace(/^#!.*\n/, ""));
  fs.writeFileSync(settings, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, useCodeCache: true }));
  run(process.execPath, ["--experimental-sea-config", settings], folder);
  fs.copyFileSync(process.execPath, executable);
  fs.chmodSync(executable, 0o755);
  const isMac = process.platform === "darwin";
  // The signature would be invalid after the change.
  if (isMac) run("codesign", ["--remove-signature", executable], folder);
  const flags = [
    "NODE_SEA_BLOB",
    output,
    "--sentinel-fuse",
    fuse,
    ...(isMac ? ["--macho-segment-name", "NODE_SEA"] : []),
  ];
  run(process.execPath, [require.resolve("postject/dist/cli.js"), executable, ...flags], folder);
  if (isMac) run("codesign", ["--sign", "-", executable], folder);
  return executable;
}

export function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 26 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with status ${status}\n${stdout}${stderr}`);
  return stdout;
}
