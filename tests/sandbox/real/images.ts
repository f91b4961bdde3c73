import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";

import { report, withProgress } from "../build/binaries";
import { withBuildLock } from "../build/lock";
import { cacheDirectory } from "../build/cacheDirectory";
import { moduleKey, nodeModules } from "../build/modules";
import type { NodeBinaries } from "./binaries";
import { inDirectory, renameArchive, writeArchive } from "./ociArchive";

const run = promisify(execFile);

/** Images that every real node has. None is in a registry. */
export const imageNames = {
  /** A small Debian with bash and the core utilities, for users' containers. */
  base: "sandbox.local/base:1",
  /** The Flux view: /opt/view with a stand-in of flux, or a real view that MINICLUSTER_FLUX_VIEW names. */
  view: "sandbox.local/flux-view:1",
  pause: "sandbox.local/pause:1",
};

/** Names of registries that the nodes have for these images too, so that programs on pages run unchanged. */
export const publishedNames: [image: string, ...names: string[]][] = [
  [imageNames.base, "docker.io/library/ubuntu:noble", "ghcr.io/converged-computing/metric-lammps:latest"],
  [imageNames.view, ...["tag", "arm"].map((tag) => `ghcr.io/converged-computing/flux-view-ubuntu:${tag}-noble`)],
];

/** Leads to a real Flux view: an OCI archive with one image, or a directory with what is to be in one. */
export const viewVariable = "MINICLUSTER_FLUX_VIEW";

const suite = "bookworm";
const packages = "base-files bash coreutils dash findutils grep hostname libc-bin python3 sed".split(" ");
const unneeded = ["./usr/share/doc", "./usr/share/man", "./usr/share/locale", "./var/cache", "./var/lib/apt", "./dev"];

// The programs of real views are links into /opt/software, which is mounted as well.
const viewFiles = ["opt/view/bin/flux", "opt/software/flux/bin/flux"];

/** Stand-in of Flux's Python bindings, for the programs that run beside Flux, and where the view has it. */
const bindings = path.join(__dirname, "../../support/fluxPython/flux");
const bindingsDirectory = "opt/software/flux/python/flux";

/** Archives to be imported into each node, made on first use. */
export async function imageArchives(binaries: NodeBinaries): Promise<string[]> {
  const directory = path.join(cacheDirectory(), "images");
  fs.mkdirSync(directory, { recursive: true });
  const rootKey = keyOf([suite, packages, unneeded, os.arch()]);
  const root = path.join(directory, `base-${rootKey}.tar`);
  const given = process.env[viewVariable];
  // A node that has had another image under the name of the view does not find the second one as a volume.
  const kind = given ? "without-view" : "images";
  const contents = [
    rootKey,
    moduleKey(nodeModules.pods),
    viewFiles,
    bindingFiles().map(([, file]) => fs.readFileSync(file, "utf8")),
  ];
  const ours = path.join(directory, `${kind}-${keyOf(contents)}.tar`);
  if (!fs.existsSync(root) || !fs.existsSync(ours)) {
    await withBuildLock(path.join(cacheDirectory(), "build.lock"), report, async () => {
      if (!fs.existsSync(root)) await withProgress("making the root file system of containers", () => makeRoot(root));
      if (!fs.existsSync(ours)) await makeImages(binaries, root, ours, !given);
    });
  }
  return given ? [ours, await realView(path.resolve(given), root, directory)] : [ours];
}

async function makeRoot(target: string): Promise<void> {
  await inDirectory(async (directory) => {
    const tree = path.join(directory, "root");
    // Where /bin is a link to /usr/bin, as in every image of today.
    const merged = "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr";
    await run("mmdebstrap", ["--quiet", "--variant=extract", merged, `--include=${packages.join(",")}`, suite, tree]);
    const etc = path.join(tree, "etc");
    fs.writeFileSync(path.join(etc, "passwd"), "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n");
    fs.writeFileSync(path.join(etc, "group"), "root:x:0:\nnogroup:x:65534:\n");
    fs.writeFileSync(path.join(etc, "nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files dns\n");
    await packTree(tree, target, unneeded);
  });
}

async function makeImages({ pause, flux }: NodeBinaries, root: string, target: string, hasView: boolean) {
  await inDirectory(async (directory) => {
    const [pauseLayer, viewLayer] = [path.join(directory, "pause.tar"), path.join(directory, "view.tar")];
    await packFiles({ pause }, pauseLayer);
    const programs = viewFiles.map((file) => [file, flux] as const);
    await packFiles(Object.fromEntries([...programs, ...bindingFiles()]), viewLayer);
    await writeArchive(
      [
        { name: imageNames.base, layers: [root] },
        ...(hasView ? [{ name: imageNames.view, layers: [root, viewLayer] }] : []),
        { name: imageNames.pause, layers: [pauseLayer], entrypoint: ["/pause"] },
      ],
      target,
    );
  });
}

/** The files of the bindings: where they are in the image, and here. */
const bindingFiles = () =>
  fs
    .readdirSync(bindings, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => [path.join(bindingsDirectory, name), path.join(bindings, name)] as const);

/** A view from outside replaces ours. Without a shell it is put on our root file system. */
async function realView(given: string, root: string, directory: string): Promise<string> {
  if (!fs.existsSync(given)) throw new Error(`${viewVariable} leads to ${given}, where there is nothing`);
  const { mtimeMs, size } = fs.statSync(given);
  const target = path.join(directory, `view-${keyOf([given, mtimeMs, size])}.tar`);
  if (fs.existsSync(target)) return target;
  if (!fs.statSync(given).isDirectory()) {
    await renameArchive(given, imageNames.view, target);
    return target;
  }
  await inDirectory(async (temporary) => {
    const layer = path.join(temporary, "view.tar");
    await packTree(given, layer, []);
    const isWhole = fs.existsSync(path.join(given, "bin/bash"));
    await writeArchive([{ name: imageNames.view, layers: isWhole ? [layer] : [root, layer] }], target);
  });
  return target;
}

/** Packs programs under the paths that they are to have. */
async function packFiles(files: Record<string, string>, target: string): Promise<void> {
  await inDirectory(async (directory) => {
    for (const [name, file] of Object.entries(files)) {
      fs.mkdirSync(path.join(directory, path.dirname(name)), { recursive: true });
      fs.copyFileSync(file, path.join(directory, name));
      fs.chmodSync(path.join(directory, name), 0o755);
    }
    fs.chmodSync(directory, 0o755);
    await packTree(directory, target, []);
  });
}

async function packTree(tree: string, target: string, without: string[]): Promise<void> {
  const excluded = without.map((name) => `--exclude=${name}/*`);
  const unfinished = `${target}.${process.pid}`;
  const owner = ["--owner=0", "--group=0", "--numeric-owner", "--sort=name"];
  await run("tar", ["-cf", unfinished, ...owner, ...excluded, "-C", tree, "."], { maxBuffer: 2 ** 26 });
  fs.renameSync(unfinished, target);
}

const keyOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
