import { itBuilds } from "../../../support/manifests";
import { errorsAt, sharing, validating } from "../../../support/problems";
import { aBroker, aContainer, aSidecar, withBroker } from "../../../support/fixtures";

const refused = 'is not allowed with podSecurity "restricted"; remove one of them';

/** SELinux and AppArmor, capabilities and users that a restricted container may not have. */
const masked = {
  ...{ privileged: true, allowPrivilegeEscalation: true, runAsUser: 0, runAsNonRoot: false },
  ...{ seccompProfile: { type: "Unconfined" }, appArmorProfile: { type: "Unconfined" } },
  capabilities: { add: ["NET_BIND_SERVICE", "SYS_NICE"] },
  seLinuxOptions: { user: "u", role: "r", type: "spc_t" },
} as const;
/** The same with what Kubernetes takes in user namespaces alone. */
const securityContext = { ...masked, procMount: "Unmasked" } as never;
const places = [
  ...["privileged", "allowPrivilegeEscalation", "runAsUser", "runAsNonRoot", "procMount", "seccompProfile.type"],
  ...["appArmorProfile.type", "capabilities.add[1]"],
  ...["seLinuxOptions.user", "seLinuxOptions.role", "seLinuxOptions.type"],
];
const refusedIn = (place: string) =>
  errorsAt(
    places.map((path) => `${place}.securityContext.${path}`),
    refused,
  );

describe("restricted pods", () => {
  const { accepts, rejectsAll } = validating(sharing({ podSecurity: "restricted" }));
  rejectsAll({ containers: [aBroker({ securityContext })] }, refusedIn("containers[0]"));
  rejectsAll({ containers: [aBroker(), aSidecar({ securityContext })] }, refusedIn("containers[1]"));
  rejectsAll({ services: [aSidecar({ securityContext })] }, refusedIn("services[0]"));
  rejectsAll({ flux: { container: { securityContext } } }, refusedIn("flux.container"));
  rejectsAll(
    {
      pod: {
        ...{ hostIPC: true, hostPID: true },
        securityContext: {
          ...{ runAsUser: 0, seLinuxOptions: { type: "spc_t" }, sysctls: [{ name: "kernel.msgmax", value: "1" }] },
        },
      },
      containers: [aContainer({ volumes: { node: { path: "/node", hostPath: "/x" } } })],
      services: [aSidecar({ name: "store", volumes: { node: { path: "/node", hostPath: "/x" } } })],
    },
    [
      ...errorsAt(["pod.hostIPC", "pod.hostPID"], refused),
      ...errorsAt(
        ["runAsUser", "sysctls[0]", "seLinuxOptions.type"].map((path) => `pod.securityContext.${path}`),
        refused,
      ),
      ...errorsAt(
        ["containers", "services"].map((list) => `${list}[0].volumes.node.hostPath`),
        `${refused}; a claim may take its place`,
      ),
    ],
  );
  accepts({
    "what baseline pods may have": {
      podSecurity: undefined,
      containers: [aBroker({ securityContext: masked as never }), aSidecar({ securityContext: masked as never })],
      services: [aSidecar({ name: "store", securityContext: masked as never })],
      flux: { container: { securityContext: masked as never } },
    },
    "everything that the standard allows": {
      ...withBroker({
        securityContext: {
          ...{ privileged: false, allowPrivilegeEscalation: false, runAsUser: 7, runAsNonRoot: true },
          ...{ procMount: "Default", capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] } },
          seccompProfile: { type: "Localhost", localhostProfile: "hpc.json" },
          ...{ appArmorProfile: { type: "RuntimeDefault" }, seLinuxOptions: { level: "s0", type: "container_t" } },
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
    "run as an ordinary user",
    { podSecurity: "restricted", pod: { securityContext: { runAsUser: undefined, fsGroup: undefined } } },
    { "pod.securityContext": { ...ordinary, runAsUser: 1000, fsGroup: 1000 } },
  );
  itBuilds(
    "run as the user of the arguments",
    { podSecurity: "restricted", pod: { securityContext: { runAsUser: 7, fsGroup: 8 } } },
    { "pod.securityContext": { ...ordinary, runAsUser: 7, fsGroup: 8 } },
  );
  itBuilds(
    "add no capability but the one that is allowed",
    {
      podSecurity: "restricted",
      containers: [aBroker({ securityContext: { capabilities: { add: ["NET_BIND_SERVICE"], drop: ["SYS_CHROOT"] } } })],
    },
    { "container.demo.securityContext.capabilities": { add: ["NET_BIND_SERVICE"], drop: ["ALL"] } },
  );
});
