import * as path from "node:path";
import { quoteWord } from "../../../shared/quote";
import {
  certificateFile,
  configFile,
  curveDirectory,
  curveFile,
  files,
  leadVariable,
  outputVariable,
  sharedPaths,
} from "../../parse/paths";
import { type MiniClusterSpec, retriesCommand } from "../../parse/spec";
import { brokerConfigFile, brokerOptions, brokerPaths } from "../brokerConfig";
import { hasLateLead, lateEndpoint } from "../hosts";
import { followerFunctions, followerRole } from "./follower";
import { leadFunctions, leadRole } from "./lead";
import {
  bashArray,
  endQuietly,
  findFluxion,
  indent,
  killedStatuses,
  leaveOnSignal,
  leftStatus,
  lines,
  logFunction,
  postCode,
  script,
  socketPath,
  strictMode,
  userCode,
  viewEnvironment,
} from "./pieces";
import { adoptResources, prepareResources } from "./resources";
import { defineLaterVariables, defineVariables } from "./variables";
import { copiesView, copyUserFiles } from "./view";

/** The script of the container that runs Flux: rank 0 leads and runs the command, every other rank follows. */
export function renderBrokerScript(spec: MiniClusterSpec): string {
  const { main } = spec;
  return script(
    defineVariables(spec, main),
    userCode(spec, main, "init"),
    strictMode(spec),
    leaveOnSignal(),
    identity(),
    viewEnvironment(spec),
    findFluxion(spec),
    defineLaterVariables(spec, main),
    prepareDirectories(spec),
    prepareCertificate(spec),
    copiesView(spec.flux) ? undefined : copyUserFiles(spec),
    prepareResources(spec),
    userCode(spec, main, "pre"),
    insertLead(spec),
    rolePieces(spec),
    adoptResources(spec),
    // The user's code has run: from here on it cannot change a variable or a function of ours by its name.
    logFunction(spec),
    supervise(spec),
    followerFunctions(spec),
    leadFunctions(spec),
    `log "rank $JOB_COMPLETION_INDEX of ${spec.name}, ${modeOf(spec)} mode, size $MINICLUSTER_SIZE"`,
    bashArray("options", brokerOptions(spec)),
    lines("status=0", role(spec)),
    afterRun(spec),
    retriesCommand(spec) ? undefined : ownStatus(spec),
    verdict(),
  );
}

/** Check that the pod knows its rank, which Kubernetes sets in every pod of an Indexed Job, and the present size. */
const identity = () =>
  lines(
    `: "\${JOB_COMPLETION_INDEX:?is set by Kubernetes in the pods of an Indexed Job}"`,
    `: "\${MINICLUSTER_SIZE:?is set from the ConfigMap of the cluster}"`,
  );

/** Mode of the brokers. Followers have no command of their own. */
const modeOf = (spec: MiniClusterSpec) => (spec.role === "lead" ? spec.mode : "interactive");

const isLead = "if ((JOB_COMPLETION_INDEX == 0)); then";

/** Role of a rank: rank 0 leads and the others follow, or all follow a lead broker in another cluster. */
function role(spec: MiniClusterSpec): string {
  if (spec.role === "follower") return followerRole(spec);
  return lines(isLead, indent(leadRole(spec)), "else", indent(followerRole(spec)), "fi");
}

/** The pieces of the user's code for one role, which may still change what was prepared for all. */
function rolePieces(spec: MiniClusterSpec): string | undefined {
  const brokerPre = userCode(spec, spec.main, "brokerPre");
  const workerPre = userCode(spec, spec.main, "workerPre");
  if (spec.role === "follower") return workerPre;
  if (brokerPre === undefined && workerPre === undefined) return undefined;
  return lines(isLead, indent(brokerPre ?? ":"), ...(workerPre === undefined ? [] : ["else", indent(workerPre)]), "fi");
}

function prepareDirectories(spec: MiniClusterSpec): string {
  const paths = sharedPaths(spec.flux.container);
  const { resources } = brokerPaths(spec.flux);
  // The description of the resources stands beside the crontabs, unless the user's configuration wants it elsewhere.
  const needed = resources === paths.resources ? [] : [path.posix.dirname(resources)];
  const logs = quoteWord(spec.main.logs);
  const all = [...new Set([paths.cron, paths.state, paths.home, ...needed])].map(quoteWord).join(" ");
  return lines(
    "# A container that was started again finds the socket of the broker that died.",
    `rm -rf ${quoteWord(paths.run)}`,
    `mkdir -p ${all} ${quoteWord(paths.run)}`,
    `chmod 700 ${quoteWord(paths.run)}`,
    "# A user that the image does not know has no home.",
    `if [[ \${HOME:-/} == / ]]; then export HOME=${quoteWord(paths.home)}; fi`,
    // Only a batch job is known to write there, and an image may be read-only.
    `mkdir -p ${logs}${modeOf(spec) === "batch" ? "" : " || true"}`,
    `export ${outputVariable}=${logs}`,
  );
}

