import { hashKnown } from "../../shared/deferred";
import type { StudyBetter, StudyScaling, StudyWait } from "../args";

/** An application, with all defaults. */
export interface AppSpec {
  command: string;
  tasksPerNode: number;
  gpusPerTask: number;
  environment: Record<string, string>;
  timeoutSeconds: number;
  figure?: { pattern: string; unit?: string; better: StudyBetter };
  scaling: StudyScaling;
}

/** The content of a study in the state of the stack. */
export interface StudySpec {
  name: string;
  sizes: number[];
  repeats: number;
  apps: Record<string, AppSpec>;
  retries: number;
  wait: StudyWait;
  /** Image that runs the applications, if it is known. */
  image?: string;
  /** Machine type of the hosts, if it is known. */
  machineType?: string;
  /** Price of a host per hour, and its currency. */
  pricePerHour?: number;
  currency?: string;
}

/** The properties that determine the result of a run, by name: a change of one repeats the run. Each is a hash or a short text. */
export type Identity = Record<string, string>;

/** One run of an application at a size. */
export interface Run {
  id: string;
  app: string;
  size: number;
  repeat: number;
  identity: Identity;
}

/** Parts of an identity, with the words for a change of each. */
export const identityWords: Record<string, string> = {
  command: "command",
  tasks: "tasksPerNode",
  gpus: "gpusPerTask",
  environment: "environment",
  pattern: "figure.pattern",
  image: "image",
  machine: "machine type",
};

function identityOf({ image = "", machineType = "" }: StudySpec, app: AppSpec): Identity {
  const environment = Object.entries(app.environment).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    command: hashKnown(app.command),
    tasks: String(app.tasksPerNode),
    gpus: String(app.gpusPerTask),
    environment: hashKnown(environment),
    pattern: hashKnown(app.figure?.pattern ?? ""),
    image,
    machine: machineType,
  };
}

/** All runs of a study in order: the largest size first, so that the cluster shrinks. */
export function runsOf(spec: StudySpec): Run[] {
  const sizes = [...spec.sizes].sort((one, other) => other - one);
  const repeats = Array.from({ length: spec.repeats }, (_, index) => index + 1);
  return sizes.flatMap((size) =>
    Object.entries(spec.apps).flatMap(([app, settings]) => {
      const identity = identityOf(spec, settings);
      return repeats.map((repeat) => ({ id: hashKnown([app, size, repeat, identity]), app, size, repeat, identity }));
    }),
  );
}

/** Tasks of a run. */
export const tasksOf = ({ apps }: StudySpec, { app, size }: Pick<Run, "app" | "size">): number =>
  size * (apps[app]?.tasksPerNode ?? 1);
