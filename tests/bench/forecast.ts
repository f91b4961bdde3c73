import { MiniCluster, type MiniClusterArgs } from "../../provider";
import { realArgs } from "../real/clusters";
import { lab } from "../real/lab";
import { viewVariable } from "../sandbox/real";
import { messages } from "../support/clusters";
import { aMiniClusterArgs } from "../support/fixtures";
import { withStack } from "./realNodes";

/** The time of one preview. */
export interface ForecastFigures {
  /** Jobs that wait, or "no instance" for a cluster that is only created. */
  waiting: number | "no instance";
  /** Whether the cluster has the forecast. */
  hasForecast: boolean;
  run: number;
  /** Milliseconds of the preview. */
  millis: number;
  /** A real Flux, or the stand-in. */
  flux: string;
}

/** Times of the preview of a resize with and without a forecast, in turn, with more and more jobs that wait. */
export async function measureForecast(
  runs: number,
  jobs: number,
  report: (line: string) => void,
): Promise<ForecastFigures[]> {
  const flux = process.env[viewVariable] ? "a real Flux" : "the stand-in of Flux";
  const figures: ForecastFigures[] = [];
  let args: Partial<MiniClusterArgs> = {};
  // The program runs in this process, and reads the queue from here.
  process.env["KUBECONFIG"] = lab().kubeconfigPath;
  const program = (namespace: string) => () => {
    new MiniCluster("demo", aMiniClusterArgs({ namespace, ...realArgs({ interactive: true, maxSize: 4, ...args }) }));
    return Promise.resolve({});
  };
  await withStack(program, async (stack, look) => {
    const measure = async (waiting: ForecastFigures["waiting"], size: number) => {
      for (let run = 0; run <= runs; run++)
        for (const hasForecast of [false, true]) {
          args = { size, forecast: hasForecast };
          const start = performance.now();
          const preview = await stack.preview();
          const millis = performance.now() - start;
          const isSaid = messages(preview, "info").some((line) => line.includes("waiting jobs end by"));
          if (isSaid !== (hasForecast && typeof waiting === "number" && waiting > 0))
            throw new Error(`the preview with ${waiting} waiting jobs ${isSaid ? "has" : "lacks"} a forecast`);
          report(`preview, ${waiting} waiting, ${hasForecast ? "with" : "without"} a forecast, run ${run} of ${runs}`);
          // The first one warms up the engine.
          if (run > 0) figures.push({ waiting, hasForecast, run, millis, flux });
        }
    };
    await measure("no instance", 2);
    args = { size: 2 };
    await stack.up();
    await look.hosts(2);
    await measure(0, 4);
    await look.flux(`flux submit --cc=1-${jobs} -N2 -t 10m sleep 600`);
    await measure(jobs - 1, 4);
    await look.flux("flux cancel --all");
  });
  return figures;
}