/**
 * Copy of the certificate: Flux takes one only from a file that nobody but its owner can read, and a mounted Secret is
 * not such a file. No other container mounts the volume of the copy. Where the user's own configuration has another path, that is a
 * link, because it may be on the volume that all containers share.
 */
function prepareCertificate({ flux }: MiniClusterSpec): string {
  const { certificate } = brokerPaths(flux);
  const link = quoteWord(certificate);
  return lines(
    `rm -f ${certificateFile}`,
    `(umask 077 && cp ${curveDirectory}/${curveFile} ${certificateFile})`,
    ...(certificate === certificateFile
      ? []
      : [`mkdir -p ${quoteWord(path.posix.dirname(certificate))}`, `ln -sfn ${certificateFile} ${link}`]),
  );
}

/** Puts the address of the lead broker, which is only known where the lead broker runs, into the configuration. */
function insertLead(spec: MiniClusterSpec): string | undefined {
  if (!hasLateLead(spec)) return undefined;
  return lines(
    `: "\${${leadVariable}:?is set to the endpoint of the lead broker}"`,
    `toml=$(<${configFile(files.brokerConfig)})`,
    `printf '%s\\n' "\${toml//${lateEndpoint}/"$${leadVariable}"}" >${quoteWord(brokerConfigFile(spec))}`,
  );
}

/**
 * Bash function that runs a program in the background. The script is the first process of the container: it gets the
 * signal that ends a pod and has to pass it on, which bash would not do while a program runs in front.
 */
function supervise({ logging }: MiniClusterSpec): string {
  return lines(
    "child=",
    "stopping=",
    "patience=",
    "killer=",
    "late=",
    "stop() {",
    '  kill -TERM "$child" 2>/dev/null || true',
    '  if [[ -n $patience ]]; then { rest "$patience"; kill -KILL "$child" 2>/dev/null || true; } & killer=$!; fi',
    "}",
    "trap '",
    "  stopping=yes",
    '  case $child in "") exit 143 ;; starting) late=yes ;; *) stop ;; esac',
    "' TERM INT",
    "",
    "run() {",
    `  log "$*"`,
    "  child=starting",
    '  "$@" <&0 &',
    "  child=$!",
    "  # A signal may come before the program's process is known.",
    "  if [[ -n $late ]]; then late=; stop; fi",
    "  local result=0",
    "  # A signal ends the wait before the program has ended.",
    '  while true; do result=0; wait "$child" || result=$?; kill -0 "$child" 2>/dev/null || break; done',
    "  child=",
    `  if [[ -n $killer ]]; then ${endQuietly("killer")}; fi`,
    "  return $result",
    "}",
    logging.timed ? lines("", "TIMEFORMAT='FLUXTIME fluxstart wall time %R'") : undefined,
  );
}

/** The user's code after the run. In strict mode its failure counts, but never more than that of the run. */
function afterRun({ main, logging }: MiniClusterSpec): string | undefined {
  if (main.commands.post === undefined) return undefined;
  const retval = 'export retval="${result-$status}"';
  if (!logging.strict) return postCode(main, retval);
  // Bash gives up on strictness in whatever stands before a ||, so the status is taken beside it.
  return lines(
    "set +e",
    postCode(main, lines("set -e", retval)),
    "after=$?",
    "set -e",
    "if ((status == 0)); then status=$after; fi",
  );
}

/**
 * Keeps the statuses of killed containers for those. A broker that was killed leaves its socket behind: its pod is replaced.
 */
const ownStatus = (spec: MiniClusterSpec) =>
  lines(
    `if [[ " ${killedStatuses.join(" ")} " == *" $status "* && ! -S ${socketPath(spec)} ]]; then`,
    '  log "status $status is reported as 1, because it would mean that the container was killed"',
    "  status=1",
    "fi",
  );

/**
 * Exit status of the script. A pod that was told to leave has not done its work, whatever its broker says: another pod
 * takes its rank, and by this status the Job knows that it has not failed. No other pod may end with it.
 */
const verdict = () =>
  lines(
    `if [[ -n $stopping ]]; then status=${leftStatus}; elif ((status == ${leftStatus})); then status=1; fi`,
    "exit $status",
  );
