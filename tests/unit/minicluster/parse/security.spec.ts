import * as assert from "node:assert/strict";
import type { MiniClusterPodSecurityContextArgs, MiniClusterSecurityContextArgs } from "../../../../provider";
import {
  containerSecurityContext,
  podSecurityContext,
  settleEscalation,
} from "../../../../provider/minicluster/parse/security";
import { aContainer } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

const at = "containers[0].securityContext";
const container = (securityContext: MiniClusterSecurityContextArgs) => ({
  containers: [aContainer({ securityContext })],
});
const pod = (securityContext: MiniClusterPodSecurityContextArgs) => ({ pod: { securityContext } });
const mayEscalate =
  "a privileged container, or one with SYS_ADMIN, may always escalate; leave this out or set it to true";

describe("a security context", () => {
  itRefuses([
    {
      rule: "a privileged container without escalation",
      args: container({ privileged: true, allowPrivilegeEscalation: false }),
      path: `${at}.allowPrivilegeEscalation`,
      says: mayEscalate,
    },
    {
      rule: "SYS_ADMIN without escalation",
      args: container({ capabilities: { add: ["SYS_ADMIN"] }, allowPrivilegeEscalation: false }),
      path: `${at}.allowPrivilegeEscalation`,
      says: mayEscalate,
    },
    {
      rule: "a capability with its prefix",
      args: container({ capabilities: { add: ["CAP_SYS_NICE"] } }),
      path: `${at}.capabilities.add[0]`,
      says: "capabilities are named without CAP_, as in SYS_ADMIN",
    },
    {
      rule: "a profile of the node without its name",
      args: container({ seccompProfile: { type: "Localhost" } }),
      path: `${at}.seccompProfile.localhostProfile`,
      says: 'requires type "Localhost", which requires it; give both or neither',
    },
    {
      rule: "the name of a profile that is not of the node",
      args: pod({ appArmorProfile: { type: "Unconfined", localhostProfile: "x" } }),
      path: "pod.securityContext.appArmorProfile.localhostProfile",
      says: 'requires type "Localhost", which requires it; give both or neither',
    },
    {
      rule: "a negative user",
      args: container({ runAsUser: -1 }),
      path: `${at}.runAsUser`,
      says: "-1 must be an integer from 0 to 2147483647",
    },
    {
      rule: "a group that no Linux has",
      args: pod({ supplementalGroups: [1, 2 ** 31] }),
      path: "pod.securityContext.supplementalGroups[1]",
      says: "2147483648 must be an integer from 0 to 2147483647",
    },
    {
      rule: "a kernel setting without a name",
      args: pod({ sysctls: [{ name: "", value: "1" }] }),
      path: "pod.securityContext.sysctls[0].name",
      says: '"" must be a string that is not empty',
    },
  ]);

  itAccepts({
    "everything a container can have": container({
      ...{ privileged: true, allowPrivilegeEscalation: true, runAsUser: 0, runAsGroup: 0, runAsNonRoot: false },
      ...{ capabilities: { add: ["SYS_NICE"], drop: ["ALL"] }, readOnlyRootFilesystem: true, procMount: "Unmasked" },
      seccompProfile: { type: "Localhost", localhostProfile: "hpc.json" },
      appArmorProfile: { type: "Unconfined" },
      seLinuxOptions: { level: "s0", role: "r", type: "t", user: "u" },
    }),
    "everything a pod can have": pod({
      ...{
        fsGroup: 1000,
        fsGroupChangePolicy: "OnRootMismatch",
        runAsUser: 1000,
        runAsGroup: 1000,
        runAsNonRoot: true,
      },
      ...{ supplementalGroups: [1], supplementalGroupsPolicy: "Strict" },
      sysctls: [{ name: "net.core.somaxconn", value: "1024" }],
    }),
  });

  const escalations: [name: string, context: MiniClusterSecurityContextArgs, want: boolean][] = [
    ["off where nothing is said", {}, false],
    ["off where undefined is said", { allowPrivilegeEscalation: undefined }, false],
    ["on where it is asked for", { allowPrivilegeEscalation: true }, true],
    ["on in a privileged container", { privileged: true }, true],
    ["on with SYS_ADMIN", { capabilities: { add: ["SYS_ADMIN"] } }, true],
    ["off with other capabilities", { capabilities: { add: ["SYS_NICE"] } }, false],
  ];
  for (const [name, context, want] of escalations)
    it(`privilege escalation is ${name}`, () =>
      assert.equal(settleEscalation(containerSecurityContext.parse(context)).allowPrivilegeEscalation, want));

  it("filters system calls as the container runtime does, unless the pod says otherwise", () => {
    const profile = (context: MiniClusterPodSecurityContextArgs) => podSecurityContext.parse(context).seccompProfile;
    assert.deepEqual(profile({}), { type: "RuntimeDefault" });
    assert.deepEqual(profile({ seccompProfile: undefined }), { type: "RuntimeDefault" });
    assert.deepEqual(profile({ seccompProfile: { type: "Unconfined" } }), { type: "Unconfined" });
  });
});
