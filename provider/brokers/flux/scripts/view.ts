import { quoteWord } from "../../../shared/quote";
import { configFile, files, sharedPaths, softwareDirectory } from "../../parse/paths";
import type { MiniClusterSpec } from "../../parse/spec";
import { undrain } from "./drain";
import { markRestored } from "./lead";
import { alwaysStrict, leaveOnSignal, lines, script, socketPath, viewEnvironment } from "./pieces";

// Where every image of a Flux view keeps it.
const viewSource = "/opt/view";

/**
 * The init container's script: copies Flux to the shared volume. The programs of the view are links into
 * /opt/software, which is copied beside it and mounted under its own name again.
 */
export function renderViewScript(spec: MiniClusterSpec): string {
  const { mountPath } = spec.flux.container;
  const { view } = sharedPaths(spec.flux.container);
  return script(
    alwaysStrict,
    leaveOnSignal(),
    lines(
      "# Bash takes a signal when a program in front has ended, and this one may take a minute.",
      "# Python compiles again whatever module is newer than its compiled form, so that times have to stay.",
      'copy() { cp -Rp "$@" & wait $!; }',
    ),
    lines(
      "# An init container that is started again finds the copy that was broken off.",
      `rm -rf ${quoteWord(view)} ${quoteWord(`${mountPath}/software`)}`,
      `mkdir -p ${quoteWord(view)} ${quoteWord(`${mountPath}/software`)}`,
      `copy ${viewSource}/. ${quoteWord(view)}/`,
      `if [[ -d ${softwareDirectory} ]]; then copy ${softwareDirectory}/. ${quoteWord(`${mountPath}/software`)}/; fi`,
    ),
    copyUserFiles(spec),
  );
}

/** True if an init container copies the view. Otherwise the container that runs Flux leaves the files for people. */
export const copiesView = ({ container }: MiniClusterSpec["flux"]) => !container.disable && !container.imageVolume;

/** Leaves the files for people on the shared volume, where the Flux Operator's users look for them. */
export function copyUserFiles(spec: MiniClusterSpec): string {
  const { mountPath } = spec.flux.container;
  return (
    [files.environment, files.connect]
      // What is there from an earlier start is read-only, and only root could write to it.
      .map((file) => `cp -f ${quoteWord(configFile(file))} ${quoteWord(`${mountPath}/${file}`)}`)
      .join("\n")
  );
}

/** flux-view.sh: to be sourced by people and sidecars, for the paths of Flux and of the broker's socket. */
export function renderEnvironmentFile(spec: MiniClusterSpec): string {
  const { view } = sharedPaths(spec.flux.container);
  return script(
    viewEnvironment(spec),
    spec.flux.container.disable
      ? undefined
      : `export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}"${quoteWord(`${view}/lib`)}`,
    `export fluxsocket=local://${socketPath(spec)}`,
  );
}

/** flux-connect.sh: opens a shell in the Flux instance. */
export function renderConnectScript(): string {
  return script(
    lines("# shellcheck source=/dev/null", `. ${configFile(files.environment)}`),
    `exec flux proxy "\${fluxsocket:?}" bash`,
  );
}

/** The startup probe: succeeds once this rank's broker belongs to the running instance (flux-uptime(1)). */
export function renderReadyScript(spec: MiniClusterSpec): string {
  return script(
    lines("# shellcheck source=/dev/null", `. ${configFile(files.environment)}`),
    lines(
      `export FLUX_URI="\${fluxsocket:?}"`,
      "read -r _ state _ < <(flux uptime 2>/dev/null)",
      "if [[ ${state:-} != run ]]; then exit 1; fi",
    ),
    undrain(spec),
    markRestored(spec),
  );
}
