import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { MiniCluster, type MiniClusterArgs, MiniClusterWait } from "../../provider";
import { realArgs, realContainer } from "../real/clusters";
import { lab } from "../real/lab";
import { killBroker, type Look, lookAt } from "../real/look";
import { storedLead, withVolume } from "../real/volume";
import { waitForDefaultServiceAccount } from "../sandbox/cluster";
import { viewVariable } from "../sandbox/real";
import { bareJob } from "./bareJob";
import { createStack, type TestStack } from "../support/engine";
import { aMiniClusterArgs } from "../support/fixtures";
import { waitFor } from "../sandbox/waiting";

const size = 4;

/** The two measured ways: the pods with Flux, and Kubernetes alone. */
const ways: Record<string, () => Promise<Partial<Times>>> = {
  "view copied": () => measureRound(false),
  "view as image volume": () => measureRound(true),
  // The stand-in of Flux has no queues.
  ...(process.env[viewVariable] && { "view copied, one group": measureGroup }),
  "bare Job": measureBareJob,
};

/** What is timed, in milliseconds. */
interface Times {
  returned: number;
  ready: number;
  follower: number;
  lead: number;
  output: number;
  complete: number;
  afterExit: number;
  first: number;
  next: number;
}

/** One round of a cluster on real nodes, for its user, and of Kubernetes' part of it. */
export interface RealNodeFigures extends Partial<Times> {
  way: string;
  run: number;
  size: number;
  /** A real Flux, or the stand-in. */
  flux: string;
}

/** What each time is. */
export const realNodeTimes: Record<keyof Times, string> = {
  returned: "request to `up` returned, all Ready",
  ready: "request to all Ready",
  follower: "follower deleted to Ready again",
  lead: "lead deleted to all hosts up",
  output: "request to the command's output",
  complete: "request to Complete",
  afterExit: "lead's exit to Complete",
  first: "job submitted at rest to its output on new hosts",
  next: "lead broker killed to the next job's output",
};

/** Times of a cluster on real nodes, each way in turn. */
export async function measureRealNodes(runs: number, report: (line: string) => void): Promise<RealNodeFigures[]> {
  const flux = process.env[viewVariable] ? "a real Flux" : "the stand-in of Flux";
  const rounds: RealNodeFigures[] = [];
  for (let run = 1; run <= runs; run++)
    for (const [way, measure] of Object.entries(ways)) {
      report(`real nodes, ${way}, run ${run} of ${runs}`);
      rounds.push({ way, run, size, flux, ...(await measure()) });
    }
  return rounds;
}

async function measureRound(imageVolume: boolean): Promise<Partial<Times>> {
  const flux = { container: { imageVolume } };
  const staying = await withCluster({ flux, interactive: true }, async (stack, look) => {
    const start = clock();
    const up = stack.up().then(start);
    await look.ready(size);
    const ready = start();
    const returned = await up;
    await look.hosts(size);
    const follower = await timed(async () => void (await look.ready(size, [await look.deletePod(1)])));
    await look.hosts(size);
    // The hosts are counted by the next lead: the one that ends still lists them all.
    const lead = await timed(async () => {
      await look.successor(await look.deletePod(0));
      await look.hosts(size);
    });
    return { ready, returned, follower, lead };
  });
  const containers = [realContainer({ command: "hostname" })];
  const running = await withCluster({ flux, containers, wait: MiniClusterWait.Complete }, async (stack, look) => {
    const start = clock();
    const up = stack.up();
    const isPrinted = async () => (await look.logs()).match(/^demo-\d$/gm)?.length === size;
    const [output, exit, complete] = await Promise.all([
      waitFor("the output", isPrinted, 120_000, 25).then(start),
      leadsExit(look).then(start),
      look.ended().then(start),
    ]);
    await up;
    return { output, complete, afterExit: complete - exit };
  });
  return { ...staying, ...running };
}

/**
 * A group that follows its queue from 0 hosts, and a lead broker whose state is on a volume. The running job is lost
 * with the lead broker, and the pending one is the next.
 */
