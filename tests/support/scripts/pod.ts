import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import type { BurstClusterArgs, BurstPlan, BurstRootArgs, MiniClusterArgs } from "../../../provider";
import { renderConfigFiles, renderServiceFiles } from "../../../provider/core/flux/configFiles";
import { leftStatus } from "../../../provider/core/flux/statuses";
import { encodeZ85, renderCurveCertificate } from "../../../provider/core/parse/curveCertificate";
import { configDirectory, files } from "../../../provider/core/parse/paths";
import type { MiniClusterSpec } from "../../../provider/core/parse/spec";
import { aBurstCluster, aMiniCluster, aRoot } from "../fixtures";
import { type Run, type RunningScript, startScript, until } from "./process";
import { addStub, addViewImage, addViewVolume, findProgram, makeRoot, mountFiles, type ViewForm } from "./root";

const secretKey = Buffer.alloc(32, 7);
const certificate = renderCurveCertificate("demo", secretKey);
const secret = encodeZ85(secretKey);

const bash = findProgram("bash");
const realSleep = findProgram("sleep");

/** What Kubernetes and a test set for a script. The variables of the stub are described in stub.sh. */
export interface ScriptOptions {
  rank?: number;
  /** The size in the ConfigMap at the moment. */
  size?: number;
  env?: Record<string, string | undefined>;
  /** What it reads. */
  input?: string;
  /** Runs it as another user, where the tests run as root. */
  user?: number;
}

/** A pod of a cluster: the rendered files where its containers have them, a Flux that records, and the means to run. */
export interface Pod {
  spec: MiniClusterSpec;
  /** Where a path of the pod is on this machine. */
  at(file: string): string;
  /** Runs a script of the ConfigMap to its end. */
  run(script: string, options?: ScriptOptions): Promise<Run>;
  start(script: string, options?: ScriptOptions): RunningScript;
  /** Runs the broker's script to its end, which must be a clean one, and returns the call of its broker. */
  broker(options?: ScriptOptions): Promise<Call>;
  /** Starts a script and ends it with SIGTERM after so many such calls. Its status must be that of SIGTERM. */
  leave(script: string, options: ScriptOptions, count: number, ...words: string[]): Promise<Run>;
  /** Changes a file of the ConfigMap. */
  change(file: string, change: (text: string) => string): void;
  /** Puts a program into the image that records its call and runs the command after its options. */
  addProgram(name: string): void;
  /** The calls of stubs whose first words are these. */
  calls(...words: string[]): Call[];
  /** Their further words, each call on one line. */
  wordsOf(...words: string[]): string[];
  /** Waits for the first such calls. */
  called(count: number, ...words: string[]): Promise<void>;
}

/** A pod whose init container has left the view, or whose image has Flux itself. */
export function aPod(args: Partial<MiniClusterArgs> = {}): Pod {
  return withFlux(makePod(args, "/mnt/flux"));
}

/** A pod of a cluster that joins another one, with its Flux. By default its broker is not started again. */
export function aBurstPod({ root = aRoot(), ...args }: Partial<BurstClusterArgs> = {}, { restarts = false } = {}): Pod {
  return withFlux(
    makePod(args as Partial<MiniClusterArgs>, "/mnt/flux", ({ flux, ...moved } = {}) => {
      // The directory of the Flux volume is that of the cluster to join.
      const { mountPath, ...container } = flux?.container ?? {};
      const { plan, ...leaves } = root as Omit<BurstRootArgs, "plan"> & { plan: BurstPlan };
      const joined = { ...leaves, plan: { ...plan, ...(mountPath !== undefined && { mountPath }) } };
      const spec = aBurstCluster({ ...moved, flux: { ...flux, container }, root: joined } as BurstClusterArgs);
      return { ...spec, flux: { ...spec.flux, completeWorkers: !restarts } };
    }),
  );
}

function withFlux(pod: Pod): Pod {
  addStub(pod.at("/"), pod.spec.flux.container.disable ? "bin/flux" : "mnt/flux/view/bin/flux");
  fs.mkdirSync(pod.at("/mnt/flux/view/lib/python3.11/site-packages"), { recursive: true });
  return pod;
}

