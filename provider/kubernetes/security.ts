import { descendingProblem, subdomainProblem, sysctlProblem } from "./formats";
import {
  type At,
  checked,
  eachIn,
  type Fields,
  fieldsOf,
  itemsOf,
  notEmpty,
  numberOf,
  oneOf,
  partIn,
  required,
  textOf,
  within,
} from "./reading";

// Source: `pkg/apis/core/validation/validation.go`, `ValidateSecurityContext` and `validatePodSpecSecurityContext`.

/** User and group ids. */
const ids = [0, 2 ** 31 - 1] as const;

const profileTypes = oneOf("Localhost", "RuntimeDefault", "Unconfined");

function profileRule(profile: Fields, at: At): void {
  required(profile, ["type"], at);
  checked(profile, "type", profileTypes, at);
  const isLocal = profile.type === "Localhost";
  const { localhostProfile } = profile;
  if (isLocal && localhostProfile === undefined) at(["localhostProfile"], 'is required with type "Localhost"; add it');
  if (typeof profile.type === "string" && !isLocal && localhostProfile !== undefined)
    at(["localhostProfile"], 'requires type "Localhost"; remove it');
}

// Longest path of Linux, without its end.
const longestPath = 4095;

const appArmorProblem = (name: string) => {
  if (name !== name.trim()) return "must not start or end with whitespace";
  return name.length > longestPath ? `must have at most ${longestPath} characters` : undefined;
};

/** The rules that the security contexts of pods and of containers share. */
function commonRule(context: Fields, at: At): void {
  for (const name of ["runAsUser", "runAsGroup"]) within(context, name, ids, at);
  partIn(context, "seccompProfile", at, (profile, at) => {
    profileRule(profile, at);
    checked(profile, "localhostProfile", descendingProblem, at);
  });
  partIn(context, "appArmorProfile", at, (profile, at) => {
    profileRule(profile, at);
    notEmpty(profile, ["localhostProfile"], at);
    checked(profile, "localhostProfile", appArmorProblem, at);
  });
  partIn(context, "windowsOptions", at, windowsRule);
}

function windowsRule(options: Fields, at: At): void {
  checked(options, "gmsaCredentialSpecName", subdomainProblem, at);
  if (options.hostProcess === true) at(["hostProcess"], "is for Windows, and the pod is for Linux; remove it");
  // Kubernetes has further rules on these fields, which this package does not repeat.
  for (const name of ["gmsaCredentialSpec", "runAsUserName"])
    if (options[name] !== undefined) at([name], "is for Windows, and the pod is for Linux; remove it");
}

/** The rule on the security context of a container. */
export function containerSecurityRule(context: Fields, hasOwnUsers: boolean, at: At): void {
  commonRule(context, at);
  notEmpty(context, ["procMount"], at);
  checked(context, "procMount", oneOf("Default", "Unmasked"), at);
  if (context.procMount === "Unmasked" && !hasOwnUsers)
    at(["procMount"], '"Unmasked" requires hostUsers: false in the pod; set that or remove this');
  if (context.allowPrivilegeEscalation !== false) return;
  const added = itemsOf(fieldsOf(context.capabilities).add);
  const reason = context.privileged === true ? "a privileged container" : "a container with CAP_SYS_ADMIN";
  if (context.privileged === true || added.includes("CAP_SYS_ADMIN"))
    at(["allowPrivilegeEscalation"], `${reason} may always escalate; set it to true`);
}

/** The rule on the security context of a pod. */
export function podSecurityRule(pod: Fields, at: At): void {
  partIn(pod, "securityContext", at, (context, at) => {
    commonRule(context, at);
    within(context, "fsGroup", ids, at);
    itemsOf(context.supplementalGroups).forEach((group, index) => {
      const id = numberOf(group);
      if (id !== undefined && (id < ids[0] || id > ids[1]))
        at(["supplementalGroups", index], `${id} must be from ${ids[0]} to ${ids[1]}`);
    });
    checked(context, "fsGroupChangePolicy", oneOf("Always", "OnRootMismatch"), at);
    checked(context, "supplementalGroupsPolicy", oneOf("Merge", "Strict"), at);
    checked(context, "seLinuxChangePolicy", oneOf("MountOption", "Recursive"), at);
    notEmpty(context, ["fsGroupChangePolicy", "supplementalGroupsPolicy", "seLinuxChangePolicy"], at);
    sysctlsRule(context, pod, at);
  });
}

/** Sysctls of the network and of inter-process communication, by their names in `component-helpers/node/util/sysctl`. */
const namespacedSysctls: Record<string, RegExp> = {
  hostNetwork: /^net\./,
  hostIPC: /^(kernel\.(sem|shm|shmall|shmmax|shmmni|shm_rmid_forced|msg|msgmax|msgmnb|msgmni)$|fs\.mqueue\.)/,
};

function sysctlsRule(context: Fields, pod: Fields, at: At): void {
  const seen = new Set<unknown>();
  eachIn(context, "sysctls", at, (sysctl, at) => {
    required(sysctl, ["name"], at);
    checked(sysctl, "name", sysctlProblem, at);
    const name = textOf(sysctl.name);
    if (name === undefined) return;
    if (seen.has(name)) at(["name"], `"${name}" is a duplicate; remove one`);
    seen.add(name);
    const dotted = name.includes(".") && !/^[^.]*\//.test(name) ? name : name.replaceAll("/", ".");
    for (const [field, pattern] of Object.entries(namespacedSysctls))
      if (pod[field] === true && pattern.test(dotted)) at(["name"], `"${name}" excludes ${field}; remove one of them`);
  });
}
