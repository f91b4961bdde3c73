import { startLab, stopLab } from "../real/lab";
import type { RatesName } from "../sandbox/controlPlane/commands";
import { realNodesObstacle } from "../sandbox/real";
import type { Figures, Recording } from "./figures";
import { measurePackage, measurePlugins } from "./plugins";
import { measureRealNodes } from "./realNodes";
import { countTemplates, measureRendering } from "./rendering";
import type { Ground } from "./scale/ground";
import { travel } from "./scale/journey";
import { clusterJourneys, type Effort, measuredRates, runsOf, stackJourneys } from "./scale/plan";
import { measurePools } from "./scale/pools";

/** What a part is measured with. */
export interface Means {
  effort: Effort;
  ground: Ground;
  tell: (line: string) => void;
}

type Measured<P extends PartName> = NonNullable<Figures[P]> extends Recording<infer T> ? T : never;

/** What can be measured by itself. Figures come one by one, so that each can be kept at once. */
export const parts: {
  [P in PartName]: { rates?: RatesName[]; measure: (means: Means) => AsyncGenerator<Measured<P>> };
} = {
  rendering: {
    async *measure({ effort }) {
      yield* await measureRendering(effort.render);
    },
  },
  templates: {
    async *measure() {
      yield* await Promise.resolve(countTemplates());
    },
  },
  plugin: {
    async *measure({ effort }) {
      yield* await measurePlugins(effort.runs);
    },
  },
  package: {
    async *measure() {
      yield await Promise.resolve(measurePackage());
    },
  },
  pools: {
    rates: ["raised"],
    async *measure({ effort, ground }) {
      for (const run of runsOf(effort.runs)) for (const pools of effort.pools) yield measurePools(ground, pools, run);
    },
  },
  stack: {
    rates: measuredRates,
    async *measure({ effort, ground }) {
      for (const journey of stackJourneys(effort)) yield* await travel(ground, journey);
    },
  },
  cluster: {
    rates: measuredRates,
    async *measure({ effort, ground }) {
      for (const journey of clusterJourneys(effort)) yield* await travel(ground, journey);
    },
  },
  real: {
    rates: ["raised"],
    async *measure({ effort, tell }) {
      const obstacle = realNodesObstacle();
      if (obstacle) throw new Error(obstacle);
      await startLab();
      try {
        yield* await measureRealNodes(effort.runs, tell);
      } finally {
        await stopLab();
      }
    },
  },
};

/** What a part is called, on the command line and in the file of the figures. */
export type PartName = keyof Figures;

export const isPart = (name: string): name is PartName => name in parts;

/** Those that need no real nodes. */
export const usualParts = (Object.keys(parts) as PartName[]).filter((name) => name !== "real");
