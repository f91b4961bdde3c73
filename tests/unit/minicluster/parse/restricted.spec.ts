import assert from "node:assert/strict";
import type { MiniClusterPodSecurityContextArgs } from "../../../../provider";
import { itJudges, told, valueIn } from "../../../support/cases";
import { aContainer, aMiniCluster, aMiniClusterArgs } from "../../../support/fixtures";
import { problemsOf } from "../../../support/problems";

const refused = 'is not allowed with podSecurity "restricted"; remove one of them';

/** What a container may not have: SELinux and AppArmor, capabilities and users that are more than ordinary. */
const forbidden = valueIn(`
privileged: true
allowPrivilegeEscalation: true
runAsUser: 0
runAsNonRoot: false
procMount: Unmasked
seccompProfile: {type: Unconfined}
appArmorProfile: {type: Unconfined}
capabilities: {add: [NET_BIND_SERVICE, SYS_NICE]}
seLinuxOptions: {user: u, role: r, type: spc_t}
`) as object;
const paths = [
  ...["privileged", "allowPrivilegeEscalation", "runAsUser", "runAsNonRoot", "procMount", "seccompProfile.type"],
  ...[
    "appArmorProfile.type",
    "capabilities.add[1]",
    "seLinuxOptions.user",
    "seLinuxOptions.role",
    "seLinuxOptions.type",
  ],
];
const places: Record<string, (securityContext: object) => object> = {
  "containers[0]": (securityContext) => ({ containers: [aContainer({ securityContext })] }),
  "containers[1]": (securityContext) => ({
    containers: [aContainer({ runFlux: true }), aContainer({ name: "side", securityContext })],
  }),
  "services[0]": (securityContext) => ({ services: [{ image: "i", name: "store", securityContext }] }),
  "flux.container": (securityContext) => ({ flux: { container: { securityContext } } }),
};

describe("restricted pods", () => {
  for (const [place, args] of Object.entries(places))
    it(`refuse in ${place} what baseline pods may have`, () => {
      const cluster = aMiniClusterArgs(args(forbidden));
      assert.deepEqual(
        told(problemsOf({ ...cluster, podSecurity: "restricted" })),
        paths.map((path) => `${place}.securityContext.${path}: ${refused}`),
      );
      assert.deepEqual(problemsOf(cluster), []);
    });

  itJudges(String.raw`
podSecurity: restricted
|pod: {hostIPC: true, hostPID: true, securityContext: {runAsUser: 0, seLinuxOptions: {type: spc_t}, sysctls: [{name: kernel.msgmax, value: "1"}]}}
|containers: [{image: i, command: x, volumes: {node: {path: /node, hostPath: /x}}}]
|services: [{image: i, name: store, volumes: {node: {path: /node, hostPath: /x}}}]
  pod.{hostIPC,hostPID}: is not allowed with podSecurity "restricted"; remove one of them
  pod.securityContext.runAsUser: is not allowed with podSecurity "restricted"; remove one of them
  pod.securityContext.sysctls[0]: is not allowed with podSecurity "restricted"; remove one of them
  pod.securityContext.seLinuxOptions.type: is not allowed with podSecurity "restricted"; remove one of them
  containers[0].volumes.node.hostPath: is not allowed with podSecurity "restricted"; remove one of them; a claim may take its place
  services[0].volumes.node.hostPath: is not allowed with podSecurity "restricted"; remove one of them; a claim may take its place
# everything that the standard allows
podSecurity: restricted
|containers: [{image: i, command: x, securityContext: {privileged: false, allowPrivilegeEscalation: false, runAsUser: 7, runAsNonRoot: true, procMount: Default, capabilities: {add: [NET_BIND_SERVICE], drop: [ALL]}, seccompProfile: {type: Localhost, localhostProfile: hpc.json}, appArmorProfile: {type: RuntimeDefault}, seLinuxOptions: {level: s0, type: container_t}}, volumes: {data: {path: /data, claimName: c}, memory: {emptyDir: true}}}]
|pod: {hostIPC: false, securityContext: {sysctls: [{name: net.ipv4.tcp_syncookies, value: "1"}], supplementalGroups: [0]}}
`);

  it("run as an ordinary user, or as the one who is named, and add no capability but what may be added", () => {
    const contextOf = (securityContext: MiniClusterPodSecurityContextArgs) =>
      aMiniCluster({ podSecurity: "restricted", pod: { securityContext } }).pod.securityContext;
    const ordinary = {
      ...{ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
      seccompProfile: { type: "RuntimeDefault" },
    };
    assert.deepEqual(contextOf({ runAsUser: undefined, fsGroup: undefined }), ordinary);
    assert.deepEqual(contextOf({ runAsUser: 7, fsGroup: 8 }), { ...ordinary, runAsUser: 7, fsGroup: 8 });
    const own = { capabilities: { add: ["NET_BIND_SERVICE"], drop: ["SYS_CHROOT"] } };
    const { main } = aMiniCluster({ podSecurity: "restricted", ...places["containers[0]"]?.(own) });
    assert.deepEqual(main.securityContext.capabilities, { add: ["NET_BIND_SERVICE"], drop: ["ALL"] });
  });
});