function measureGroup(): Promise<Partial<Times>> {
  return withVolume(async (directory) => {
    const output = path.join(directory, "output");
    fs.mkdirSync(output);
    const volumes = { output: { path: "/output", hostPath: output } };
    const args: Partial<MiniClusterArgs> = {
      interactive: true,
      size: undefined,
      containers: [realContainer({ command: undefined, volumes })],
      lead: storedLead,
      groups: { workers: { autoscale: { max: size, cooldownSeconds: 0 } } },
    };
    return withCluster(args, async (stack, look) => {
      await stack.up();
      await look.ready(1);
      const printed = (job: string) =>
        waitFor(`the output of the ${job} job`, () => fs.existsSync(path.join(output, job)), 120_000, 25);
      const submit = (job: string, then: string) =>
        look.flux(`flux submit -N${size} --exclusive bash -c "touch /output/${job}; ${then}"`);
      const first = await timed(() => Promise.all([submit("first", "sleep inf"), printed("first")]));
      await submit("next", "true");
      await killBroker(look, 0, "broker");
      const next = await timed(() => printed("next"));
      return { first, next };
    });
  });
}

/** The same with pods that do nothing: the remaining time is Kubernetes' own. */
async function measureBareJob(): Promise<Partial<Times>> {
  const staying = await withBareJob("sleep infinity & wait", async (look, start) => {
    await look.ready(size);
    const ready = start();
    const follower = await timed(async () => void (await look.ready(size, [await look.deletePod(1)])));
    const lead = await timed(async () => void (await look.ready(size, [await look.deletePod(0)])));
    return { ready, follower, lead };
  });
  const running = await withBareJob(
    // As long as a lead needs at least, so that the others are there.
    "if ((JOB_COMPLETION_INDEX > 0)); then sleep infinity & wait; fi; sleep 5 & wait",
    async (look, start) => {
      const [exit, complete] = await Promise.all([leadsExit(look).then(start), look.ended().then(start)]);
      return { afterExit: complete - exit };
    },
  );
  return { ...staying, ...running };
}

async function withBareJob<T>(script: string, body: (look: Look, start: () => number) => Promise<T>): Promise<T> {
  const { api } = lab();
  const namespace = await newNamespace();
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const look = lookAt(namespace);
  const start = clock();
  await api.request("POST", jobs, bareJob(size, script));
  try {
    return await body(look, start);
  } finally {
    await api.request("DELETE", `${jobs}/demo?propagationPolicy=Background`);
    await waitFor("the pods to go", async () => (await look.pods()).length === 0, 120_000, 100);
  }
}

const clock = () => {
  const start = performance.now();
  return () => performance.now() - start;
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const elapsed = clock();
  await work();
  return elapsed();
}

async function leadsExit(look: Look): Promise<void> {
  const [{ pid }] = await waitFor("the lead's first process", () => look.processes(0), 120_000, 25);
  await waitFor("the lead's exit", () => !fs.existsSync(`/proc/${pid}`), 120_000, 10);
}

function withCluster<T>(
  args: Partial<MiniClusterArgs>,
  body: (stack: TestStack, look: Look) => Promise<T>,
): Promise<T> {
  const program = (namespace: string) => () => {
    new MiniCluster("demo", aMiniClusterArgs({ namespace, size, ...realArgs(args) }));
    return Promise.resolve({});
  };
  return withStack(program, async (stack, look) => {
    // The plan is not what is measured, and it warms up the engine.
    await stack.preview();
    return body(stack, look);
  });
}

/** A stack whose cluster is in a separate namespace, and is gone at the end. */
export async function withStack<T>(
  program: (namespace: string) => () => Promise<Record<string, never>>,
  body: (stack: TestStack, look: Look) => Promise<T>,
): Promise<T> {
  const { kubeconfigPath } = lab();
  const namespace = await newNamespace();
  const stack = await createStack({ program: program(namespace), kubeconfigPath });
  try {
    return await body(stack, lookAt(namespace));
  } finally {
    await stack.destroy();
    stack.dispose();
  }
}

async function newNamespace(): Promise<string> {
  const { api } = lab();
  const name = `bench-${randomBytes(4).toString("hex")}`;
  await api.request("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  await waitForDefaultServiceAccount(api, name);
  return name;
}
