import { jobLines } from "./jobLines";
import { bash } from "../../shared/bash";
import { isDeferred } from "../../shared/deferred";
import { isPlainObject } from "../../shared/objects";
import { type AddIssue, type Rule, forEachItem, onItems, type Picked, prefixPath, ruleOn } from "../../shared/rules";
import { type ContainerFields, isWithin, nameOf, pathOfVolume, runsFlux } from "./container";
import type { BrokerPodsFields } from "./fields";
import { reservedVolumeNames } from "./names";
import { leadVariable, outputVariable } from "./paths";

/** The fields of a container that its rules read. */
type RuledContainer = ContainerFields & {
  /** True for the container that runs Flux. */
  isBroker: boolean;
};

/** A rule within a container, wherever it runs. */
export const containerRule = ruleOn<RuledContainer>();

/** Rules on each container of the brokers' pods, or on each of the services, none of which runs Flux. */
export const eachContainer = (list: "containers" | "services", ...rules: Rule<RuledContainer>[]) =>
  onItems<BrokerPodsFields, RuledContainer>(
    list,
    ({ [list]: containers }) =>
      containers.map((container) =>
        // A value other than an object is invalid as a whole, and no rule reads it.
        isPlainObject(container)
          ? { ...container, isBroker: list === "containers" && runsFlux(container, containers) }
          : container,
      ),
    ...rules,
  );

/** Fields that decide whether a container runs Flux. */
const brokerFields = ["isBroker", "runFlux"] as const;

const onlyFor = (owner: string) => `is only for ${owner}; remove it or move it there`;
const sidecar = "a container that does not run Flux";
const broker = "the container that runs Flux";

// They run around a broker.
export const brokerPieces = ["prefix", "pre", "brokerPre", "workerPre"] as const;
export const brokerFlags = ["launcher", "batch", "batchRaw"] as const;

const pieceRules = [...brokerPieces, "servicePre" as const].map((piece) =>
  containerRule([...brokerFields, `commands.${piece}`], ({ commands, isBroker }, addIssue) => {
    const isOfSidecar = piece === "servicePre";
    if (commands[piece] !== undefined && isBroker === isOfSidecar)
      addIssue(["commands", piece], onlyFor(isOfSidecar ? sidecar : broker));
  }),
);

const brokerOnlyRules = [
  ...brokerFlags.map((key) =>
    containerRule([...brokerFields, key], (container, addIssue) => {
      if (!container.isBroker && container[key]) addIssue([key], onlyFor(broker));
    }),
  ),
  containerRule([...brokerFields, "logs"], ({ isBroker, logs }, addIssue) => {
    if (!isBroker && logs !== undefined) addIssue(["logs"], onlyFor(broker));
  }),
];

const sidecarOnlyRule = containerRule([...brokerFields, "noWrapEntrypoint"], (container, addIssue) => {
  if (container.isBroker && container.noWrapEntrypoint) addIssue(["noWrapEntrypoint"], onlyFor(sidecar));
});

const scriptRule = containerRule(["command", "commands.script"], ({ command, commands }, addIssue) => {
  if (commands.script !== undefined && command !== undefined)
    addIssue(["commands", "script"], "script replaces command; keep one of them");
});

