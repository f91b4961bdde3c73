import * as fs from "node:fs";
import * as http from "node:http";
import * as path from "node:path";
import { MiniCluster } from "../../provider";
import { realArgs, realContainer } from "../real/clusters";
import { as, serving } from "../real/consoleHosts";
import type { Look } from "../real/look";
import type { ContainerProcess } from "../sandbox/real/containers";
import { viewVariable } from "../sandbox/real";
import { waitFor } from "../sandbox/waiting";
import { tokenOf } from "../support/consoleServer";
import { aMiniClusterArgs } from "../support/fixtures";
import { withStack } from "./realNodes";
import { peakOf } from "./scale/memory";
import { quantile } from "./statistics";

/** Jobs of `true` that run through an instance of one host while clients follow its console. */
export interface ConsoleLoad {
  jobs: number;
  /** Jobs that are submitted in a second. Without it all are submitted at once. */
  perSecond?: number;
  /** Readers of `/v1/events`. Without a number there is no console. */
  readers?: number;
}

/** The measurements. Times are in milliseconds, sizes in bytes. */
export interface ConsoleLoadFigures extends ConsoleLoad {
  run: number;
  /** From the first submission to the end of the last job. */
  time: number;
  /** From the end of a job to a reader. */
  late?: { median: number; p99: number; most: number };
  /** Ends of jobs that readers have not received. */
  lost?: number;
  broker: Used;
  console?: Used;
}

/** Processor time and greatest memory of a process. */
interface Used {
  cpu: number;
  memory: number;
}

const loads: Omit<ConsoleLoad, "jobs">[] = [{}, { readers: 200 }, { perSecond: 40 }, { perSecond: 40, readers: 200 }];

/** The loads in turn, each with a separate instance. */
export async function* measureConsole(
  runs: number,
  jobs: number,
  report: (line: string) => void,
): AsyncGenerator<ConsoleLoadFigures> {
  if (!process.env[viewVariable]) throw new Error(`${viewVariable} names no view: the stand-in of Flux has no journal`);
  for (let run = 1; run <= runs; run++)
    for (const rest of loads) {
      const load = { jobs, ...rest };
      report(`console, ${JSON.stringify(load)}, run ${run} of ${runs}`);
      yield { ...load, run, ...(await measure(load)) };
    }
}

async function measure(load: ConsoleLoad): Promise<Omit<ConsoleLoadFigures, keyof ConsoleLoad | "run">> {
  const { readers } = load;
  const tokens = { ann: tokenOf("ann") };
  const args = realArgs({
    interactive: true,
    size: 1,
    containers: [realContainer({ command: undefined })],
    ...(readers && { console: { users: ["ann"], tokens } }),
  });
  const program = (namespace: string) => () => {
    new MiniCluster("demo", aMiniClusterArgs({ ...args, namespace }));
    return Promise.resolve({});
  };
  return withStack(program, async (stack, look) => {
    await stack.up();
    await look.ready(1);
    const following = readers && (await follow(look, readers));
    const start = performance.now();
    await submit(look, load);
    const isEmpty = async () => (await look.flux("flux jobs --no-header --count=1")) === "";
    await waitFor("the last job", isEmpty, 600_000, 1000);
    const time = performance.now() - start;
    if (following) await waitFor("its readers", () => following.isDone(load.jobs), 60_000).catch(() => undefined);
    const processes = await look.processes(0);
    const server = processes.find(({ words }) => words.some((word) => path.basename(word) === "console.pyz"));
    return {
      time,
      ...(following && following.end(load.jobs)),
      broker: usedBy(processes.find(({ words: [first = ""] }) => path.basename(first) === "broker")),
      ...(server && { console: usedBy(server) }),
    };
  });
}

/** Submits the jobs, and returns when Flux has them. */
async function submit(look: Look, { jobs, perSecond }: ConsoleLoad): Promise<void> {
  const begin = (count: number) => `flux submit --quiet --cc=1-${count} true`;
  const paced =
    perSecond && `for ((i = 0; i < ${jobs / perSecond}; i++)); do ${begin(perSecond)} & sleep 1; done; wait`;
  // It outlives the command that starts it, which has a minute.
  const file = "/tmp/submitted";
  await look.bash(0, `export FLUX_URI=$fluxsocket; (${paced ?? begin(jobs)}; touch ${file}) >/tmp/submit.log 2>&1 &`);
  await waitFor(
    "the jobs to be submitted",
    async () => (await look.bash(0, `ls ${file} || true`)) !== "",
    900_000,
    2000,
  );
}

/** Readers of the changes. What an event says is read once for all of them. */
async function follow(look: Look, count: number) {
  const url = `${await serving(look, 1)}/v1/events`;
  const headers = { accept: "text/event-stream", ...as("ann").headers };
  const ends = new Map<string, number[]>();
  const received = Array.from({ length: count }, () => 0);
  const late: number[] = [];
  const take = (reader: number, event: string) => {
    const known = ends.get(event) ?? endsIn(event);
    ends.set(event, known);
    for (const at of known) late.push(Date.now() - at);
    received[reader] = (received[reader] ?? 0) + known.length;
  };
  const open = (reader: number) =>
    new Promise<http.ClientRequest>((resolve, reject) => {
      const request = http.get(url, { headers, agent: false }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`the console answers with ${answer.statusCode}`));
        let text = "";
        answer.setEncoding("utf8").on("data", (piece: string) => {
          const events = (text + piece).split("\n\n");
          text = events.pop() ?? "";
          for (const event of events) take(reader, event);
        });
        resolve(request);
      });
      request.on("error", reject);
    });
  const requests = await Promise.all(received.map((_, reader) => open(reader)));
  return {
    isDone: (jobs: number) => Promise.resolve(received.every((ended) => ended === jobs)),
    end: (jobs: number) => {
      for (const request of requests) request.destroy();
      const [median, p99, most] = [0.5, 0.99, 1].map((share) => quantile(late, share)) as [number, number, number];
      return { late: { median, p99, most }, lost: jobs * count - late.length };
    },
  };
}

/** Times at which jobs have ended, in an event of the console. */
function endsIn(event: string): number[] {
  if (!/^event: jobs$/m.test(event)) return [];
  const jobs = JSON.parse(event.slice(event.indexOf("data: ") + 6)) as { state?: string; t_inactive?: number }[];
  return jobs.filter(({ state }) => state === "INACTIVE").map(({ t_inactive = 0 }) => t_inactive * 1000);
}

function usedBy(found: ContainerProcess | undefined): Used {
  if (!found) throw new Error("a process has ended");
  // After the name of the program, which may contain blanks: times of user and system in hundredths of a second.
  const fields = fs
    .readFileSync(`/proc/${found.pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return { cpu: (Number(fields[11]) + Number(fields[12])) * 10, memory: peakOf(found.pid) };
}
