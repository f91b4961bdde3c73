import { createHmac } from "node:crypto";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { hashKnown } from "../../shared/deferred";
import { sorted } from "../../shared/objects";
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
  /** True for a study with a secret, such as a variable. */
  isSecret?: boolean;
  /** Key of the hashes of its secret parts: without a key, a short secret could be found by trying all values. */
  key?: string;
}

/**
 * The properties that determine the result of a run, by name: a change of any property repeats the run. Each value is a
 * hash or a short text.
 */
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

function identityOf(spec: StudySpec, app: AppSpec): Identity {
  const { image = "", machineType = "", isSecret, key } = spec;
  const hash = isSecret && key !== undefined ? keyedHash(key) : hashKnown;
  const isKnown = !Object.values(app.environment).includes(unknownValue);
  return {
    command: hashKnown(app.command),
    tasks: String(app.tasksPerNode),
    gpus: String(app.gpusPerTask),
    environment: isKnown ? hash(variablesOf(app)) : unknownValue,
    pattern: hashKnown(app.figure?.pattern ?? ""),
    image: hash === hashKnown || image === "" || image === unknownValue ? image : hash(image),
    machine: machineType,
  };
}

const keyedHash = (key: string) => (value: unknown) =>
  createHmac("sha256", key)
    .update(JSON.stringify(sorted(value)))
    .digest("hex");

const variablesOf = ({ environment }: AppSpec) =>
  Object.entries(environment).sort(([one], [other]) => (one < other ? -1 : 1));

/**
 * Parts of the identity of a run that differ from the identity of a former result, and parts that are known only after
 * apply.
 */
export function changesOf(
  spec: StudySpec,
  { app, identity }: Run,
  former: Identity,
): { changed: string[]; open: string[] } {
  const parts = Object.keys(identityWords);
  const open = parts.filter((part) => identity[part] === unknownValue);
  const others = parts.filter((part) => !open.includes(part) && identity[part] !== (former[part] ?? ""));
  const settings = spec.apps[app];
  if (others.length === 0 || !settings) return { changed: others, open };
  // The former identity may have been stored without a secret, or with one: by another version of this package or program.
  const plain = identityOf({ ...spec, isSecret: false }, settings);
  const hidden = identityOf({ ...spec, isSecret: true }, settings);
  const isSame = (part: string) => {
    const old = former[part] ?? "";
    // An unknown image or machine type is not a difference.
    const isMissing = unknowable.includes(part) && (old === "" || identity[part] === "");
    return isMissing || plain[part] === old || hidden[part] === old;
  };
  return { open, changed: others.filter((part) => !isSame(part)) };
}

const unknowable = ["image", "machine"];

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
