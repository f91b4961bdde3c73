import assert from "node:assert/strict";
import type { MiniClusterSecurityContextArgs } from "../../../../provider";
import { containerSecurityContext, withEscalation } from "../../../../provider/core/parse/security";
import { itBuilds } from "../../../support/manifests";
import { errorsAt, sharing, validating } from "../../../support/problems";
import { aBroker, aContainer, aSidecar, withBroker } from "../../../support/fixtures";

describe("a security context", () => {
  const { rejectsAll } = validating();
  const context = "securityContext.allowPrivilegeEscalation";
  rejectsAll(
    {
      flux: { container: { securityContext: { privileged: true, allowPrivilegeEscalation: false } } },
      ...withBroker({ securityContext: { capabilities: { add: ["SYS_ADMIN"] }, allowPrivilegeEscalation: false } }),
    },
    errorsAt(
      [`containers[0].${context}`, `flux.container.${context}`],
      "a privileged container, or one with SYS_ADMIN…",
    ),
  );
  rejectsAll(
    {
      ...withBroker({
        securityContext: {
          runAsUser: -1,
          seccompProfile: { type: "Localhost" },
          capabilities: { add: ["CAP_SYS_NICE"] },
        },
      }),
      pod: {
        securityContext: {
          appArmorProfile: { type: "Unconfined", localhostProfile: "x" },
          supplementalGroups: [1, 2_147_483_648],
        },
      },
    },
    [
      "containers[0].securityContext.runAsUser: -1 must be an integer from 0 to 2147483647",
      'containers[0].securityContext.seccompProfile.localhostProfile: requires type "Localhost", which requires it…',
      "containers[0].securityContext.capabilities.add[0]: must be named without CAP_, as in SYS_ADMIN",
      'pod.securityContext.appArmorProfile.localhostProfile: requires type "Localhost"…',
      "pod.securityContext.supplementalGroups[1]: 2147483648 must be an integer from 0 to 2147483647",
    ],
  );

  const escalations: [context: MiniClusterSecurityContextArgs, want: boolean][] = [
    [{}, false],
    [{ allowPrivilegeEscalation: true }, true],
    [{ privileged: true }, true],
    [{ capabilities: { add: ["SYS_ADMIN"] } }, true],
    [{ capabilities: { add: ["SYS_NICE"] } }, false],
  ];
  for (const [context, want] of escalations)
    it(`${want ? "lets" : "does not let"} processes gain privileges: ${JSON.stringify(context)}`, () =>
      assert.equal(withEscalation(containerSecurityContext.parse(context)).allowPrivilegeEscalation, want));
});

const refused = 'is not allowed with podSecurity "restricted"; remove one of them';

/** SELinux and AppArmor, capabilities and users that a restricted container may not have. */
const masked = {
  privileged: true,
  allowPrivilegeEscalation: true,
  runAsUser: 0,
  runAsNonRoot: false,
  seccompProfile: { type: "Unconfined" },
  appArmorProfile: { type: "Unconfined" },
  capabilities: { add: ["NET_BIND_SERVICE", "SYS_NICE"] },
  seLinuxOptions: { user: "u", role: "r", type: "spc_t" },
} as never;
/** The same with what Kubernetes takes in user namespaces alone. */
const securityContext = { ...(masked as object), procMount: "Unmasked" } as never;
const places = [
  "privileged",
  "allowPrivilegeEscalation",
  "runAsUser",
  "runAsNonRoot",
  "procMount",
  "seccompProfile.type",
  "appArmorProfile.type",
  "capabilities.add[1]",
  "seLinuxOptions.user",
  "seLinuxOptions.role",
  "seLinuxOptions.type",
];
const refusedIn = (place: string, paths = places) =>
  errorsAt(
    paths.map((path) => `${place}.securityContext.${path}`),
    refused,
  );

describe("restricted pods", () => {
  const { accepts, rejectsAll } = validating(sharing({ podSecurity: "restricted" }));
  rejectsAll(withBroker({ securityContext }), refusedIn("containers[0]"));
  rejectsAll({ containers: [aBroker(), aSidecar({ securityContext })] }, refusedIn("containers[1]"));
  rejectsAll({ services: [aSidecar({ securityContext })] }, refusedIn("services[0]"));
  rejectsAll({ flux: { container: { securityContext } } }, refusedIn("flux.container"));
  const volumes = { node: { path: "/node", hostPath: "/x" } };
  const sysctls = [{ name: "kernel.msgmax", value: "1" }];
  rejectsAll(
    {
      pod: {
        hostIPC: true,
        hostPID: true,
        securityContext: { runAsUser: 0, seLinuxOptions: { type: "spc_t" }, sysctls },
      },
      containers: [aContainer({ volumes })],
      services: [aSidecar({ name: "store", volumes })],
    },
    [
      ...errorsAt(["pod.hostIPC", "pod.hostPID"], refused),
      ...refusedIn("pod", ["runAsUser", "sysctls[0]", "seLinuxOptions.type"]),
      `containers[0].volumes.node.hostPath: ${refused}; use a claim instead`,
      `services[0].volumes.node.hostPath: ${refused}; use a claim instead`,
    ],
  );
  const all = { securityContext: masked };
  accepts({
    "what baseline pods may have": {
      podSecurity: undefined,
      containers: [aBroker(all), aSidecar(all)],
      flux: { container: all },
      services: [aSidecar({ name: "store", ...all })],
    },
    "everything that the standard allows": {
      ...withBroker({
        securityContext: {
          privileged: false,
          allowPrivilegeEscalation: false,
          runAsUser: 7,
          runAsNonRoot: true,
          procMount: "Default",
          capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] },
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
  });

  const ordinary = { runAsNonRoot: true, runAsGroup: 1000, seccompProfile: { type: "RuntimeDefault" } };
  itBuilds(
    "run as the user of the arguments",
    { podSecurity: "restricted", pod: { securityContext: { runAsUser: 7, fsGroup: 8 } } },
    { "pod.securityContext": { ...ordinary, runAsUser: 7, fsGroup: 8 } },
  );
  itBuilds(
    "run as an ordinary user",
    { podSecurity: "restricted", pod: { securityContext: { runAsUser: undefined } } },
    { "pod.securityContext": { ...ordinary, runAsUser: 1000, fsGroup: 1000 } },
  );
  const capabilities = { add: ["NET_BIND_SERVICE"], drop: ["SYS_CHROOT"] };
  itBuilds(
    "add no capability but the one that is allowed",
    { podSecurity: "restricted", ...withBroker({ securityContext: { capabilities } }) },
    { "container.demo.securityContext.capabilities": { add: ["NET_BIND_SERVICE"], drop: ["ALL"] } },
  );
});
