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
import { splitWords } from "../../shared/quote";
import { ruleOn, rules } from "../../shared/rules";
import { MiniClusterPullPolicy } from "../args";
import { reservedDirectories } from "./paths";
import { containerSecurityContext } from "./security";

/** A text without carriage returns at the ends of its lines: bash and Flux read them as a part of the last word. */
const unixLines = (value: string) => value.replace(/\r(?=\n|$)/g, "");

/** A text of options, which is split into words and not passed to a shell. */
export const words = text.overwrite(unixLines).transform((value, context) => {
  const split = splitWords(value);
  if (split) return split;
  context.addIssue({ code: "custom", message: "a quote is not closed; close it or put a backslash before it" });
  return z.NEVER;
});

export const resources = object({
  limits: map(qualifiedName, leaf(quantity)).optional(),
  requests: map(qualifiedName, leaf(quantity)).optional(),
}).optional();

/** Text inside a script. Neither a ConfigMap nor bash can hold NUL. */
export const scriptText = text.refine((value) => !value.includes("\0"), { error: "must not hold a NUL character" });

/** Text of a script. Files from Windows have other line ends. */
export const code = scriptText.overwrite(unixLines);

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

const sources = ["hostPath", "configMapName", "claimName", "secretName", "emptyDir", "localDisk", "csiDriver"] as const;

/** Source of a volume. */
export type VolumeSource = (typeof sources)[number];

/** Properties that require one source. */
const companions = {
  items: "configMapName",
  emptyDirMedium: "emptyDir",
  emptyDirSizeLimit: "emptyDir",
  localDiskSize: "localDisk",
  csiDriverAttributes: "csiDriver",
} as const;

const volumeFields = object({
  path: absolutePath.optional(),
  hostPath: leaf(absolutePath).optional(),
  configMapName: leaf(objectName).optional(),
  items: map(nonEmptyText, leaf(nonEmptyText)).optional(),
  claimName: leaf(objectName).optional(),
  secretName: leaf(objectName).optional(),
  emptyDir: flag.optional(),
  emptyDirMedium: leaf(text).optional(),
  emptyDirSizeLimit: leaf(quantity).optional(),
  localDisk: flag.optional(),
  localDiskSize: leaf(quantity).optional(),
  csiDriver: leaf(nonEmptyText).optional(),
  csiDriverAttributes: map(nonEmptyText, leaf(text)).optional(),
  readOnly: flag.default(false),
});

type VolumeFields = z.output<typeof volumeFields>;

const volumeRule = ruleOn<VolumeFields>();

/** The rule that a volume has one source and, except for an emptyDir, a path. */
const sourceRule = volumeRule(["path", ...sources], (volume, addIssue) => {
  const { path } = volume;
  const [source, ...further] = sourcesOf(volume);
  if (source === undefined) addIssue(["emptyDir"], `a volume needs a source: one of ${sources.join(", ")}`);
  for (const extra of further) addIssue([extra], `a volume has one source; keep ${source} or ${extra}`);
  if (path === undefined && source !== "emptyDir" && !further.includes("emptyDir"))
    addIssue(["path"], "a volume needs a path, the directory in the container");
});

const pathRule = volumeRule(["path"], ({ path }, addIssue) => {
  if (path !== undefined && reservedDirectories.some((directory) => isWithin(path, directory)))
    addIssue(["path"], `${path} is used by the component itself; choose another directory`);
});

const companionRules = (Object.keys(companions) as (keyof typeof companions)[]).map((key) =>
  volumeRule([key, ...sources], (volume, addIssue) => {
    const source = companions[key];
    if (volume[key] !== undefined && !sourcesOf(volume).includes(source))
      addIssue([key], `requires ${source}; add it or remove this`);
  }),
);

/** A volume of one container. */
export const volume = volumeFields.check(rules(sourceRule, pathRule, ...companionRules));

/** A container of each pod. Defaults that depend on other arguments are set when the spec is built. */
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

/** The parsed fields of a container. */
export type ContainerFields = z.output<typeof container>;

/** True for the container that runs Flux: by default, the only container does. */
export const runsFlux = ({ runFlux }: Pick<ContainerFields, "runFlux">, containers: readonly unknown[]): boolean =>
  runFlux ?? containers.length === 1;

/** Start of the lead broker: with a submitted command, a batch job or a launcher, or without any, for users to connect to. */
export type LaunchMode = "submit" | "batch" | "launcher" | "interactive";

interface LaunchContainer extends Pick<ContainerFields, "runFlux" | "command" | "batch" | "launcher"> {
  commands: { script?: string };
}

/** The start of the lead broker, from the fields of the container that runs Flux. */
export function launchMode({ command, commands, batch, launcher }: Omit<LaunchContainer, "runFlux">): LaunchMode {
  const hasCommand = command?.trim() || commands.script?.trim();
  if (!hasCommand) return "interactive";
  if (batch) return "batch";
  return launcher ? "launcher" : "submit";
}

/** Fields that `launchModes` reads. */
export const launchFields = (["runFlux", "command", "commands.script", "batch", "launcher"] as const).map(
  (field) => `containers[].${field}` as const,
);

/** The start of the lead broker for each container that runs Flux: several do until a rule has rejected them. */
export const launchModes = ({ containers }: { containers: (LaunchContainer | undefined)[] }) =>
  containers
    .filter((container) => container !== undefined)
    .filter((container) => runsFlux(container, containers))
    .map(launchMode);

/** Name of a container of the brokers' pods, if it has one. The container that runs Flux is named after the cluster. */
export const nameOf = (
  container: Pick<ContainerFields, "name" | "runFlux">,
  { name, containers }: { name: string; containers: readonly unknown[] },
) => container.name ?? (runsFlux(container, containers) ? name : undefined);

// The directory of shared memory for MPI libraries.
const sharedMemory = "/dev/shm";

/** Directory of a volume in its container. */
export const pathOfVolume = ({ path = sharedMemory }: Pick<VolumeFields, "path">) => path;

/** A volume with a known source and a path. */
export const buildVolumeSpec = (volume: VolumeFields) => ({
  ...volume,
  // By the rules, a volume has exactly one source.
  source: sourcesOf(volume)[0] as VolumeSource,
  path: pathOfVolume(volume),
});

export type VolumeSpec = ReturnType<typeof buildVolumeSpec>;

const sourcesOf = (volume: Pick<VolumeFields, VolumeSource>): VolumeSource[] =>
  sources.filter((source) => volume[source] !== undefined && volume[source] !== false);

/** True for a directory itself and for every path in it. */
export function isWithin(path: unknown, directory: string): boolean {
  return typeof path === "string" && `${path}/`.startsWith(`${directory.replace(/\/+$/, "")}/`);
}
