import { spawn } from "node:child_process";
import { buildMissing, executable } from "../sandbox/build/binaries";
import { prometheusModule } from "../sandbox/build/modules";

/** What a target has answered, and when. */
export interface Scrape {
  /** Milliseconds since the epoch. */
  time: number;
  text: string;
}

/** What Prometheus makes of scrapes. */
export interface Evaluation {
  /** What its linter has to say of the metrics. */
  problems: { Metric: string; Text: string }[];
  /** What each query reads, and the series that it comes to. */
  results: { metrics: string[]; series: Series[] }[];
}

/** Values over time, with Unix times in seconds. */
export interface Series {
  metric: Record<string, string>;
  values: [time: number, value: string][];
}

/** Reads scrapes and evaluates queries over all of their time, by the parsers and the engine of Prometheus itself. */
export async function askPrometheus(
  scrapes: Scrape[],
  queries: string[] = [],
  { target = {}, stepSeconds = 60 }: { target?: Record<string, string>; stepSeconds?: number } = {},
): Promise<Evaluation> {
  await buildMissing([prometheusModule]);
  const asked = spawn(executable(prometheusModule, "prometheus"), { stdio: ["pipe", "pipe", "pipe"] });
  const [output, errors] = [asked.stdout, asked.stderr].map((stream) => stream.setEncoding("utf8").toArray());
  asked.stdin.end(JSON.stringify({ scrapes, queries, target, stepSeconds }));
  const status = await new Promise((resolve) => asked.on("close", resolve));
  if (status !== 0) throw new Error(((await errors) as string[]).join(""));
  return JSON.parse(((await output) as string[]).join("")) as Evaluation;
}
