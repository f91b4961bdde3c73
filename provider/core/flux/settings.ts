import * as path from "node:path";
import contract from "../contract.json";
import { sizeKey } from "../parse/names";
import {
  certificateFile,
  configDirectory,
  configFile,
  curveDirectory,
  curveFile,
  files,
  imageDirectory,
  programsDirectory,
  sharedPaths,
} from "../parse/paths";
import {
  type ContainerSpec,
  drains,
  type LeadSpec,
  type MiniClusterSpec,
  retriesCommand,
  type Settings,
} from "../parse/spec";
import { brokerConfigFile, brokerOptions, brokerPaths } from "./brokerConfig";
import { commandWords } from "./commands";
import { hasLateLead, leadEndpoint } from "./hosts";
import { describeSettings } from "./resources";
import { killedStatuses, leftStatus } from "./statuses";
import { tasksOf, variableSettings } from "./variables";

/**
 * Settings of all scripts in the brokers' pods. Files that users source also include them, and other shells may read them: no
 * arrays.
 */
export function podSettings(spec: MiniClusterSpec): Settings {
  const { flux, logging, main, role } = spec;
  const { view, run, state } = sharedPaths(flux.container);
  return {
    MAIN: main.name,
    ROLE: role,
    QUIET: logging.quiet,
    STRICT: logging.strict,
    MOUNT: flux.container.mountPath,
    VIEW: view,
    FLUX: fluxOrigin(flux.container),
    IMAGE: flux.container.imageVolume ? imageDirectory : "",
    PYTHON_PATH: flux.container.pythonPath ?? "",
    STATE: state,
    SOCKET: `${run}/local`,
    SOCKET_PER_RANK: flux.disableSocket,
    LEFT_STATUS: leftStatus,
    DRAIN_SECONDS: drains(spec) ? spec.drainTimeoutSeconds : "",
    ...(drains(spec) && {
      RESIZE_REASON: contract.drainReasons.sizeFollowsQueue,
      LEAVE_REASON: contract.drainReasons.podLeaves,
    }),
    ARCHIVE: "",
    ...spec.additions.podSettings,
  };
}

/** Source of the brokers' Flux: a copy of the view, a mounted image, or the container's own image. */
function fluxOrigin({ disable, imageVolume }: MiniClusterSpec["flux"]["container"]): "own" | "mounted" | "copied" {
  if (disable) return "own";
  return imageVolume ? "mounted" : "copied";
}

/** Settings of the container that runs Flux. */
export function brokerSettings(spec: MiniClusterSpec): Settings {
  const { flux, main, role } = spec;
  const { run, home } = sharedPaths(flux.container);
  const { certificate } = brokerPaths(flux);
  return {
    NAME: spec.name,
    // Followers have no command.
    MODE: role === "lead" ? spec.mode : "interactive",
    RUN: run,
    HOME: home,
    DIRECTORIES: directories(spec),
    LOGS: main.logs,
    CURVE: `${curveDirectory}/${curveFile}`,
    CERTIFICATE_COPY: certificateFile,
    CERTIFICATE: certificate === certificateFile ? "" : certificate,
    LATE_CONFIG: hasLateLead(spec) ? brokerConfigFile(spec) : "",
    FLUXION: findsFluxion(spec),
    OPTIONS: brokerOptions(spec),
    WRAP: flux.wrap ?? "",
    KILLED: retriesCommand(spec) ? "" : killedStatuses.join(" "),
    // With the user's configuration only Flux can find the lead.
    WAITS_FOR_LEAD: flux.brokerConfig === undefined,
    ENDPOINT: flux.brokerConfig === undefined && !hasLateLead(spec) ? leadEndpoint(spec) : "",
    COMPLETE_WORKERS: flux.completeWorkers,
    ...(role === "lead" && leadSettings(spec)),
    ...describeSettings(spec),
    ...variableSettings(spec, main),
  };
}

/** The directories that the broker needs, including the directories of files in the user's configuration. */
function directories({ flux }: MiniClusterSpec): string[] {
  const paths = sharedPaths(flux.container);
  const { certificate, resources } = brokerPaths(flux);
  const own = [
    ...(resources === paths.resources ? [] : [path.posix.dirname(resources)]),
    ...(certificate === certificateFile ? [] : [path.posix.dirname(certificate)]),
  ];
  return [...new Set([paths.cron, paths.state, paths.home, ...own, paths.run])];
}

/** True if the lead's script looks for Fluxion: a follower loads no scheduler. */
export const findsFluxion = ({ role, flux }: MiniClusterSpec) =>
  role === "lead" && !flux.scheduler.simple && !flux.container.disable;

/** Settings of the lead broker and of its initial program. The number of nodes of the program depends on the present size. */
function leadSettings(spec: LeadSpec): Settings {
  const { flux, instance, logging, mode } = spec;
  return {
    QUORUM: spec.minSize ?? "",
    QUEUES: instance.hasQueues ? sharedPaths(flux.container).rc : "",
    TIMED: logging.timed,
    PROGRAM_DIRECTORY: programsDirectory,
    SIZE_FILE: `${configDirectory}/${sizeKey}`,
    USERS: `${curveDirectory}/${contract.files.consoleUsers}`,
    ...spec.additions.leadSettings,
    ...(mode === "interactive" ? {} : programSettings(spec)),
  };
}

function programSettings(spec: LeadSpec): Settings {
  const { flux, logging, main, mode } = spec;
  const { prefix } = main.commands;
  if (mode === "launcher") return { PROGRAM: [...prefix, ...commandWords(main)] };
  const options = [...addedOptions(spec), ...flux.optionFlags];
  if (mode === "batch")
    return {
      TASKS: tasksOf(spec),
      DEBUG: logging.debug,
      SUBMIT: [...prefix, "bash", configFile(files.watch)],
      PROGRAM: [...options, "--output=kvs", configFile(files.batch(main.name))],
    };
  const flags = [...options, ...(logging.debug ? ["-vvv"] : [])];
  return {
    TASKS: tasksOf(spec),
    SUBMIT: [...prefix, ...flux.submitCommand],
    PROGRAM: [...flags, "--quiet", "--watch", ...commandWords(main)],
  };
}

/** Options that features add to the submitted command, unless the user has chosen the hosts. */
function addedOptions({ additions, flux }: LeadSpec): string[] {
  const words = [...flux.submitCommand, ...flux.optionFlags];
  const isChosen = ["--requires", "--queue", "-q"].some((option) => words.some((word) => word.startsWith(option)));
  return isChosen ? [] : Object.values(additions.submitOptions).flat();
}

/** Settings of a sidecar, beside the settings of all scripts in its pod. */
export const sidecarSettings = (spec: MiniClusterSpec, container: ContainerSpec): Settings => ({
  WAITS_FOR_SOCKET: !spec.flux.noWaitSocket,
  COMMAND: commandWords(container),
  ...variableSettings(spec, container),
});

/** Settings of a service. Its pod has no other settings. */
export const serviceSettings = ({ logging }: MiniClusterSpec, container: ContainerSpec): Settings => ({
  QUIET: logging.quiet,
  STRICT: logging.strict,
  LEFT_STATUS: leftStatus,
  COMMAND: commandWords(container),
});
