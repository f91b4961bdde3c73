import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import type { MiniClusterArgs } from "../../../provider";
import { renderConfigFiles } from "../../../provider/minicluster/flux/configFiles";
import { encodeZ85, renderCurveCertificate } from "../../../provider/minicluster/flux/curve";
import { configDirectory, files } from "../../../provider/minicluster/paths";
import type { MiniClusterSpec } from "../../../provider/minicluster/spec";
import { aMiniCluster } from "../fixtures";
import { type Call, readCalls } from "./calls";
import { type Run, type RunningScript, startScript, until } from "./process";
import { addStub, addViewImage, findProgram, leaveViewImage, makeRoot } from "./root";

const secretKey = Buffer.alloc(32, 7);
const certificate = renderCurveCertificate("demo", secretKey);
const secret = encodeZ85(secretKey);

const bash = findProgram("bash");
const realSleep = findProgram("sleep");

/** What Kubernetes and a test tell a script. The variables of the stub are described in stub.sh. */
export interface ScriptOptions {
  rank?: number;
  /** The size in the ConfigMap at the moment. */
  size?: number;
  env?: Record<string, string | undefined>;
}

/** A pod of a cluster: the rendered files where its containers have them, a Flux that records, and the means to run. */
export interface Pod {
  spec: MiniClusterSpec;
  /** Where a path of the pod is on this machine. */
  at(file: string): string;
  /** Runs a script of the ConfigMap to its end. */
  run(script: string, options?: ScriptOptions): Promise<Run>;
  start(script: string, options?: ScriptOptions): RunningScript;
  /** The calls of stubs whose first words are these. */
  calls(...words: string[]): Call[];
  /** Waits for the first such calls. */
  called(count: number, ...words: string[]): Promise<void>;
}

/** A pod in which nothing has run yet. `mount` is the path of the shared volume in it. */
export function aFreshPod(args: Partial<MiniClusterArgs> = {}, mount = "/mnt/flux"): Pod {
  const root = makeRoot({}, certificate);
  const container = { ...args.flux?.container, mountPath: `${root}${mount}` };
  const spec = aMiniCluster({ ...args, flux: { ...args.flux, container } });
  fs.mkdirSync(container.mountPath, { recursive: true });
  for (const [name, text] of Object.entries(relocate(renderConfigFiles(spec), root, spec)))
    fs.writeFileSync(path.join(root, configDirectory, name), text, { mode: 0o555 });
  if (container.disable) addStub(root, "bin/flux");
  else addViewImage(root);
  return podAt(root, spec);
}

/** A pod whose init container has run. */
export async function aPod(args: Partial<MiniClusterArgs> = {}, mount = "/mnt/flux"): Promise<Pod> {
  const pod = aFreshPod(args, mount);
  if (pod.spec.flux.container.disable) return pod;
  const { status, stderr } = await pod.run(files.view);
  assert.equal(status, 0, stderr);
  leaveViewImage(pod.at("/"), pod.spec.flux.container.mountPath);
  return pod;
}

/**
 * The files with every directory that the component chooses moved below a root of the test's own. A root of its own by
 * chroot or a mount namespace would need privileges that not every machine gives. The user's pieces stay as they are.
 */
function relocate(rendered: Record<string, string>, root: string, spec: MiniClusterSpec): Record<string, string> {
  const own = [files.broker, files.view, files.environment, files.connect, files.ready, files.brokerConfig] as string[];
  const scripts = [...own, ...spec.sidecars.map(({ name }) => files.sidecar(name))];
  const move = (text: string) => text.replace(/(?<![\w/.])\/(etc\/minicluster|opt\/(view|software))\b/g, `${root}$&`);
  return Object.fromEntries(
    Object.entries(rendered).map(([name, text]) => [name, scripts.includes(name) ? move(text) : text]),
  );
}

function podAt(root: string, spec: MiniClusterSpec): Pod {
  const at = (file: string) => (file === "/" ? root : path.join(root, file));
  const calls = (...words: string[]) =>
    readCalls(at("stub/calls"), root).filter((call) => words.every((word, index) => call.words[index] === word));
  const start = (script: string, { rank = 0, size = spec.size, env = {} }: ScriptOptions = {}) => {
    const running = startScript(bash, [at(`${configDirectory}/${script}`)], {
      cwd: at("work"),
      env: {
        PATH: at("bin"),
        HOME: "/home/user",
        JOB_COMPLETION_INDEX: String(rank),
        MINICLUSTER_SIZE: String(size),
        STUB: at("stub"),
        STUB_SLEEP: realSleep,
        ...env,
      },
    });
    return { ...running, ended: running.ended.then(withoutSecret).then((run) => withoutRoot(run, root)) };
  };
  return {
    spec,
    at,
    start,
    run: (script, options) => start(script, options).ended,
    calls,
    called: (count, ...words) =>
      until(`${words.join(" ")} was called ${count} times`, () => calls(...words).length >= count),
  };
}

/** No script prints the certificate, whatever a test runs it for. */
function withoutSecret(run: Run): Run {
  assert.ok(!`${run.stdout}${run.stderr}`.includes(secret), "the secret key is in the output");
  return run;
}

function withoutRoot(run: Run, root: string): Run {
  return { ...run, stdout: run.stdout.replaceAll(root, ""), stderr: run.stderr.replaceAll(root, "") };
}

/** The certificate of the pod. */
export const podCertificate = certificate;
