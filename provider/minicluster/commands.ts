import { jobNameLabel, rankLabel } from "./names";
import { configFile, files } from "./paths";
import type { MiniClusterSpec } from "./parse/spec";

/** Command that opens a shell in the Flux instance, on the lead broker. */
export const connectCommand = (spec: MiniClusterSpec) => execOnLead(spec, `bash ${configFile(files.connect)}`);

/** Command that shows the jobs and what is free, as they change: flux-top(1) on the lead broker. */
export const topCommand = (spec: MiniClusterSpec) =>
  execOnLead(spec, `bash -c '. ${configFile(files.environment)} && exec flux top "$fluxsocket"'`);

function execOnLead(spec: MiniClusterSpec, command: string): string {
  const lead = `kubectl get pod --namespace ${spec.namespace} --selector ${leadSelector(spec)}`;
  return [
    `kubectl exec --stdin --tty --namespace ${spec.namespace}`,
    `$(${lead} --field-selector status.phase=Running --output name)`,
    `--container ${spec.main.name} -- ${command}`,
  ].join(" ");
}

/** Command that follows the lead broker's log: the output of the cluster's command. */
export function logsCommand(spec: MiniClusterSpec): string {
  return [
    `kubectl logs --namespace ${spec.namespace} --selector ${leadSelector(spec)}`,
    `--container ${spec.main.name} --follow --tail -1`,
  ].join(" ");
}

/** Command that shows why pods do not come up: the conditions and events of the Job and of its pods. */
export function diagnoseCommand(spec: MiniClusterSpec): string {
  return `kubectl describe job,pod --namespace ${spec.namespace} --selector ${jobNameLabel}=${spec.name}`;
}

const leadSelector = ({ name }: MiniClusterSpec) => `${jobNameLabel}=${name},${rankLabel}=0`;
