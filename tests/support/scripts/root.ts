import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import {
  certificateDirectory,
  curveDirectory,
  curveFile,
  imageDirectory,
  softwareDirectory,
} from "../../../provider/core/parse/paths";
import { endScripts } from "./process";

/** Programs that the scripts may need of an image: any other would be a hidden requirement. */
const imagePrograms = ["bash", "chmod", "cp", "ln", "mkdir", "mv", "readlink", "rm"];

/** What the code of the tests needs beside that. */
const testPrograms = ["cat", "env", "stat"];

const roots: string[] = [];
process.once("exit", removeRoots);

/** Ends running scripts and removes their roots. Mocha's parallel workers are ended without an exit event. */
export function removeRoots(): void {
  endScripts();
  for (const root of roots.splice(0)) removeBusy(root);
}

/** Removes a directory that background processes still write into. `maxRetries` does not list it again. */
function removeBusy(directory: string, triesLeft = 50): void {
  try {
    fs.rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    if (triesLeft === 0) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    removeBusy(directory, triesLeft - 1);
  }
}

/** A directory in place of the root of a pod, with the image's programs and the mounted volumes. */
export function makeRoot(certificate: string): string {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "pod-")));
  roots.push(root);
  for (const directory of ["bin", "stub/calls", "job", "mnt/flux", "opt", "tmp", certificateDirectory])
    fs.mkdirSync(path.join(root, directory), { recursive: true });
  for (const program of [...imagePrograms, ...testPrograms])
    fs.symlinkSync(findProgram(program), path.join(root, "bin", program));
  fs.mkdirSync(path.join(root, "proc"));
  fs.writeFileSync(path.join(root, "proc/mounts"), "");
  addStub(root, "bin/task");
  addStub(root, "bin/sleep");
  fs.mkdirSync(path.join(root, "etc"), { recursive: true });
  fs.writeFileSync(path.join(root, "etc/hosts"), "127.0.0.1\tlocalhost\n");
  fs.writeFileSync(path.join(root, "etc/resolv.conf"), "nameserver 10.96.0.10\n");
  mountFiles(path.join(root, curveDirectory), { [curveFile]: certificate });
  return root;
}

/** Opens a pod to all users, as Kubernetes does: the image is readable, and the shared volume writable. */
export function openToAnybody(root: string): void {
  fs.chmodSync(root, 0o755);
  for (const directory of ["mnt/flux", "job", "stub", "stub/calls", "tmp", certificateDirectory])
    fs.chmodSync(path.join(root, directory), 0o777);
}

/** Puts the stub at a path of the pod; its name decides its program. */
export function addStub(root: string, file: string): void {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.copyFileSync(path.join(__dirname, "stub.sh"), path.join(root, file));
  fs.chmodSync(path.join(root, file), 0o755);
}

/** The image of the Flux view: /opt/view is a link, and the programs are links into /opt/software. */
export function addViewImage(root: string): void {
  addImage(root, root, "opt/._view/abc");
  fs.symlinkSync(path.join(root, "opt/._view/abc"), path.join(root, "opt/view"));
}

/** What /opt/view is in an image of the Flux view. */
export type ViewForm = "an absolute link" | "a relative link" | "a directory";

const viewLinks: Record<ViewForm, string | undefined> = {
  "an absolute link": "/opt/._view/abc",
  "a relative link": "._view/abc",
  "a directory": undefined,
};

/** The same image as a volume, with its software mounted where the programs' links lead. */
export function addViewVolume(root: string, form: ViewForm): void {
  const image = path.join(root, imageDirectory);
  const link = viewLinks[form];
  addImage(root, image, link === undefined ? "opt/view" : "opt/._view/abc");
  if (link !== undefined) fs.symlinkSync(link, path.join(image, "opt/view"));
  fs.symlinkSync(path.join(image, softwareDirectory), path.join(root, softwareDirectory));
}

/** An image's files at a place of the pod, its view in a directory, with links that lead where a container has them. */
function addImage(root: string, image: string, view: string): void {
  addStub(image, "opt/software/flux-1.0/bin/flux");
  for (const directory of ["bin", "lib/python3.11/site-packages", "etc/flux/rc1.d"])
    fs.mkdirSync(path.join(image, view, directory), { recursive: true });
  fs.writeFileSync(path.join(image, "opt/software/.spack"), "installed\n");
  fs.symlinkSync(path.join(root, "opt/software/flux-1.0/bin/flux"), path.join(image, view, "bin/flux"));
}

/** Files as the kubelet mounts them: links to a directory that it exchanges as a whole. */
export function mountFiles(directory: string, files: Record<string, string>): void {
  fs.mkdirSync(path.join(directory, "..data"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(directory, "..data", name), text, { mode: 0o444 });
    fs.symlinkSync(path.join("..data", name), path.join(directory, name));
  }
}

/** Absolute path of a program of this machine. */
export function findProgram(program: string): string {
  const candidates = (process.env.PATH ?? "").split(path.delimiter).map((directory) => path.join(directory, program));
  const found = candidates.find((candidate) => fs.existsSync(candidate));
  if (found === undefined) throw new Error(`the tests of the scripts need ${program} on PATH`);
  return found;
}
