/** Kind of a seccomp or AppArmor profile. */
export const MiniClusterProfileType = {
  /** The default profile of the container runtime. */
  RuntimeDefault: "RuntimeDefault",
  /** No profile. */
  Unconfined: "Unconfined",
  /** A profile on the node. */
  Localhost: "Localhost",
} as const;
export type MiniClusterProfileType = (typeof MiniClusterProfileType)[keyof typeof MiniClusterProfileType];

/** Mount of /proc in a container. */
export const MiniClusterProcMount = {
  /** With the masked and read-only paths of the container runtime. */
  Default: "Default",
  /** Without masked paths. */
  Unmasked: "Unmasked",
} as const;
export type MiniClusterProcMount = (typeof MiniClusterProcMount)[keyof typeof MiniClusterProcMount];

/** Condition under which the group of a pod's volumes is set. */
export const MiniClusterFsGroupChange = {
  /** At every mount. */
  Always: "Always",
  /** Only if the root directory of the volume has another owner. */
  OnRootMismatch: "OnRootMismatch",
} as const;
export type MiniClusterFsGroupChange = (typeof MiniClusterFsGroupChange)[keyof typeof MiniClusterFsGroupChange];

/** How the SELinux label of a pod's volumes is set. */
export const MiniClusterSeLinuxChange = {
  /** By a mount option, if the volume supports it. */
  MountOption: "MountOption",
  /** File by file. */
  Recursive: "Recursive",
} as const;
export type MiniClusterSeLinuxChange = (typeof MiniClusterSeLinuxChange)[keyof typeof MiniClusterSeLinuxChange];

/** Treatment of the groups that an image gives its user. */
export const MiniClusterGroupsPolicy = {
  /** The groups of the image are added to the groups of the pod. */
  Merge: "Merge",
  /** Only the groups of the pod are used. */
  Strict: "Strict",
} as const;
export type MiniClusterGroupsPolicy = (typeof MiniClusterGroupsPolicy)[keyof typeof MiniClusterGroupsPolicy];

/** Security context of a container, as in Kubernetes. Omitted fields have the defaults of Kubernetes. */
export interface MiniClusterSecurityContextArgs {
  /** Runs the container with the privileges of a root process on the node. Default: false. */
  privileged?: boolean;
  /** Allows a process to gain more privileges than its parent. Default: false, or true with `privileged` or SYS_ADMIN. */
  allowPrivilegeEscalation?: boolean;
  /** Linux capabilities to add or drop. Default: the container runtime's set. */
  capabilities?: MiniClusterCapabilitiesArgs;
  /** User id of the processes, from 0 to 2147483647. Default: the image's. */
  runAsUser?: number;
  /** Group id of the processes, from 0 to 2147483647. Default: the image's. */
  runAsGroup?: number;
  /** Refuses to start as user 0. Default: false. */
  runAsNonRoot?: boolean;
  /** Mounts the image's file system read-only. Default: false. */
  readOnlyRootFilesystem?: boolean;
  /** Mount of /proc. Default: "Default". */
  procMount?: MiniClusterProcMount;
  /** System-call filter. Default: the filter of the pod. */
  seccompProfile?: MiniClusterSecurityProfileArgs;
  /** AppArmor profile. Default: the profile of the pod. */
  appArmorProfile?: MiniClusterSecurityProfileArgs;
  /** SELinux labels. Default: the labels of the pod. */
  seLinuxOptions?: MiniClusterSeLinuxArgs;
}

/** Security context of a pod, as in Kubernetes. Omitted fields have the defaults of Kubernetes. */
export interface MiniClusterPodSecurityContextArgs {
  /** Id of the group that owns the pod's volumes, from 0 to 2147483647. Default: none. */
  fsGroup?: number;
  /** Condition under which that ownership is set. Default: "Always". */
  fsGroupChangePolicy?: MiniClusterFsGroupChange;
  /** User id of the processes, from 0 to 2147483647. Default: the images'. */
  runAsUser?: number;
  /** Group id of the processes, from 0 to 2147483647. Default: the images'. */
  runAsGroup?: number;
  /** Refuses to start as user 0. Default: false. */
  runAsNonRoot?: boolean;
  /** Additional group ids of the processes, from 0 to 2147483647. Default: none. */
  supplementalGroups?: number[];
  /** Treatment of the groups that an image gives its user. Default: "Merge". */
  supplementalGroupsPolicy?: MiniClusterGroupsPolicy;
  /** Kernel settings of the pod's namespaces. Default: none. */
  sysctls?: MiniClusterSysctlArgs[];
  /** System-call filter. Default: RuntimeDefault. */
  seccompProfile?: MiniClusterSecurityProfileArgs;
  /** AppArmor profile. Default: the container runtime's. */
  appArmorProfile?: MiniClusterSecurityProfileArgs;
  /** SELinux labels. Default: the labels that the container runtime sets. */
  seLinuxOptions?: MiniClusterSeLinuxArgs;
  /** How the SELinux label of the volumes is set. Default: the default of Kubernetes. */
  seLinuxChangePolicy?: MiniClusterSeLinuxChange;
}

/** Linux capabilities, without the CAP_ prefix. */
export interface MiniClusterCapabilitiesArgs {
  /** Capabilities to add, without the CAP_ prefix, such as "SYS_PTRACE". Default: none. */
  add?: string[];
  /** Capabilities to drop, without the CAP_ prefix; "ALL" for every capability. Default: none. */
  drop?: string[];
}

/** A seccomp or AppArmor profile. */
export interface MiniClusterSecurityProfileArgs {
  /** Kind of the profile. */
  type: MiniClusterProfileType;
  /** Name of the profile on the node, for type "Localhost" only. Default: none. */
  localhostProfile?: string;
}

/** SELinux labels. */
export interface MiniClusterSeLinuxArgs {
  /** SELinux level. Default: none. */
  level?: string;
  /** SELinux role. Default: none. */
  role?: string;
  /** SELinux type. Default: none. */
  type?: string;
  /** SELinux user. Default: none. */
  user?: string;
}

/** A kernel setting. */
export interface MiniClusterSysctlArgs {
  /** Name of the setting, such as "net.core.somaxconn". */
  name: string;
  /** Value of the setting. */
  value: string;
}