/** A pod whose init container has still to run. `mount` is the path of the shared volume in it. */
export function aFreshPod(args: Partial<MiniClusterArgs> = {}, mount = "/mnt/flux"): Pod {
  const pod = makePod(args, mount);
  addViewImage(pod.at("/"));
  return pod;
}

/** A pod whose view is an image that is mounted as a volume. */
export function aPodWithViewVolume(form: ViewForm, args: Partial<MiniClusterArgs> = {}): Pod {
  const container = { ...args.flux?.container, imageVolume: true };
  const pod = makePod({ ...args, flux: { ...args.flux, container } }, "/mnt/flux");
  addViewVolume(pod.at("/"), form);
  return pod;
}

function makePod(args: Partial<MiniClusterArgs>, mount: string, parse: typeof aMiniCluster = aMiniCluster): Pod {
  const root = makeRoot(certificate);
  const parsed = parse(relocateArgs(args, root, mount));
  const spec = { ...parsed, main: { ...parsed.main, logs: `${root}${parsed.main.logs}` } };
  fs.mkdirSync(spec.flux.container.mountPath, { recursive: true });
  const rendered = { ...renderConfigFiles(spec), ...renderServiceFiles(spec) };
  mountFiles(path.join(root, configDirectory), relocateFiles(rendered, root));
  return podAt(root, spec);
}

