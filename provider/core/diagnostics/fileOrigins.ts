import { hostlist } from "../parse/hostlist";
import { files, type UserPiece } from "../parse/paths";
import { isAutoscaled, isGroup, type MiniClusterSpec } from "../parse/spec";

type Path = readonly PropertyKey[];

/** Arguments of the cluster by the settings of its scripts (`core/flux/settings.ts`). */
const settings: Record<string, Path> = {
  QUIET: ["logging", "quiet"],
  STRICT: ["logging", "strict"],
  TIMED: ["logging", "timed"],
  DEBUG: ["logging", "debug"],
  MOUNT: ["flux", "container", "mountPath"],
  FLUX: ["flux", "container"],
  PYTHON_PATH: ["flux", "container", "pythonPath"],
  SOCKET_PER_RANK: ["flux", "disableSocket"],
  DRAIN_SECONDS: ["drainTimeoutSeconds"],
  ARCHIVE: ["archive", "path"],
  WRAP: ["flux", "wrap"],
  KILLED: ["retryCommand"],
  COMPLETE_WORKERS: ["flux", "completeWorkers"],
  QUORUM: ["minSize"],
  TASKS: ["tasks"],
  SUBMIT: ["flux", "submitCommand"],
};

/** Arguments of a container by its settings. */
const containerSettings: Record<string, Path> = { COMMAND: ["command"], PROGRAM: ["command"], LOGS: ["logs"] };

/** Arguments by the options of the brokers (`core/flux/brokerConfig.ts`). */
const options: Record<string, Path> = {
  "tbon.connect_timeout": ["flux", "connectTimeout"],
  "tbon.topo": ["flux", "topology"],
  "tbon.zmqdebug": ["logging", "zeromq"],
  "log-stderr-level": ["flux", "logLevel"],
  statedir: ["lead", "storage"],
};

/** Arguments by the keys of the brokers' configuration, beside the hosts. */
const configKeys: Record<string, Path> = {
  cores: ["pool"],
  gpus: ["pool"],
  properties: ["pool"],
  "queue-policy": ["flux", "scheduler", "queuePolicy"],
  "match-policy": ["flux", "scheduler", "matchPolicy"],
  "inactive-num-limit": ["flux", "inactiveNumLimit"],
  "inactive-age-limit": ["flux", "inactiveAgeLimit"],
};

/** The arguments that set what differs between the live files of a cluster's pods and the wanted files, where they are known. */
export function fileOrigins(
  spec: MiniClusterSpec,
  live: Record<string, string>,
  wanted: Record<string, string>,
): Path[] {
  const names = [...new Set([...Object.keys(live), ...Object.keys(wanted)])];
  const pairs = names.map((name) => ({ name, texts: [live[name] ?? "", wanted[name] ?? ""] as const }));
  return pairs.flatMap(({ name, texts: [old, changed] }) =>
    old === changed ? [] : originsIn(spec, name, [old, changed]),
  );
}

type Texts = readonly [live: string, wanted: string];

function originsIn(spec: MiniClusterSpec, file: string, texts: Texts): Path[] {
  if (file === files.brokerConfig) return configOrigins(spec, texts);
  if (file === files.exports) return [["flux", "environment"]];
  if (file === files.settings) return settingOrigins(texts, []);
  return [spec.main, ...spec.sidecars].flatMap(({ name, index }) => {
    const base = ["containers", index];
    const piece = pieces.find((each) => file === files.user(name, each));
    if (file === files.container(name)) return settingOrigins(texts, base);
    if (file === files.batch(name) || piece === "command") return [[...base, "command"]];
    return piece === undefined ? [] : [[...base, "commands", piece]];
  });
}

const pieces: UserPiece[] = ["command", "init", "pre", "post", "brokerPre", "workerPre", "servicePre"];

function settingOrigins(texts: Texts, container: Path): Path[] {
  // A cluster without a command has no settings of it.
  const [wasInteractive, isInteractive] = texts.map((text) => text.includes("MINICLUSTER_MODE=interactive\n"));
  if (wasInteractive !== isInteractive) return [[...container, "command"]];
  return changedKeys(texts)
    .flatMap((key): (Path | undefined)[] => {
      const name = key.replace("MINICLUSTER_", "");
      if (name === "OPTIONS") return optionOrigins(texts);
      const own = containerSettings[name];
      return [own ? [...container, ...own] : settings[name]];
    })
    .filter((path) => path !== undefined);
}

/** The arguments of the options `-S<name>=<value>` that differ. */
function optionOrigins(texts: Texts): Path[] {
  const [live, wanted] = texts.map((text) => [...text.matchAll(/-S([\w.-]+)=\S+/g)]) as [
    RegExpExecArray[],
    RegExpExecArray[],
  ];
  const lacks =
    (all: RegExpExecArray[]) =>
    ([word]: RegExpExecArray) =>
      !all.some(([other]) => other === word);
  const names = [...wanted.filter(lacks(live)), ...live.filter(lacks(wanted))].map(([, name = ""]) => name);
  return names.map((name) => options[name] ?? ["flux"]);
}

function configOrigins(spec: MiniClusterSpec, texts: Texts): Path[] {
  if (spec.flux.brokerConfig) return [["flux", "brokerConfig"]];
  // Its default follows from the command.
  const keys = changedKeys(texts).filter(
    (key) => key !== "inactive-num-limit" || spec.flux.inactiveNumLimit !== undefined,
  );
  return keys.map((key) =>
    /^(hosts?|connect|exclude)$/.test(key) ? hostsOrigin(spec, texts[0]) : (configKeys[key] ?? ["flux"]),
  );
}

/** The argument that sets the hosts of an instance: the largest size of this cluster, or the other clusters. */
function hostsOrigin(spec: MiniClusterSpec, live: string): Path {
  if (spec.role === "follower") return isGroup(spec) ? ["groups"] : ["root"];
  if (live.includes(hostlist(spec.name, spec.maxSize))) return spec.flux.bursting ? ["flux", "bursting"] : ["bursting"];
  if (spec.hasMaxSize) return ["maxSize"];
  return isAutoscaled(spec) ? ["autoscale", "max"] : ["size"];
}

/** Keys of the lines that differ between two files of the form `key = value`. */
function changedKeys(texts: Texts): string[] {
  const [live, wanted] = texts.map((text) => text.split("\n")) as [string[], string[]];
  const changed = [...wanted.filter((line) => !live.includes(line)), ...live.filter((line) => !wanted.includes(line))];
  return [...new Set(changed.flatMap((line) => /^\s*([\w-]+)\s*=/.exec(line)?.[1] ?? []))];
}
