import { properties } from "../../shared/checks";
import { withoutEmpty } from "../../shared/objects";
import {
  type MiniClusterArgs,
  MiniClusterPodSecurity,
  type MiniClusterPodSecurityContextArgs,
  type MiniClusterSecurityContextArgs,
} from "../args";
import type { AddIssue } from "../../shared/rules";
import { volumesOf } from "./volumeRules";

/** User and group of pods that may not run as root: the first that most systems give to people. */
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

/** The security context of restricted pods: nobody is root, unless the user names somebody else. */
export function restrictPod<T extends Context>(context: T): T {
  const user = { runAsNonRoot: true, runAsUser: ordinaryUser, runAsGroup: ordinaryUser, fsGroup: ordinaryUser };
  return { ...user, ...withoutEmpty(context) };
}

/** The security context of a container in restricted pods: no capability but what may be added. */
export function restrictContainer<T extends Context>(context: T): T {
  return { ...context, capabilities: { ...context.capabilities, drop: ["ALL"] } };
}

/** The rules of the restricted Pod Security Standard on what the arguments ask for. */
export function restrictedRules(args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  if (args.podSecurity !== MiniClusterPodSecurity.Restricted) return;
  const { hostIPC, hostPID, securityContext } = properties(args.pod);
  if (hostIPC === true) addIssue(["pod", "hostIPC"], notRestricted);
  if (hostPID === true) addIssue(["pod", "hostPID"], notRestricted);
  contextRules(properties(securityContext), ["pod", "securityContext"], addIssue);
  const view = properties(properties(args.flux).container);
  contextRules(properties(view.securityContext), ["flux", "container", "securityContext"], addIssue);
  for (const list of ["containers", "services"] as const) {
    if (!Array.isArray(args[list])) continue;
    args[list].map(properties).forEach((container, index) => {
      contextRules(properties(container.securityContext), [list, index, "securityContext"], addIssue);
      for (const [name, volume] of volumesOf(container.volumes))
        if (volume.hostPath !== undefined)
          addIssue([list, index, "volumes", name, "hostPath"], `${notRestricted}; a claim may take its place`);
    });
  }
}

const notRestricted = 'is not allowed with podSecurity "restricted"; remove one of them';

function contextRules(context: Context, path: PropertyKey[], addIssue: AddIssue): void {
  const forbid = (...inner: PropertyKey[]) => addIssue([...path, ...inner], notRestricted);
  if (context.privileged === true) forbid("privileged");
  if (context.allowPrivilegeEscalation === true) forbid("allowPrivilegeEscalation");
  if (context.runAsUser === 0) forbid("runAsUser");
  if (context.runAsNonRoot === false) forbid("runAsNonRoot");
  if (context.procMount === "Unmasked") forbid("procMount");
  for (const profile of ["seccompProfile", "appArmorProfile"] as const)
    if (properties(context[profile]).type === "Unconfined") forbid(profile, "type");
  entries(properties(context.capabilities).add).forEach((name, index) => {
    if (name !== allowedCapability) forbid("capabilities", "add", index);
  });
  entries(context.sysctls).forEach((sysctl, index) => {
    if (!allowedSysctls.includes(properties(sysctl).name ?? "")) forbid("sysctls", index);
  });
  const { user, role, type = "" } = properties(context.seLinuxOptions);
  if (user !== undefined) forbid("seLinuxOptions", "user");
  if (role !== undefined) forbid("seLinuxOptions", "role");
  if (!allowedSeLinuxTypes.includes(type)) forbid("seLinuxOptions", "type");
}

const entries = <T>(list: T[] | undefined): T[] => (Array.isArray(list) ? list : []);