/** The arguments with every path that the scripts write to below a root of the test: chroot would need privileges. */
function relocateArgs({ flux, archive, ...args }: Partial<MiniClusterArgs>, root: string, mount: string) {
  const brokerConfig = flux?.brokerConfig?.replace(/(?<=")\/[^"]*(?=")/g, `${root}$&`);
  return {
    ...args,
    flux: { ...flux, brokerConfig, container: { ...flux?.container, mountPath: `${root}${mount}` } },
    ...(archive && { archive: { path: `${root}${archive.path}` } }),
  };
}

/** The files with every directory that the component chooses moved there. The user's pieces stay as they are. */
function relocateFiles(rendered: Record<string, string>, root: string): Record<string, string> {
  // What the link to a mounted image reads of the image stays as it is there; only the view is copied from its own
  // root.
  const moved = (name: string) =>
    name === files.view
      ? "etc/minicluster|opt/(?:view|software)"
      : name === "fluxion.sh"
        ? "etc/minicluster|opt/software"
        : name === "network.sh"
          ? "etc/minicluster|etc/hosts|etc/resolv\\.conf"
          : name === "stored.sh"
            ? "etc/minicluster|proc/mounts"
            : "etc/minicluster";
  const move = (name: string, text: string) =>
    text.replace(new RegExp(`(?<![\\w/.])/(?:${moved(name)})\\b`, "g"), `${root}$&`);
  return Object.fromEntries(
    Object.entries(rendered).map(([name, text]) => [name, isOfUser(name) ? text : quicken(move(name, text))]),
  );
}

/** Whether a file of a pod is the user's own code. */
export const isOfUser = (file: string) =>
  /\.(command|init|pre|post|brokerPre|workerPre|servicePre|batch)\.sh$/.test(file);

/** Replaces the lead's port by a file, and pauses by those of the stub ($STUB_PATIENCE and $STUB_REPORT in seconds). */
function quicken(text: string): string {
  const rest = [
    "",
    "rest() {",
    "  local seconds=${STUB_PAUSE:-0.02}",
    "  case $1 in 5) seconds=${STUB_PATIENCE:-5} ;; 60) seconds=${STUB_REPORT:-60} ;; *) STUB_PAUSE=0 sleep $1 ;; esac",
    '  case $seconds in *.*) nap "$seconds" ;; *) own_rest "$seconds" ;; esac',
    "}",
    "",
  ].join("\n");
  const own = text
    .replaceAll("nap 0.2", "nap 0.01")
    .replace('"/dev/tcp/$lead_host/$lead_port"', '"${STUB_TCP:-/dev/null}"')
    .replace(/^rest\(\) /m, "own_$&");
  return own.includes("own_rest()") ? own + rest : own;
}

function podAt(root: string, spec: MiniClusterSpec): Pod {
  const at = (file: string) => (file === "/" ? root : path.join(root, file));
  const calls = (...words: string[]) =>
    readCalls(at("stub/calls"), root).filter((call) => words.every((word, index) => call.words[index] === word));
  const start = (script: string, { rank = 0, size = spec.size, env = {}, input, user }: ScriptOptions = {}) => {
    const running = startScript(bash, [at(`${configDirectory}/${script}`)], {
      cwd: at("job"),
      input,
      ...(process.getuid?.() === 0 && user !== undefined && { uid: user, gid: user }),
      env: {
        PATH: at("bin"),
        HOME: "/home/user",
        HOSTNAME: `${spec.name}-${rank}`,
        JOB_COMPLETION_INDEX: String(rank),
        MINICLUSTER_SIZE: String(size),
        STUB: at("stub"),
        STUB_SLEEP: realSleep,
        ...env,
      },
    });
    return { ...running, ended: running.ended.then(withoutSecret).then((run) => withoutRoot(run, root)) };
  };
  const called = (count: number, ...words: string[]) =>
    until(`${words.join(" ")} was called ${count} times`, () => calls(...words).length >= count);
  return {
    spec,
    at,
    start,
    calls,
    called,
    addProgram: (name) => addStub(root, `bin/${name}`),
    run: (script, options) => start(script, options).ended,
    broker: async (options) => {
      const run = await start(files.broker, options).ended;
      assert.equal(run.status, 0, run.stderr);
      const brokers = [...calls("flux", "start"), ...calls("flux", "broker")];
      return brokers[0] ?? assert.fail("no broker was started");
    },
    leave: async (script, options, count, ...words) => {
      const running = start(script, options);
      await called(count, ...words);
      running.terminate();
      const run = await running.ended;
      assert.equal(run.status, leftStatus, run.stderr);
      return run;
    },
    change: (file, change) => {
      const mounted = at(`${configDirectory}/${file}`);
      const text = change(fs.readFileSync(mounted, "utf8"));
      fs.rmSync(mounted);
      fs.writeFileSync(mounted, text);
    },
    wordsOf: (...words) => calls(...words).map((call) => call.words.slice(words.length).join(" ")),
  };
}

/** No script prints the certificate in any test. */
function withoutSecret(run: Run): Run {
  assert.ok(!`${run.stdout}${run.stderr}`.includes(secret), "the secret key is in the output");
  return run;
}

function withoutRoot(run: Run, root: string): Run {
  return { ...run, stdout: run.stdout.replaceAll(root, ""), stderr: run.stderr.replaceAll(root, "") };
}

/** The certificate of the pod. */
export const podCertificate = certificate;

/** A call of a stub: its name and words, and the environment that it saw. */
export interface Call {
  words: string[];
  env: Record<string, string>;
}

/** The calls that were recorded in a directory, oldest first, with the pod's root taken off every path. */
export function readCalls(directory: string, root: string): Call[] {
  return fs
    .readdirSync(directory)
    .sort()
    .flatMap((file) => parseCall(fs.readFileSync(path.join(directory, file), "utf8").replaceAll(root, "")) ?? []);
}

/** A record as the stub writes it: the number of words, the words, variables, and a last word when it is complete. */
function parseCall(record: string): Call | undefined {
  const [count, ...rest] = record.split("\0").slice(0, -1);
  if (rest.pop() !== "end") return undefined;
  return {
    words: rest.slice(0, Number(count)),
    env: Object.fromEntries(rest.slice(Number(count)).map((variable) => splitOnce(variable))),
  };
}

function splitOnce(variable: string): [string, string] {
  const at = variable.indexOf("=");
  return [variable.slice(0, at), variable.slice(at + 1)];
}

/** Options that every broker gets by default, at a level of the log. */
export const usualOptions = (logLevel: number) => [
  "--config-path=/etc/minicluster/config/broker.toml",
  "-Scron.directory=/mnt/flux/config/etc/flux/system/cron.d",
  "-Stbon.fanout=256",
  "-Srundir=/mnt/flux/config/run/flux",
  "-Sstatedir=/mnt/flux/config/var/lib/flux",
  "-Slocal-uri=local:///mnt/flux/config/run/flux/local",
  "-Stbon.connect_timeout=5s",
  `-Slog-stderr-level=${logLevel}`,
  "-Slog-stderr-mode=local",
];
