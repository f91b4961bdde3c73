import { hostlist } from "../../minicluster/flux/hostlist";
import type { ContainerV1alpha1 } from "../fields/v1alpha1";
import type { ContainerV1alpha2 } from "../fields/v1alpha2";
import type { Say } from "./say";
import type { Upgrade } from "./upgrade";
import { joined, known, without } from "./values";

/** What v1alpha1 does to the container that runs Flux, in the words of v1alpha2. */
export function upgradeBroker(
  plain: ContainerV1alpha2,
  { cores = 1, diagnostics, fluxUser, commands }: ContainerV1alpha1,
  upgraded: Upgrade,
  warn: Say,
): ContainerV1alpha2 {
  warnOfUser(fluxUser, commands?.runFluxAsRoot, warn);
  if (plain.command === undefined && !diagnostics && !upgraded.spec.interactive)
    warn("", "without a command v1alpha1 starts the RESTful server; here the brokers stay up, to be connected to");
  // The lead broker's description of the resources counts, and it is written before this piece runs.
  const brokerPre = joined(cores > 1 ? describeCores(cores, upgraded) : undefined, plain.commands?.brokerPre);
  const prepared = { ...plain, commands: known({ ...plain.commands, brokerPre }) };
  if (!diagnostics) return prepared;
  warn("diagnostics", "runs on the lead broker, in place of the command");
  const commandsWithScript = { ...prepared.commands, script: diagnosticsScript };
  return { ...without(prepared, "command", "batch"), launcher: true, commands: commandsWithScript };
}

function warnOfUser(fluxUser: ContainerV1alpha1["fluxUser"], asRoot: boolean | undefined, warn: Say): void {
  const here = "here Flux runs as the image's user, or as pod.securityContext.runAsUser";
  if (fluxUser) warn("fluxUser", `${here}; left out`);
  else if (!asRoot) warn("", `v1alpha1 makes a user "flux" and runs Flux as it; ${here}`);
}

/** Describes every host by a number of cores, whatever it has. */
function describeCores(cores: number, { metadata: { name = "" }, spec: { size = 1, maxSize } }: Upgrade): string {
  const hosts = hostlist(name, maxSize ?? size);
  return `flux R encode --hosts='${hosts}' --cores=0-${cores - 1} >/mnt/flux/config/etc/flux/system/R`;
}

const diagnosticsScript = ["flux overlay status", "flux lsattr -v", "flux dmesg", "sleep infinity", ""].join("\n");
