import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MiniCluster, MiniClusterAffinity } from "../../provider";
import { defaultConsolePort } from "../../provider/console/names";
import { drawElasticRun } from "../../sdk/generator/pictures/elasticRun";
import { type ElasticRun, type Reading, recordingOf } from "../../sdk/generator/pictures/recording";
import { Kube } from "../sandbox/kube";
import { imageNames } from "../sandbox/real";
import { waitFor } from "../sandbox/waiting";
import { createStack } from "../support/engine";
import type { Show } from "./show";

const max = 8;
const seconds = 270;

/** Jobs of `sleep`, each with the second of its submission, its hosts and its seconds. */
const jobs = [
  { at: 8, name: "mesh", hosts: 2, takes: 40 },
  { at: 35, name: "solve", hosts: 6, takes: 45 },
  { at: 60, name: "render", hosts: 1, takes: 20 },
  ...Array.from({ length: 10 }, (_, index) => ({ at: 110, name: `case-${index}`, hosts: 1, takes: 15 + index })),
  { at: 205, name: "report", hosts: 4, takes: 15 },
];

function program() {
  const { consoleTokens } = new MiniCluster("elastic", {
    autoscale: { max, idleSeconds: 20, cooldownSeconds: 0 },
    console: { users: ["ann"] },
    // There are fewer nodes than pods.
    network: { affinity: MiniClusterAffinity.Preferred },
    flux: { container: { image: imageNames.view } },
    container: { image: imageNames.base },
  });
  return { consoleTokens };
}

/** Runs jobs in a cluster with autoscale, and draws the history of its hosts. */
export async function showElastic(kubeconfigPath: string, { heading, timed, options }: Show): Promise<void> {
  const config = { "kubernetes:kubeconfig": kubeconfigPath };
  const stack = await createStack({ program, projectName: "minicluster", stackName: "demo", kubeconfigPath, config });
  try {
    await heading(`Bring up a cluster whose size follows its queue, from 1 to ${max} hosts`);
    await timed("up to 1 pod and the agent Ready", () => stack.up(options));
    const { ann: token } = (await stack.outputs())["consoleTokens"]?.value as { ann: string };
    const flux = await consoleOf(Kube.fromKubeconfig(kubeconfigPath), token);
    console.log(`The console is at ${flux.url}, and the token of ann is ${token}.`);
    await heading(`Submit ${jobs.length} jobs to its API; these are the decisions of its agent`);
    const recording = await timed("the jobs", () => record(flux));
    const file = path.join(os.tmpdir(), "minicluster-elastic");
    fs.writeFileSync(`${file}.json`, `${JSON.stringify(recording)}\n`);
    fs.writeFileSync(`${file}.svg`, drawElasticRun(recording));
    console.log(`\nThe recording is in ${file}.json, and its picture in ${file}.svg.`);
  } finally {
    await heading("Destroy");
    await timed("destroy", () => stack.destroy(options));
    stack.dispose();
  }
}

interface Console {
  url: string;
  request: (path: string, body?: unknown) => Promise<unknown>;
}

/** The console in the lead broker's pod, once it serves its page. */
async function consoleOf(kube: Kube, token: string): Promise<Console> {
  const [lead] = await kube.podsOfJob("default", "elastic");
  const url = `http://${(lead?.pod["status"] as { podIP: string }).podIP}:${defaultConsolePort}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request: Console["request"] = async (path, body) => {
    const response = await fetch(
      url + path,
      body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers },
    );
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  await waitFor("the console", () => request("/v1/board").catch(() => undefined), 30_000, 500);
  return { url, request };
}

/** Submits the jobs, each at its time, and reads the board every second. */
async function record({ request }: Console): Promise<ElasticRun> {
  const begun = Date.now();
  const passed = () => (Date.now() - begun) / 1000;
  const left = [...jobs];
  const readings: Reading[] = [];
  let shown = 0;
  while (passed() < seconds) {
    while (left[0] && left[0].at <= passed()) {
      const { name, hosts, takes } = left.shift() as (typeof jobs)[number];
      await request("/v1/jobs/submit", { command: `sleep ${takes}`, num_nodes: hosts, exclusive: true, name });
    }
    const board = (await request("/v1/board")) as Reading["board"];
    readings.push({ at: Date.now() / 1000, board });
    for (const { text } of board.decisions.slice(shown)) console.log(`${Math.round(passed())} s  ${text}`);
    shown = board.decisions.length;
    await sleep(1000);
  }
  return recordingOf(readings);
}
