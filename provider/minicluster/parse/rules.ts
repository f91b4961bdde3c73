import { leadServiceName } from "../../bursting/parse/names";
import { consoleName } from "../../console/names";
import { MiniClusterRestartPolicy, MiniClusterWait } from "../../core/args";
import { nameFields, nameRule } from "../../core/parse/clusterRules";
import { launchFields, launchModes } from "../../core/parse/container";
import { demandPort } from "../../core/parse/names";
import { fluxVolumeRules, podsRules } from "../../core/parse/podsRules";
import { takenPortsRule } from "../../core/parse/portRules";
import {
  type OwnServices,
  ownServiceFields,
  ownServicesOf,
  sidecarServiceFields,
  sidecarServiceRule,
} from "../../core/parse/serviceRules";
import { maxSizeFields, maxSizeOf, sizeFields, initialSizeOf, sizeRule } from "../../core/parse/sizes";
import { countRule, countsOf, podCountFields } from "../../core/pool/parse/rules";
import { forEachItem, type Picked, prefixPath, type Rule, ruleOn } from "../../shared/rules";
import type { ClusterFields } from "./fields";

const rule = ruleOn<ClusterFields>();

const leadServiceFields = [
  ...ownServiceFields,
  "bursting.expose.nodePort?",
  "bursting.expose.loadBalancer?",
  "console?",
] as const;

/** The Services of the brokers' pods, of features and of `services`. */
function servicesOf(fields: Picked<ClusterFields, (typeof leadServiceFields)[number]>): OwnServices {
  const { nodePort, loadBalancer } = fields.bursting?.expose ?? {};
  const lead: OwnServices =
    (nodePort ?? loadBalancer) ? [[leadServiceName(fields), "the Service created for bursting.expose"]] : [];
  const ofConsole: OwnServices = fields.console ? [[consoleName(fields), "the Service created for console"]] : [];
  return [...ownServicesOf(fields), ...lead, ...ofConsole];
}

/** The rules on the Job with the lead broker, without the rules of features. */
export const leadJobRules: Rule<ClusterFields>[] = [
  rule([...podCountFields, ...maxSizeFields, "suspend"], (fields, addIssue) =>
    countRule(fields, { ...countsOf(fields), isSuspended: fields.suspend === true }, addIssue),
  ),
  sizeRule,
  rule(["minSize", ...sizeFields], (fields, addIssue) => {
    const { minSize, autoscale } = fields;
    const size = initialSizeOf(fields);
    if (!autoscale && minSize !== undefined && minSize > size)
      addIssue(["minSize"], `minSize ${minSize} is above size ${size}; lower minSize or raise size`);
  }),
  rule([...nameFields, ...maxSizeFields], (fields, addIssue) => nameRule(fields, maxSizeOf(fields), addIssue)),
  rule(["wait", "flux.bursting.leadBroker?", ...launchFields], (fields, addIssue) => {
    const { wait, flux } = fields;
    if (wait !== MiniClusterWait.Complete) return;
    // A cluster without a command is interactive, and a cluster that joins has no command.
    if (flux.bursting?.leadBroker !== undefined || launchModes(fields).includes("interactive"))
      addIssue(["wait"], 'a cluster without a command never completes; wait for "ready" or "none"');
  }),
  rule(["interactive", ...launchFields], (fields, addIssue) => {
    if (fields.interactive && launchModes(fields).some((mode) => mode !== "interactive"))
      addIssue(
        ["interactive"],
        "an interactive cluster runs no command, and this cluster has one; remove interactive or the command",
      );
  }),
  rule(["retryCommand", "pod.restartPolicy"], ({ retryCommand, pod }, addIssue) => {
    if (retryCommand === false && pod.restartPolicy === MiniClusterRestartPolicy.OnFailure)
      addIssue(
        ["retryCommand"],
        'Kubernetes restarts every failed container of a pod with restartPolicy "OnFailure"; set pod.restartPolicy: "Never"',
      );
  }),
  rule(
    ["metrics.port", "console.port", "autoscale?", "bursting.expose.demand?", "containers[].ports[]"],
    ({ metrics, console, autoscale, bursting, containers }, addIssue) => {
      const own = new Map<number, string>();
      if (bursting?.expose.demand) own.set(demandPort, "bursting.expose.demand");
      if (autoscale) own.set(demandPort, "autoscale");
      if (metrics) own.set(metrics.port, "metrics");
      if (console) own.set(console.port, "console");
      forEachItem(containers, ({ ports }, index) =>
        takenPortsRule(ports, own, prefixPath(addIssue, "containers", index)),
      );
    },
  ),
  rule([...sidecarServiceFields, ...leadServiceFields], (fields, addIssue) =>
    sidecarServiceRule(fields, servicesOf(fields), addIssue),
  ),
  ...podsRules,
  ...fluxVolumeRules,
];
