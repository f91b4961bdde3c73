import * as assert from "node:assert/strict";
import type {
  MiniClusterArgs,
  MiniClusterContainerArgs,
  MiniClusterPodSecurityContextArgs,
  MiniClusterSecurityContextArgs,
} from "../../../../provider";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { itAccepts, itRefuses, type RuleCase } from "../../../support/problems";

const restricted = { podSecurity: "restricted" } as const;
const refused = 'is not allowed with podSecurity "restricted"; remove one of them';
const hostPath = { volumes: { node: { path: "/node", hostPath: "/x" } } };

/** What a container may not have, with the place of it in its security context. */
const contexts: [rule: string, context: MiniClusterSecurityContextArgs, path: string][] = [
  ["a privileged container", { privileged: true }, "privileged"],
  ["more rights than at the start", { allowPrivilegeEscalation: true }, "allowPrivilegeEscalation"],
  ["the user root", { runAsUser: 0 }, "runAsUser"],
  ["leave to be root", { runAsNonRoot: false }, "runAsNonRoot"],
  ["all of /proc", { procMount: "Unmasked" }, "procMount"],
  ["unfiltered system calls", { seccompProfile: { type: "Unconfined" } }, "seccompProfile.type"],
  ["no AppArmor", { appArmorProfile: { type: "Unconfined" } }, "appArmorProfile.type"],
  ["a capability", { capabilities: { add: ["NET_BIND_SERVICE", "SYS_NICE"] } }, "capabilities.add[1]"],
  ["a user of SELinux", { seLinuxOptions: { user: "u" } }, "seLinuxOptions.user"],
  ["a role of SELinux", { seLinuxOptions: { role: "r" } }, "seLinuxOptions.role"],
  ["another type of SELinux", { seLinuxOptions: { type: "spc_t" } }, "seLinuxOptions.type"],
];

type Place = [what: string, path: string, args: (securityContext: MiniClusterSecurityContextArgs) => object];
const places: Place[] = [
  ["the container that runs Flux", "containers[0].", (context) => main({ securityContext: context })],
  ["a sidecar", "containers[1].", (context) => sidecar({ securityContext: context })],
  ["a service", "services[0].", (context) => service({ securityContext: context })],
  ["the view", "flux.container.", (context) => ({ flux: { container: { securityContext: context } } })],
];

describe("restricted pods", () => {
  for (const [what, place, args] of places)
    describe(`in ${what}`, () =>
      itRefuses(
        contexts.map(([rule, context, path]): RuleCase => {
          const full = `${place}securityContext.${path}`;
          return { rule, args: { ...restricted, ...args(context) }, path: full, says: refused };
        }),
      ));

  describe("as a whole", () => {
    const podContexts: [rule: string, context: MiniClusterPodSecurityContextArgs, path: string][] = [
      ["the user root", { runAsUser: 0 }, "runAsUser"],
      ["leave to be root", { runAsNonRoot: false }, "runAsNonRoot"],
      ["unfiltered system calls", { seccompProfile: { type: "Unconfined" } }, "seccompProfile.type"],
      ["no AppArmor", { appArmorProfile: { type: "Unconfined" } }, "appArmorProfile.type"],
      ["another type of SELinux", { seLinuxOptions: { type: "spc_t" } }, "seLinuxOptions.type"],
      ["an unsafe kernel setting", { sysctls: [{ name: "kernel.msgmax", value: "1" }] }, "sysctls[0]"],
    ];
    itRefuses(
      podContexts.map(([rule, securityContext, path]) => ({
        rule,
        args: { ...restricted, pod: { securityContext } },
        path: `pod.securityContext.${path}`,
        says: refused,
      })),
    );
    itRefuses(
      (["hostIPC", "hostPID"] as const).map((key) => ({
        rule: key,
        args: { ...restricted, pod: { [key]: true } },
        path: `pod.${key}`,
        says: refused,
      })),
    );
    itRefuses([
      {
        rule: "a hostPath",
        args: { ...restricted, ...main(hostPath) },
        path: hostPathOf("containers[0]"),
        says: `${refused}; a claim may take its place`,
      },
      {
        rule: "a hostPath of a service",
        args: { ...restricted, ...service(hostPath) },
        path: hostPathOf("services[0]"),
        says: `${refused}; a claim may take its place`,
      },
    ]);
  });

  itAccepts({
    "everything that the standard allows": {
      ...restricted,
      ...main({
        securityContext: {
          ...{ privileged: false, allowPrivilegeEscalation: false, runAsUser: 7, runAsNonRoot: true },
          ...{ procMount: "Default", capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] } },
          seccompProfile: { type: "Localhost", localhostProfile: "hpc.json" },
          appArmorProfile: { type: "RuntimeDefault" },
          seLinuxOptions: { level: "s0", type: "container_t" },
        },
        volumes: { data: { path: "/data", claimName: "c" }, memory: { emptyDir: true } },
      }),
      pod: {
        hostIPC: false,
        securityContext: { sysctls: [{ name: "net.ipv4.tcp_syncookies", value: "1" }], supplementalGroups: [0] },
      },
    },
    ...Object.fromEntries(
      contexts.map(([rule, context]) => [`${rule} in baseline pods`, main({ securityContext: context })]),
    ),
  });
});

describe("the security context of restricted pods", () => {
  const someone = { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 };
  const contextOf = (securityContext: MiniClusterPodSecurityContextArgs) =>
    aMiniCluster({ ...restricted, pod: { securityContext } }).pod.securityContext;
  const seccompProfile = { type: "RuntimeDefault" };

  const pods: [name: string, context: MiniClusterPodSecurityContextArgs, want: object][] = [
    ["is that of an ordinary user", {}, { ...someone, seccompProfile }],
    [
      "is that of the user who is named",
      { runAsUser: 7, fsGroup: 8 },
      { ...someone, runAsUser: 7, fsGroup: 8, seccompProfile },
    ],
    [
      "takes undefined for nothing said",
      { runAsUser: undefined, runAsNonRoot: undefined, runAsGroup: undefined, fsGroup: undefined },
      { ...someone, seccompProfile },
    ],
  ];
  for (const [name, context, want] of pods) it(name, () => assert.deepEqual(contextOf(context), want));

  it("has no capability in any container but what may be added", () => {
    const capabilities = { add: ["NET_BIND_SERVICE"], drop: ["SYS_CHROOT"] };
    const spec = aMiniCluster({ ...restricted, ...sidecar({ securityContext: { capabilities } }), ...service({}) });
    const want = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
    assert.deepEqual(spec.main.securityContext, want);
    assert.deepEqual(spec.services[0]?.securityContext, want);
    assert.deepEqual(spec.flux.container.securityContext, want);
    assert.deepEqual(spec.sidecars[0]?.securityContext.capabilities, { add: ["NET_BIND_SERVICE"], drop: ["ALL"] });
  });

  it("is no more than the user's in baseline pods", () =>
    assert.deepEqual(aMiniCluster({ podSecurity: "baseline" }), aMiniCluster()));
});

function main(container: Partial<MiniClusterContainerArgs>): Partial<MiniClusterArgs> {
  return { containers: [aContainer(container)] };
}

function sidecar(container: Partial<MiniClusterContainerArgs>): Partial<MiniClusterArgs> {
  return { containers: [aContainer({ runFlux: true }), aContainer({ name: "side", ...container })] };
}

function service(container: Partial<MiniClusterContainerArgs>): Partial<MiniClusterArgs> {
  return { services: [{ image: "i", name: "store", ...container }] };
}

function hostPathOf(container: string): string {
  return `${container}.volumes.node.hostPath`;
}
