import { withoutEmpty } from "../../shared/objects";
import { type AddIssue, type Rule, forEachItem, prefixPath, ruleOn } from "../../shared/rules";
import {
  MiniClusterPodSecurity,
  type MiniClusterPodSecurityContextArgs,
  type MiniClusterSecurityContextArgs,
} from "../args";
import type { BrokerPodsFields } from "./fields";

/** User and group of pods that may not run as root: the first regular ids of most systems. */
const ordinaryUser = 1000;

/** The one capability that a restricted container may add. */
const allowedCapability = "NET_BIND_SERVICE";

/** Kernel settings that a pod may change under the Pod Security Standards. */
const allowedSysctls = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ping_group_range",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.tcp_wmem",
];

const allowedSeLinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];

type Context = Partial<MiniClusterSecurityContextArgs & MiniClusterPodSecurityContextArgs>;

/** True for pods that meet the restricted level. */
export const isRestricted = ({ podSecurity }: Pick<BrokerPodsFields, "podSecurity">) =>
  podSecurity !== MiniClusterPodSecurity.Baseline;

/** True for pods whose user the admission of their namespace assigns. */
const isAssigned = ({ podSecurity }: Pick<BrokerPodsFields, "podSecurity">) =>
  podSecurity === MiniClusterPodSecurity.RestrictedAssignedUser;

/** Security context of restricted pods: an ordinary user and group, unless the arguments or the namespace set others. */
export function restrictPod<T extends Context>(context: T, level: Pick<BrokerPodsFields, "podSecurity">): T {
  const user = isAssigned(level) ? {} : { ...ordinary, fsGroup: ordinaryUser };
  return { runAsNonRoot: true, ...user, ...withoutEmpty(context) };
}

const ordinary = { runAsUser: ordinaryUser, runAsGroup: ordinaryUser };

/** User and group of the agent: the user and group of the other pods, unless these run as root or as the users of their images. */
export function agentUser(level: Pick<BrokerPodsFields, "podSecurity">, { runAsUser, runAsGroup }: Context): Context {
  if (runAsUser === undefined || runAsUser === 0) return isAssigned(level) ? {} : ordinary;
  return { runAsUser, runAsGroup: runAsGroup ?? runAsUser };
}

/** Security context of a container in restricted pods: all capabilities are dropped except those that it adds. */
export function restrictContainer<T extends Context>(context: T): T {
  return { ...context, capabilities: { ...context.capabilities, drop: ["ALL"] } };
}

const rule = ruleOn<BrokerPodsFields>();

/** The rules of the restricted Pod Security Standard on the arguments. */
export const restrictedRules: Rule<BrokerPodsFields>[] = [
  ...(["hostIPC", "hostPID"] as const).map((field) =>
    rule(["podSecurity", `pod.${field}`], (fields, addIssue) => {
      if (isRestricted(fields) && fields.pod[field] === true) addIssue(["pod", field], notRestricted);
    }),
  ),
  rule(["podSecurity", "pod.securityContext"], (fields, addIssue) => {
    if (isRestricted(fields)) contextRule(fields.pod.securityContext, prefixPath(addIssue, "pod", "securityContext"));
  }),
  rule(["podSecurity", "flux.container.securityContext"], (fields, addIssue) => {
    if (isRestricted(fields))
      contextRule(fields.flux.container.securityContext, prefixPath(addIssue, "flux", "container", "securityContext"));
  }),
  ...(["containers", "services"] as const).flatMap((list) => [
    rule(["podSecurity", `${list}[].securityContext`], (fields, addIssue) => {
      if (!isRestricted(fields)) return;
      forEachItem(fields[list], ({ securityContext }, index) =>
        contextRule(securityContext, prefixPath(addIssue, list, index, "securityContext")),
      );
    }),
    rule(["podSecurity", `${list}[].volumes[].hostPath`], (fields, addIssue) => {
      if (!isRestricted(fields)) return;
      forEachItem(fields[list], ({ volumes }, index) => {
        for (const [name, volume] of Object.entries(volumes))
          if (volume.hostPath !== undefined)
            addIssue([list, index, "volumes", name, "hostPath"], `${notRestricted}; use a claim instead`);
      });
    }),
  ]),
];

const notRestricted = 'is not allowed with podSecurity "restricted"; remove one of them';

function contextRule(context: Context, addIssue: AddIssue): void {
  const forbid = (...path: PropertyKey[]) => addIssue(path, notRestricted);
  if (context.privileged === true) forbid("privileged");
  if (context.allowPrivilegeEscalation === true) forbid("allowPrivilegeEscalation");
  if (context.runAsUser === 0) forbid("runAsUser");
  if (context.runAsNonRoot === false) forbid("runAsNonRoot");
  if (context.procMount === "Unmasked") forbid("procMount");
  for (const profile of ["seccompProfile", "appArmorProfile"] as const)
    if (context[profile]?.type === "Unconfined") forbid(profile, "type");
  context.capabilities?.add?.forEach((name, index) => {
    if (name !== allowedCapability) forbid("capabilities", "add", index);
  });
  context.sysctls?.forEach(({ name }, index) => {
    if (!allowedSysctls.includes(name)) forbid("sysctls", index);
  });
  const { user, role, type = "" } = context.seLinuxOptions ?? {};
  if (user !== undefined) forbid("seLinuxOptions", "user");
  if (role !== undefined) forbid("seLinuxOptions", "role");
  if (!allowedSeLinuxTypes.includes(type)) forbid("seLinuxOptions", "type");
}
