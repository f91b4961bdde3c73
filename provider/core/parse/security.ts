import type { z } from "zod";
import { choice, flag, integer, list, nonEmptyText, object, text } from "../../shared/checks";
import { ruleOn, rules } from "../../shared/rules";
import {
  MiniClusterFsGroupChange,
  MiniClusterGroupsPolicy,
  MiniClusterProcMount,
  MiniClusterProfileType,
  MiniClusterSeLinuxChange,
} from "../args";

// User and group ids have 32 bits in Linux; Kubernetes accepts the non-negative half.
const id = integer(0, 2 ** 31 - 1);

const profileFields = object({
  type: choice(MiniClusterProfileType),
  localhostProfile: nonEmptyText.optional(),
});

const profile = profileFields.check(
  rules(
    ruleOn<z.output<typeof profileFields>>()(["type", "localhostProfile"], ({ type, localhostProfile }, addIssue) => {
      if ((type === MiniClusterProfileType.Localhost) !== (localhostProfile !== undefined))
        addIssue(["localhostProfile"], 'requires type "Localhost", which requires it; give both or neither');
    }),
  ),
);

const seLinuxOptions = object({
  level: text.optional(),
  role: text.optional(),
  type: text.optional(),
  user: text.optional(),
});

const identity = {
  runAsUser: id.optional(),
  runAsGroup: id.optional(),
  runAsNonRoot: flag.optional(),
  seccompProfile: profile.optional(),
  appArmorProfile: profile.optional(),
  seLinuxOptions: seLinuxOptions.optional(),
};

const capability = nonEmptyText.refine((name) => !name.startsWith("CAP_"), {
  error: "must be named without CAP_, as in SYS_ADMIN",
});

const capabilities = object({ add: list(capability).optional(), drop: list(capability).optional() });

const containerContextFields = object({
  ...identity,
  privileged: flag.optional(),
  allowPrivilegeEscalation: flag.optional(),
  capabilities: capabilities.optional(),
  readOnlyRootFilesystem: flag.optional(),
  procMount: choice(MiniClusterProcMount).optional(),
});

/** Security context of a container. Privilege escalation is off unless Kubernetes requires it. */
export const containerSecurityContext = containerContextFields.check(
  rules(
    ruleOn<z.output<typeof containerContextFields>>()(
      ["allowPrivilegeEscalation", "privileged", "capabilities.add"],
      (context, addIssue) => {
        if (context.allowPrivilegeEscalation === false && demandsEscalation(context))
          addIssue(
            ["allowPrivilegeEscalation"],
            "a privileged container, or one with SYS_ADMIN, can always escalate privileges; leave this out or set it to true",
          );
      },
    ),
  ),
);

/** Security context with a value for privilege escalation that Kubernetes accepts. */
export const withEscalation = <T extends z.output<typeof containerSecurityContext>>(context: T) => ({
  ...context,
  allowPrivilegeEscalation: context.allowPrivilegeEscalation ?? demandsEscalation(context),
});

const demandsEscalation = ({ privileged, capabilities }: { privileged?: boolean; capabilities?: { add?: string[] } }) =>
  privileged === true || (capabilities?.add ?? []).includes("SYS_ADMIN");

/** Security context of the pods. */
export const podSecurityContext = object({
  ...identity,
  seccompProfile: profile.prefault({ type: MiniClusterProfileType.RuntimeDefault }),
  fsGroup: id.optional(),
  fsGroupChangePolicy: choice(MiniClusterFsGroupChange).optional(),
  supplementalGroups: list(id).optional(),
  supplementalGroupsPolicy: choice(MiniClusterGroupsPolicy).optional(),
  seLinuxChangePolicy: choice(MiniClusterSeLinuxChange).optional(),
  sysctls: list(object({ name: nonEmptyText, value: text })).optional(),
});
