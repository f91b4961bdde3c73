import { once } from "node:events";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, type Page } from "playwright-core";
import { consoleProgram } from "../../provider/console/objects";
import { programTexts } from "../../provider/core/programs";
import { findBrowser, prepareBrowser } from "../sandbox/build/browser";

/** Time that the page of a console takes to show an instance, in milliseconds. */
export interface ConsolePageFigures {
  run: number;
  jobs: number;
  hosts: number;
  /** From the log-in to the first picture with hosts and jobs. */
  first: number;
  /** Longest task of the page at its opening. */
  opening: number;
  /** Longest task while jobs and hosts change, or 0 where none was above 50 ms. */
  changing: number;
}

/** Changes in each quarter of a second, in which the server collects them, and the seconds that they are watched. */
const changes = { jobs: 25, hosts: 12, seconds: 15 };

/** Opens the page with a simulated instance. */
export async function* measureConsolePage(
  runs: number,
  { jobs, hosts }: { jobs: number; hosts: number },
): AsyncGenerator<ConsolePageFigures> {
  await prepareBrowser();
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("no Chromium on PATH, and none to be had for this platform");
  for (let run = 1; run <= runs; run++) {
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    const server = http.createServer(answering(jobs, hosts)).listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      yield { run, jobs, hosts, ...(await timesOf(page)) };
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  }
}

async function timesOf(page: Page): Promise<Pick<ConsolePageFigures, "first" | "opening" | "changing">> {
  await page.evaluate(() => {
    const seen = window as unknown as { longest: number };
    seen.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: "longtask" });
  });
  const longest = () =>
    page.evaluate(() => {
      const seen = window as unknown as { longest: number };
      const { longest } = seen;
      seen.longest = 0;
      return longest;
    });
  await page.getByLabel("Token").fill("token");
  const start = performance.now();
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("table", { name: "Jobs" }).getByRole("row").nth(1).waitFor();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  const first = performance.now() - start;
  await page.waitForTimeout(1000);
  const opening = await longest();
  await page.waitForTimeout(changes.seconds * 1000);
  return { first, opening, changing: await longest() };
}

/** Answers as the console of an instance of this size whose jobs and hosts change all the time. */
function answering(jobs: number, hosts: number): http.RequestListener {
  const at = Date.now() / 1000;
  const nameOf = (rank: number) => `lab-${rank}`;
  const jobOf = (number: number, state: string) => ({
    id: number,
    f58: `ƒ${number.toString(36)}`,
    name: "lmp",
    command: "lmp -in in.reaxc -v x 8",
    owner: "ann",
    state,
    urgency: 16,
    nnodes: 1,
    ntasks: 4,
    ncores: 4,
    t_submit: at - jobs + number,
    ...(state !== "SCHED" && { nodelist: nameOf(number % hosts), ranks: String(number % hosts), t_run: at }),
    ...(state === "INACTIVE" && { result: "COMPLETED", returncode: 0, t_inactive: at }),
  });
  const hostOf = (rank: number, state: string) => {
    const host = { host: nameOf(rank), rank, cluster: "lab" };
    return { ...host, state, drained: null };
  };
  const user = { name: "ann", role: "user" };
  const board = {
    name: "lab",
    at,
    last: 0,
    queues: {},
    decisions: [],
    user,
    samples: Array.from({ length: 2880 }, (_, i) => [at - 30 * (2880 - i), hosts - (i % 500), i % 500, 0, i % 90, 50]),
    hosts: Array.from({ length: hosts }, (_, rank) => hostOf(rank, rank % 3 === 0 ? "allocated" : "free")),
    jobs: Array.from({ length: jobs }, (_, i) => jobOf(jobs - i, i < 500 ? "SCHED" : i < 1000 ? "RUN" : "INACTIVE")),
  };
  return ({ url }, answer) => {
    const json = (value: unknown) => answer.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (url === "/")
      answer.setHeader("content-type", "text/html").end(programTexts(consoleProgram)["console/programs/page.html"]);
    else if (url === "/v1/user") json(user);
    else if (url === "/v1/board") json(board);
    else if (url === "/v1/events") sendChanges(answer);
    else answer.writeHead(404).end("{}");
  };

  function sendChanges(answer: http.ServerResponse): void {
    answer.setHeader("content-type", "text/event-stream");
    let [beat, id] = [0, 0];
    const send = (kind: string, value: unknown) =>
      answer.write(`id: ${++id}\nevent: ${kind}\ndata: ${JSON.stringify(value)}\n\n`);
    const timer = setInterval(() => {
      beat++;
      const next = (many: number, of: number) => Array.from({ length: many }, (_, i) => (beat * many + i) % of);
      const [state, hostState] = beat % 2 === 0 ? ["RUN", "allocated"] : ["SCHED", "free"];
      send(
        "jobs",
        next(changes.jobs, 1000).map((i) => ({ f58: jobOf(jobs - i, "").f58, state })),
      );
      send(
        "hosts",
        next(changes.hosts, hosts).map((rank) => hostOf(rank, hostState)),
      );
    }, 250);
    answer.on("close", () => clearInterval(timer));
  }
}
