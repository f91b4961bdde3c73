import { readMiniClusterManifest } from "../../provider";
import { aManifest } from "../support/manifestTexts";
import { manifestsOf } from "../support/manifests";

/** The measurements of one process of `rendering.ts`, in milliseconds. */
export interface RenderTimes {
  first: number;
  later: number[];
}

const warmUp = 300;

/** From what there is to start with to the objects: arguments of a size, or a manifest of so many lines. */
const works = {
  arguments: (size: number) => () => manifestsOf({ size }),
  manifest: (lines: number) => {
    // Most lines of it are variables, as in long ones that people write.
    const variables = Array.from({ length: lines - 10 }, (_, index) => `      NAME_${index}: value-${index}`);
    const spec = ["size: 4", "containers:", "  - image: a", "    command: b", "    environment:", ...variables];
    const text = aManifest(spec.join("\n"));
    return () => readMiniClusterManifest(text).map(({ args }) => manifestsOf(args));
  },
};

export type RenderWork = keyof typeof works;

async function main([work, amount, runs]: string[]): Promise<void> {
  const run = works[work as RenderWork](Number(amount));
  const times: number[] = [];
  for (let call = 0; call < 1 + warmUp + Number(runs); call++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
    // The certificate is written after the call, and must not run into the time of the next one.
    await new Promise(setImmediate);
  }
  const result: RenderTimes = { first: times[0] as number, later: times.slice(1 + warmUp) };
  process.stdout.write(JSON.stringify(result));
}

void main(process.argv.slice(2));
