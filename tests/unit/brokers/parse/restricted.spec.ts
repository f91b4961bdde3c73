import { itJudges } from "../../../support/cases";
import { itBuilds } from "../../../support/manifests";

const refused = 'is not allowed with podSecurity "restricted"; remove one of them';

/** What a container may not have: SELinux and AppArmor, capabilities and users that are more than ordinary. */
const forbidden =
  "{securityContext: {privileged: true, allowPrivilegeEscalation: true, runAsUser: 0, runAsNonRoot: false, procMount: Unmasked, " +
  "seccompProfile: {type: Unconfined}, appArmorProfile: {type: Unconfined}, capabilities: {add: [NET_BIND_SERVICE, SYS_NICE]}, " +
  "seLinuxOptions: {user: u, role: r, type: spc_t}}}";
/** The same without what Kubernetes takes in user namespaces alone. */
const masked = forbidden.replace("procMount: Unmasked, ", "");
const refusedIn = (place: string) => `
  ${place}.securityContext.{privileged,allowPrivilegeEscalation,runAsUser,runAsNonRoot,procMount,seccompProfile.type,appArmorProfile.type}: ${refused}
  ${place}.securityContext.{capabilities.add[1],seLinuxOptions.user,seLinuxOptions.role,seLinuxOptions.type}: ${refused}`;

describe("restricted pods", () => {
  itJudges(`
{podSecurity: restricted, containers: [!broker ${forbidden}]}${refusedIn("containers[0]")}
{podSecurity: restricted, containers: [!broker {}, !side ${forbidden}]}${refusedIn("containers[1]")}
{podSecurity: restricted, services: [!side ${forbidden}]}${refusedIn("services[0]")}
{podSecurity: restricted, flux: {container: ${forbidden}}}${refusedIn("flux.container")}
# what baseline pods may have
{containers: [!broker ${masked}, !side ${masked}], services: [!side ${masked.replace("{", "{name: store, ")}], flux: {container: ${masked}}}
podSecurity: restricted
|pod: {hostIPC: true, hostPID: true, securityContext: {runAsUser: 0, seLinuxOptions: {type: spc_t}, sysctls: [{name: kernel.msgmax, value: "1"}]}}
|containers: [{image: i, command: x, volumes: {node: {path: /node, hostPath: /x}}}]
|services: [{image: i, name: store, volumes: {node: {path: /node, hostPath: /x}}}]
  pod.{hostIPC,hostPID}: ${refused}
  pod.securityContext.{runAsUser,sysctls[0],seLinuxOptions.type}: ${refused}
  {containers,services}[0].volumes.node.hostPath: ${refused}; a claim may take its place
# everything that the standard allows
podSecurity: restricted
|containers: [{image: i, command: x, securityContext: {privileged: false, allowPrivilegeEscalation: false, runAsUser: 7, runAsNonRoot: true, procMount: Default, capabilities: {add: [NET_BIND_SERVICE], drop: [ALL]}, seccompProfile: {type: Localhost, localhostProfile: hpc.json}, appArmorProfile: {type: RuntimeDefault}, seLinuxOptions: {level: s0, type: container_t}}, volumes: {data: {path: /data, claimName: c}, memory: {emptyDir: true}}}]
|pod: {hostIPC: false, securityContext: {sysctls: [{name: net.ipv4.tcp_syncookies, value: "1"}], supplementalGroups: [0]}}
`);

  const ordinary = "runAsNonRoot: true, runAsGroup: 1000, seccompProfile: {type: RuntimeDefault}";
  itBuilds(`
# run as an ordinary user, or as the one who is named
{podSecurity: restricted, pod: {securityContext: {runAsUser: !unset , fsGroup: !unset }}}
  pod.securityContext: {${ordinary}, runAsUser: 1000, fsGroup: 1000}
{podSecurity: restricted, pod: {securityContext: {runAsUser: 7, fsGroup: 8}}}
  pod.securityContext: {${ordinary}, runAsUser: 7, fsGroup: 8}
# add no capability but what may be added
{podSecurity: restricted, containers: [!broker {securityContext: {capabilities: {add: [NET_BIND_SERVICE], drop: [SYS_CHROOT]}}}]}
  container.demo.securityContext.capabilities: {add: [NET_BIND_SERVICE], drop: [ALL]}
`);
});
