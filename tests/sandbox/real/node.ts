import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";

import { startProcess, type SupervisedProcess } from "../controlPlane/processes";
import { waitFor } from "../waiting";
import { type ContainerProcess, containerProcesses } from "./containers";
import { publishedNames } from "./images";
import { containerdConfig, kubeletCommand, kubeletConfig, kubeletRoot, type NodeLayout, socketOf } from "./settings";

const run = promisify(execFile);

// A node is a namespace of processes and of mounts: when its first process is killed, the kernel ends all that runs in
// it, shims and containers too, and with the last of them go its mounts and the networks of its pods.
const firstProcess = `
read -r pid rest </proc/self/stat
mount --make-rshared /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
# The kubelet keeps a socket for device plugins there, wherever its other files are.
mount -t tmpfs tmpfs /var/lib
# Volumes of pods: ext4 takes long for new files within minutes after many were deleted, as between two tests or rounds
# of a benchmark, because it looks for inodes that were not in use before.
mkdir -p "$KUBELET_ROOT"
mount -t tmpfs tmpfs "$KUBELET_ROOT"
"$@" &
echo "$pid" >"$PID_FILE"
wait
`;

/** A Kubernetes node of this machine: a kubelet and a separate containerd. */
export class RealNode {
  private whole: SupervisedProcess | undefined;
  private kubelet: SupervisedProcess | undefined;

  constructor(
    private readonly layout: NodeLayout,
    private readonly onEnd: (what: string, log: string) => void,
  ) {}

  get name(): string {
    return this.layout.name;
  }

  /** Starts containerd, and with the images the kubelet. A node that was stopped comes back as a new machine. */
  async start(): Promise<void> {
    const { directory, binaries, archives } = this.layout;
    // Its former state stays, so that a cleanup finds its containers.
    if (fs.existsSync(directory)) fs.renameSync(directory, `${directory}-until-${Date.now()}`);
    fs.mkdirSync(directory);
    this.write("containerd.toml", containerdConfig(this.layout));
    this.write("kubelet.json", kubeletConfig(this.layout));
    this.write("resolv.conf", "");
    const flags = ["--mount", "--pid", "--fork", "--kill-child", "--propagation=private"];
    const containerd = [binaries.containerd, "--config", this.file("containerd.toml"), "--log-level", "warn"];
    const environment = ["env", `PID_FILE=${this.file("pid")}`, `KUBELET_ROOT=${kubeletRoot(this.layout)}`];
    const shell = ["/bin/sh", "-c", firstProcess, "node", ...containerd];
    this.whole = this.supervise("containerd", [...environment, "unshare", ...flags, ...shell]);
    await waitFor(`containerd of ${this.name}`, () => fs.existsSync(socketOf(this.layout)), 30_000);
    await waitFor(`containerd of ${this.name} to answer`, () => this.ctr("version").then(() => true), 30_000);
    for (const archive of archives) await this.importImages(archive);
    for (const names of publishedNames) await this.ctr("images", "tag", ...names);
    this.startKubelet();
  }

  /** Makes the images of an OCI archive known to this node. */
  async importImages(archive: string): Promise<void> {
    await this.ctr("images", "import", "--local", archive);
  }

  /** Starts the kubelet again, unless it is running. */
  startKubelet(): void {
    if (this.kubelet) return;
    this.kubelet = this.startInside("kubelet", kubeletCommand(this.layout));
  }

  /** Starts a process that sees the files of the node, such as the socket for device plugins, and ends with it. */
  startInside(part: string, command: string[]): SupervisedProcess {
    const target = fs.readFileSync(this.file("pid"), "utf8").trim();
    const enter = ["nsenter", `--target=${target}`, "--mount", "--pid", "--"];
    // The process is the child of nsenter, whose death it would otherwise survive.
    const dieTogether = ["setpriv", "--pdeathsig=KILL", "--"];
    return this.supervise(part, [...enter, ...dieTogether, ...command]);
  }

  /** Kills the kubelet: the containers continue, and the API server gets no status of them. */
  async stopKubelet(): Promise<void> {
    const { kubelet } = this;
    this.kubelet = undefined;
    await kubelet?.stop();
  }

  /** Kills the node and all of its containers, like a power failure. */
  async stop(): Promise<void> {
    const { kubelet, whole } = this;
    this.kubelet = this.whole = undefined;
    await Promise.all([kubelet?.stop(), whole?.stop()]);
  }

  /** The processes of a container, with the numbers that this machine has for them. */
  processesOf(containerId: string): ContainerProcess[] {
    return containerProcesses(containerId);
  }

  private ctr(...words: string[]) {
    const { binaries } = this.layout;
    const target = fs.readFileSync(this.file("pid"), "utf8").trim();
    const enter = [`--target=${target}`, "--mount", "--pid", "--"];
    return run("nsenter", [
      ...enter,
      binaries.ctr,
      "--address",
      socketOf(this.layout),
      "--namespace",
      "k8s.io",
      ...words,
    ]);
  }

  private supervise(part: string, command: string[]): SupervisedProcess {
    const started = startProcess(`${this.name}-${part}`, command, this.file(`${part}.log`));
    void started.exited.then((log) => {
      if (this.whole === started || this.kubelet === started) this.onEnd(`${part} of ${this.name}`, log);
    });
    return started;
  }

  private file(name: string): string {
    return path.join(this.layout.directory, name);
  }

  private write(name: string, text: string): void {
    fs.writeFileSync(this.file(name), text);
  }
}
