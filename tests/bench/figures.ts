import * as fs from "node:fs";
import * as path from "node:path";
import type { PartRates, RatesName } from "../sandbox/controlPlane/commands";
import type { ConsoleLoadFigures } from "./consoleLoad";
import type { ConsolePageFigures } from "./consolePage";
import type { ForecastFigures } from "./forecast";
import type { PackageFigures, PluginStart } from "./plugins";
import type { Distinct, Rendering } from "./rendering";
import type { RealNodeFigures } from "./realNodes";
import type { Step } from "./scale/step";

/** All measurements, by part: the data of the plots, tables and targets on the page of the figures. */
export interface Figures {
  cluster?: Recording<Step>;
  stack?: Recording<Step>;
  /** Previews alone. */
  previews?: Recording<Step>;
  /** Many clusters in one stack, each on a separate pool of nodes. */
  pools?: Recording<Step>;
  /** One cluster with groups of workers. */
  groups?: Recording<Step>;
  rendering?: Recording<Rendering>;
  templates?: Recording<Distinct>;
  plugin?: Recording<PluginStart>;
  package?: Recording<PackageFigures>;
  real?: Recording<RealNodeFigures>;
  /** Previews with and without a forecast of the queue. */
  forecast?: Recording<ForecastFigures>;
  /** Jobs that pass while many readers follow the console. */
  console?: Recording<ConsoleLoadFigures>;
  /** The web page of the console. */
  page?: Recording<ConsolePageFigures>;
}

/** One part, with the facts for its targets. */
export interface Recording<T> {
  recorded: Surroundings;
  measured: T[];
}

/** Date and machine of a measurement. */
export interface Surroundings {
  /** The day, as in 2026-11-22. */
  date: string;
  /** The version of this package, and the commit that it was built from. */
  package: string;
  /** How often each figure was measured. */
  runs: number;
  /** What the machine is and runs, by name. */
  machine: Record<string, string>;
  /** The rates of the controllers, where a cluster was part of it. */
  rates?: Partial<Record<RatesName, { controllerManager: PartRates; scheduler: PartRates }>>;
}

/** The figures of the last recorded run, which the site has as well. */
export const figuresFile = path.resolve(__dirname, "../../docs/public/figures.json");

export const readFigures = (): Figures =>
  fs.existsSync(figuresFile) ? (JSON.parse(fs.readFileSync(figuresFile, "utf8")) as Figures) : {};

/** Replaces the earlier record of a part; the others stay. */
export function recordPart<P extends keyof Figures>(part: P, recording: Figures[P]): void {
  fs.writeFileSync(figuresFile, figuresText({ ...readFigures(), [part]: recording }));
}

/** JSON with one measurement in each line, so that a difference between two runs can be read. */
function figuresText(figures: Figures): string {
  const parts = Object.entries(figures)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([part, { recorded, measured }]: [string, Recording<unknown>]) => {
      const lines = measured.map((each) => `      ${JSON.stringify(each)}`).join(",\n");
      return `  "${part}": {\n    "recorded": ${JSON.stringify(recorded)},\n    "measured": [\n${lines}\n    ]\n  }`;
    });
  return `{\n${parts.join(",\n")}\n}\n`;
}