// Rules on code that bash cannot parse. Each line of a batch job is parsed separately.
const commandShellRule = containerRule(
  ["command", "batch", "batchRaw"],
  ({ command = "", batch, batchRaw }, addIssue) => {
    // A batch job's own script may be for another interpreter.
    if (batch && batchRaw && /^#!(?!.*\b(ba)?sh\b)/.test(command)) return;
    const lines = batch && !batchRaw ? jobLines(command) : [[0, command] as const];
    for (const [before, text] of lines) shellRule(text, before, prefixPath(addIssue, "command"));
  },
);
const scriptShellRule = containerRule(["commands.script"], ({ commands: { script = "" } }, addIssue) =>
  shellRule(script, 0, prefixPath(addIssue, "commands", "script")),
);

/** The rule that bash can parse a text, which begins after `before` lines of the argument. */
function shellRule(text: string, before: number, addIssue: AddIssue): void {
  const [error] = bash().parse(text).errors ?? [];
  if (!error) return;
  const line = before + text.slice(0, error.pos).split("\n").length;
  addIssue([], `bash cannot parse it, line ${line}: ${error.message}; correct it`);
}

/** Code around the command of a container that does not run Flux needs a start script, and that needs a command. */
const wrapRule = containerRule(
  [...brokerFields, "command", "commands", "noWrapEntrypoint"],
  ({ command, commands, noWrapEntrypoint, isBroker }, addIssue) => {
    if (isBroker || Object.values(commands).every((piece) => piece === undefined)) return;
    if (noWrapEntrypoint)
      addIssue(["commands"], "need a start script, which noWrapEntrypoint omits; remove one of them");
    else if (command === undefined && commands.script === undefined)
      addIssue(["commands"], "require a command; this container uses its image's entrypoint: add command or script");
  },
);

// Each job becomes a line of at least 84 bytes, and a ConfigMap holds one mebibyte.
const mostJobs = 12_500;

const batchRules = [
  containerRule([...brokerFields, "batch", "batchRaw"], ({ isBroker, batch, batchRaw }, addIssue) => {
    if (isBroker && !batch && batchRaw) addIssue(["batchRaw"], "requires batch; add batch: true or remove it");
  }),
  containerRule([...brokerFields, "batch", "launcher"], ({ isBroker, batch, launcher }, addIssue) => {
    if (isBroker && batch && launcher)
      addIssue(["launcher"], "a launcher submits its own jobs; keep launcher or batch");
  }),
  containerRule([...brokerFields, "batch", "commands.script"], ({ isBroker, batch, commands }, addIssue) => {
    if (isBroker && batch && commands.script !== undefined)
      addIssue(
        ["commands", "script"],
        "a batch job takes its script from command; move it there and set batchRaw: true",
      );
  }),
  containerRule(
    [...brokerFields, "batch", "batchRaw", "command"],
    ({ isBroker, batch, batchRaw, command = "" }, addIssue) => {
      if (!isBroker || !batch) return;
      if (command.trim() === "")
        addIssue(["batch"], "a batch job needs a command with its lines; add command or remove batch");
      const lines = batchRaw ? 0 : jobLines(command).length;
      if (lines > mostJobs)
        addIssue(["command"], `has ${lines} jobs, more than a ConfigMap can hold; write a loop with batchRaw: true`);
    },
  ),
];

const variablesRule = containerRule(["environment[]", "secrets[]"], environmentRule);

const outputVariableRule = containerRule(
  [...brokerFields, "environment[]", "secrets[]"],
  ({ environment, secrets, isBroker }, addIssue) => {
    if (isBroker) outputRule({ environment, secrets }, addIssue);
  },
);

/** The rules within a container, wherever it runs. */
export const containerOwnRules = [scriptRule, commandShellRule, scriptShellRule, wrapRule, variablesRule];

const rule = ruleOn<BrokerPodsFields>();

const oneBrokerRule = rule(["containers.*.runFlux"], ({ containers }, addIssue) => {
  const brokers = containers.filter((container) => runsFlux(container, containers)).length;
  if (brokers !== 1)
    addIssue(["containers"], `${brokers} containers run Flux; set runFlux: true on exactly one of them`);
});

/** Fields that `viewNameOf` reads. */
export const viewFields = ["flux.container.disable", "flux.container.imageVolume", "flux.container.name"] as const;

/** Name of the container that copies the view, if there is one. */
export const viewNameOf = ({ flux: { container } }: Picked<BrokerPodsFields, (typeof viewFields)[number]>) =>
  container.disable || container.imageVolume ? undefined : container.name;

const containerNamesRule = rule(
  ["name", "containers[].name", "containers[].runFlux", ...viewFields],
  (fields, addIssue) => {
    const names = new Map<string | undefined, string>([[viewNameOf(fields), "flux.container"]]);
    forEachItem(fields.containers, (container, index) => {
      const name = nameOf(container, fields);
      const at = prefixPath(addIssue, "containers", index);
      if (name === undefined) {
        if (!runsFlux(container, fields.containers))
          at(["name"], "a container that does not run Flux needs a name; give it one");
        return;
      }
      const holder = names.get(name);
      if (holder) at(["name"], `"${name}" is also the name of ${holder}; rename one of them`);
      names.set(name, `containers[${index}]`);
    });
  },
);

/** The rules within one container of the brokers' pods and between them. */
export const containerRules: Rule<BrokerPodsFields>[] = [
  oneBrokerRule,
  containerNamesRule,
  ...eachContainer(
    "containers",
    ...containerOwnRules,
    ...pieceRules,
    ...brokerOnlyRules,
    sidecarOnlyRule,
    ...batchRules,
    outputVariableRule,
  ),
  rule(["containers[].volumes[]"], ({ containers }, addIssue) => sharedVolumeRule(containers, "containers", addIssue)),
];

/** The rule on the volumes of the brokers' pods, all of which have the Flux volume. */
export function volumesRule(
  { containers }: Picked<BrokerPodsFields, "containers[].volumes[]">,
  fluxVolume: string,
  addIssue: AddIssue,
): void {
  forEachItem(containers, ({ volumes }, index) =>
    volumePathRule(volumes, fluxVolume, prefixPath(addIssue, "containers", index)),
  );
}

/** Variables that the scripts of the brokers read. */
export const ownVariables = ["MINICLUSTER_SIZE", leadVariable, "JOB_COMPLETION_INDEX"];

type Variables = Partial<Pick<ContainerFields, "environment" | "secrets">>;

/** The rule on the variables of a container. */
export function environmentRule({ environment = {}, secrets = {} }: Variables, addIssue: AddIssue): void {
  for (const [map, variables] of Object.entries({ environment, secrets }))
    for (const name of Object.keys(variables))
      if (ownVariables.includes(name))
        addIssue([map, name], "is set by the component or by Kubernetes; choose another name");
  for (const name of Object.keys(secrets))
    if (Object.hasOwn(environment, name)) addIssue(["secrets", name], "is also in environment; keep one of them");
}

/** The rule that only one argument sets the directory for output, so that a batch job and the scripts use the same directory. */
export function outputRule(variables: Variables, addIssue: AddIssue): void {
  for (const [map, names] of Object.entries(variables))
    if (Object.hasOwn(names, outputVariable))
      addIssue([map, outputVariable], "is set by logs of the container; set the directory there");
}

type Volumes = ContainerFields["volumes"];

/** The rule on the volumes of one container. A pod without Flux has no Flux volume. */
export function volumePathRule(volumes: Volumes, fluxVolume: string | undefined, addIssue: AddIssue): void {
  const taken = new Map<string, string>();
  for (const name of Object.keys(volumes)) {
    if (reservedVolumeNames.includes(name))
      addIssue(["volumes", name], "is the name of one of the component's own volumes; choose another name");
    const path = pathOfVolume(volumes[name] ?? {});
    if (fluxVolume !== undefined && isWithin(path, fluxVolume))
      addIssue(["volumes", name, "path"], `${path} is on the Flux volume at ${fluxVolume}; choose another directory`);
    const holder = taken.get(path);
    if (holder !== undefined)
      addIssue(["volumes", name, "path"], `${path} is also the path of volume "${holder}"; choose another directory`);
    taken.set(path, name);
  }
}

type Volume = Volumes[string];

/** The rule between the containers of a pod: volumes with one name are one volume. */
export function sharedVolumeRule(
  containers: (Pick<ContainerFields, "volumes"> | undefined)[],
  list: "containers" | "services",
  addIssue: AddIssue,
): void {
  const first = new Map<string, { index: number; volume: Volume }>();
  forEachItem(containers, ({ volumes }, index) => {
    for (const [name, volume] of Object.entries(volumes)) {
      const known = first.get(name);
      if (!known) first.set(name, { index, volume });
      else if (!sameSource(known.volume, volume))
        addIssue(
          [list, index, "volumes", name],
          `has another source in ${list}[${known.index}]; a volume has one source in a pod, so rename one of them`,
        );
    }
  });
}

/** True for volumes that may have the same source. Their paths and `readOnly` may differ. */
function sameSource(one: Volume, other: Volume): boolean {
  const source = ({ emptyDir = false, ...volume }: Volume) => ({
    ...volume,
    emptyDir,
    path: undefined,
    readOnly: undefined,
  });
  return maybeEqual(source(one), source(other));
}

/** True for values that may be equal: values that are known only later cannot be compared. */
function maybeEqual(one: unknown, other: unknown): boolean {
  if (isDeferred(one) && isDeferred(other)) return true;
  if (!isPlainObject(one) || !isPlainObject(other)) return one === other;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => maybeEqual(one[key], other[key]));
}
