import { manifestsOf } from "../support/manifests";

/** What one process of `rendering.ts` finds out, in milliseconds. */
export interface RenderTimes {
  first: number;
  later: number[];
}

const warmUp = 300;

function renderOnce(size: number): number {
  const start = performance.now();
  manifestsOf({ size });
  return performance.now() - start;
}

async function main([size, runs]: number[]): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < 1 + warmUp + (runs ?? 0); run++) {
    times.push(renderOnce(size ?? 1));
    // The certificate is written after the call, and must not run into the time of the next one.
    await new Promise(setImmediate);
  }
  const result: RenderTimes = { first: times[0] as number, later: times.slice(1 + warmUp) };
  process.stdout.write(JSON.stringify(result));
}

void main(process.argv.slice(2).map(Number));
