import { z } from "zod";
import {
  absolutePath,
  choice,
  dnsLabel,
  flag,
  leaf,
  list,
  map,
  nonEmptyText,
  object,
  objectName,
  qualifiedName,
  quantity,
  serviceName,
  tcpPort,
  text,
  variableName,
} from "../../shared/checks";
import { MiniClusterPullPolicy } from "../args";
import { splitWords } from "../flux/quote";
import { containerSecurityContext } from "./security";
import { volume } from "./volume";

/** An option text that is parted into words, and never read by a shell. */
export const words = text.transform((value, context) => {
  const split = splitWords(value);
  if (split) return split;
  context.addIssue({ code: "custom", message: "a quote is not closed; close it or put a backslash before it" });
  return z.NEVER;
});

export const resources = object({
  limits: map(qualifiedName, leaf(quantity)).optional(),
  requests: map(qualifiedName, leaf(quantity)).optional(),
}).optional();

/** Text of a script. NUL cannot stand in a ConfigMap, nor in bash. */
export const code = text.refine((value) => !value.includes("\0"), { error: "must not hold a NUL character" });

const commands = object({
  prefix: words.optional(),
  script: code.optional(),
  init: code.optional(),
  pre: code.optional(),
  post: code.optional(),
  brokerPre: code.optional(),
  workerPre: code.optional(),
  servicePre: code.optional(),
});

const hook = code.refine((value) => value.trim() !== "", { error: "needs a command; leave it out for none" });

const lifeCycle = object({ postStartExec: hook.optional(), preStopExec: hook.optional() });

/** A container of each pod. Defaults that depend on other arguments are set where the spec is settled. */
export const container = object({
  image: leaf(nonEmptyText),
  name: dnsLabel.optional(),
  command: code.optional(),
  workingDir: leaf(absolutePath).optional(),
  runFlux: flag.optional(),
  launcher: flag.default(false),
  batch: flag.default(false),
  batchRaw: flag.default(false),
  logs: absolutePath.optional(),
  noWrapEntrypoint: flag.default(false),
  imagePullSecret: leaf(objectName).optional(),
  imagePullPolicy: choice(MiniClusterPullPolicy).optional(),
  pullAlways: flag.default(false),
  ports: list(tcpPort).default([]),
  serviceName: serviceName.optional(),
  environment: map(variableName, leaf(text)).default({}),
  secrets: map(variableName, object({ name: leaf(objectName), key: leaf(nonEmptyText) })).default({}),
  resources,
  securityContext: containerSecurityContext.prefault({}),
  lifeCycle: lifeCycle.prefault({}),
  commands: commands.prefault({}),
  volumes: map(dnsLabel, volume).default({}),
});

/** A container as its own fields are parsed. */
export type ContainerFields = z.output<typeof container>;

/** True for the container that runs Flux: the only one does unless it says otherwise. */
export const runsFlux = ({ runFlux }: Pick<ContainerFields, "runFlux">, containers: readonly unknown[]): boolean =>
  runFlux ?? containers.length === 1;

/** Start of the lead broker: with a submitted command, a batch job or a launcher, or with nothing, to be connected to. */
export type LaunchMode = "submit" | "batch" | "launcher" | "interactive";

/** The start of the lead broker, by the container that runs Flux. */
export function launchMode(
  interactive: boolean,
  {
    command,
    commands,
    batch,
    launcher,
  }: Pick<ContainerFields, "command" | "batch" | "launcher"> & {
    commands: { script?: string };
  },
): LaunchMode {
  const hasCommand = command?.trim() || commands.script?.trim();
  if (interactive || !hasCommand) return "interactive";
  if (batch) return "batch";
  return launcher ? "launcher" : "submit";
}

/** Name of a container of the brokers' pods, if it has one: the one that runs Flux takes that of the cluster. */
export const nameOf = (
  container: ContainerFields,
  { name, containers }: { name: string; containers: ContainerFields[] },
) => container.name ?? (runsFlux(container, containers) ? name : undefined);
