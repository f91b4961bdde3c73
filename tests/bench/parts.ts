import { startLab, stopLab } from "../real/lab";
import type { RatesName } from "../sandbox/controlPlane/commands";
import { realNodesObstacle } from "../sandbox/real";
import type { Figures, Recording } from "./figures";
import { measureConsole } from "./consoleLoad";
import { measureConsolePage } from "./consolePage";
import { measureForecast } from "./forecast";
import { measurePackage, measurePlugins } from "./plugins";
import { measureRealNodes } from "./realNodes";
import { countTemplates, measureRendering } from "./rendering";
import type { Ground } from "./scale/ground";
import { isKnown, type Journey, journeyName, lookAhead, travel } from "./scale/journey";
import {
  clusterJourneys,
  type Effort,
  groupJourneys,
  measuredRates,
  poolJourneys,
  runsOf,
  stackJourneys,
} from "./scale/plan";
import type { Step } from "./scale/step";

/** What a part is measured with. */
export interface Means {
  effort: Effort;
  ground: Ground;
  report: (line: string) => void;
  /** What of the part is recorded already, and need not be measured again. */
  kept?: Figures[PartName];
  /** Only what has this in its name is measured. */
  grep: string;
}

type Measured<P extends PartName> = NonNullable<Figures[P]> extends Recording<infer T> ? T : never;

/** A part that can be measured separately. Figures are reported one by one, so that each is recorded at once. */
export const parts: {
  [P in PartName]: {
    rates?: RatesName[];
    /** Whether it takes so long that it may be continued later. */
    isLong?: true;
    measure: (means: Means) => AsyncGenerator<Measured<P>>;
  };
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
    rates: measuredRates,
    isLong: true,
    async *measure(means) {
      yield* travelAll(means, poolJourneys(means.effort));
    },
  },
  groups: {
    rates: measuredRates,
    isLong: true,
    async *measure(means) {
      yield* travelAll(means, groupJourneys(means.effort));
    },
  },
  previews: {
    rates: ["raised"],
    async *measure({ effort, ground }) {
      for (const run of runsOf(effort.runs))
        for (const change of effort.previews) yield lookAhead(ground, { ...change, run });
    },
  },
  stack: {
    rates: measuredRates,
    isLong: true,
    async *measure(means) {
      yield* travelAll(means, stackJourneys(means.effort));
    },
  },
  cluster: {
    rates: measuredRates,
    isLong: true,
    async *measure(means) {
      yield* travelAll(means, clusterJourneys(means.effort));
    },
  },
  page: {
    async *measure({ effort }) {
      yield* measureConsolePage(effort.runs, effort.page);
    },
  },
  real: {
    rates: ["raised"],
    async *measure({ effort, report }) {
      yield* withRealNodes(async function* () {
        yield* await measureRealNodes(effort.runs, report);
      });
    },
  },
  forecast: {
    rates: ["raised"],
    async *measure({ effort, report }) {
      yield* withRealNodes(async function* () {
        yield* await measureForecast(effort.runs, effort.waiting, report);
      });
    },
  },
  console: {
    rates: ["raised"],
    async *measure({ effort, report }) {
      yield* withRealNodes(() => measureConsole(effort.runs, effort.jobs, report));
    },
  },
};

async function* withRealNodes<T>(measure: () => AsyncGenerator<T>): AsyncGenerator<T> {
  const obstacle = realNodesObstacle();
  if (obstacle) throw new Error(obstacle);
  await startLab();
  try {
    yield* measure();
  } finally {
    await stopLab();
  }
}

async function* travelAll({ ground, kept, grep }: Means, journeys: Journey[]): AsyncGenerator<Step> {
  const known = (kept?.measured ?? []) as Step[];
  for (const journey of journeys)
    if (!isKnown(journey, known) && journeyName(journey).includes(grep)) yield* await travel(ground, journey);
}

/** What a part is called, on the command line and in the file of the figures. */
export type PartName = keyof Figures;

export const isPart = (name: string): name is PartName => name in parts;

/** Those that need no real nodes. */
export const usualParts = (Object.keys(parts) as PartName[]).filter(
  (name) => !["real", "console", "forecast"].includes(name),
);
