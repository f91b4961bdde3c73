import fc from "fast-check";
import {
  of,
  flag,
  long,
  words,
  record,
  few,
  list,
  labels,
  objectNames,
  keys,
  values,
  texts,
  variables,
  paths,
  files,
  amounts,
  resources,
} from "./values";

// The pods of a cluster, and what is in them.

const ids = of(0, 1, 1000, 2 ** 31 - 1);
const profiles = fc.oneof(
  fc.record({ type: words("RuntimeDefault Unconfined") }),
  fc.record({ type: of("Localhost"), localhostProfile: words("a a/b /a ../a", " a", "a ", long(4096)) }),
);
const identity = {
  runAsUser: ids,
  runAsGroup: ids,
  runAsNonRoot: flag,
  seccompProfile: profiles,
  appArmorProfile: profiles,
  seLinuxOptions: record({ level: texts, role: texts, type: texts, user: texts }),
};
export const securityContext = record({
  ...identity,
  privileged: flag,
  allowPrivilegeEscalation: flag,
  readOnlyRootFilesystem: flag,
  capabilities: record({ add: fc.array(of("SYS_ADMIN", "NET_RAW", "ALL", "x y")), drop: fc.array(words("ALL a")) }),
  procMount: words("Default Default Unmasked"),
});

const volumes = few(
  words("a b data 0", long(63)),
  fc.oneof(
    fc.record({ path: paths, hostPath: paths }),
    fc.record({ path: paths, configMapName: objectNames, items: few(of("k", "k.x", " ", long(254)), files) }),
    fc.record({ path: paths, configMapName: objectNames }),
    fc.record({ path: paths, claimName: objectNames, readOnly: flag }),
    fc.record({ path: paths, secretName: objectNames }),
    fc.record({
      emptyDir: of(true),
      emptyDirMedium: words("Memory HugePages x", ""),
      emptyDirSizeLimit: amounts,
    }),
    fc.record({ path: paths, emptyDir: of(true) }),
    fc.record({
      path: paths,
      csiDriver: words("d a.b A.b a_b a..b -", " a", long(64)),
      csiDriverAttributes: few(
        texts.filter((text) => text.trim() !== ""),
        texts,
      ),
    }),
  ),
  2,
);

export const toleration = record({
  key: keys,
  operator: words("Exists Equal"),
  value: values,
  effect: words("NoSchedule PreferNoSchedule NoExecute"),
});
const sysctls = words(
  "net.core.somaxconn kernel.shm_rmid_forced net/ipv4/x a a..b A kernel.sem fs.mqueue.x",
  long(254),
);
export const pod = record({
  annotations: few(keys, fc.oneof(texts, of("x".repeat(100_000), "y".repeat(262_144)))),
  labels: few(keys, values),
  restartPolicy: words("OnFailure Never"),
  serviceAccountName: objectNames,
  automountServiceAccountToken: flag,
  runtimeClassName: objectNames,
  schedulerName: objectNames,
  nodeSelector: few(keys, values),
  nodeAffinity: few(keys, fc.array(values, { minLength: 1, maxLength: 2 })),
  tolerations: list(toleration, 2),
  dnsPolicy: words("ClusterFirst ClusterFirstWithHostNet Default None"),
  hostIPC: flag,
  hostPID: flag,
  resources,
  securityContext: record({
    ...identity,
    fsGroup: ids,
    fsGroupChangePolicy: words("Always OnRootMismatch"),
    supplementalGroups: list(ids, 2),
    supplementalGroupsPolicy: words("Merge Strict"),
    seLinuxChangePolicy: of("Recursive"),
    sysctls: list(fc.record({ name: sysctls, value: texts }), 2),
  }),
});

const exec = { command: ["x"] };
const handlers = of<object>(
  { exec },
  { exec: { command: [] } },
  { httpGet: { port: 80 } },
  { httpGet: { port: "http" } },
  { tcpSocket: { port: 0 } },
  { grpc: { port: 1 } },
  {},
  { exec, tcpSocket: { port: 1 } },
);
const probe = record({ handler: handlers, periodSeconds: of(-1, 0, 1), successThreshold: of(0, 1, 2) }, "handler").map(
  ({ handler, ...numbers }) => ({ ...handler, ...numbers }),
);
const templateContainer = (names: string) =>
  record(
    {
      name: words(names),
      image: of("i", " i"),
      env: list(fc.record({ name: variables, value: texts })),
      envFrom: list(of({ secretRef: { name: "s" } }, { configMapRef: { name: "A_" } }, {})),
      ports: list(
        record(
          { containerPort: of(1, 80, 0), name: words("http A 80", long(16)), hostPort: of(0, 80, 65_536) },
          "containerPort",
        ),
      ),
      resources,
      securityContext,
      livenessProbe: probe,
      readinessProbe: probe,
      lifecycle: record({ postStart: handlers }),
      volumeMounts: list(
        record({ name: words("extra a missing"), mountPath: paths, subPath: files }, "name", "mountPath"),
      ),
      restartPolicy: words("Always Never x"),
    },
    "name",
  );
export const podTemplate = record({
  metadata: record({ labels: few(keys, values), annotations: few(keys, texts) }),
  spec: record({
    containers: list(templateContainer("demo more")),
    initContainers: list(templateContainer("flux-view first main")),
    volumes: list(
      record(
        {
          name: words("extra a"),
          emptyDir: of({}, { sizeLimit: "1Gi" }, { sizeLimit: "-1" }),
          hostPath: of({ path: "/x" }, { path: "/../x", type: "File" }),
        },
        "name",
      ),
    ),
    priorityClassName: words("a A a.b"),
    terminationGracePeriodSeconds: of(0, 1, 60, 86_400),
    activeDeadlineSeconds: of(0, 1, 2 ** 31),
    dnsConfig: record({
      nameservers: list(words("10.0.0.1 ::1 010.0.0.1 x fe80::1%eth0"), 4),
      searches: list(words("a a. . _a.b A", ""), 2),
      options: list(of({ name: "ndots", value: "2" }, {})),
    }),
    hostUsers: flag,
    hostAliases: list(fc.record({ ip: words("1.2.3.4 x"), hostnames: list(words("a A")) })),
    tolerations: list(toleration),
    nodeSelector: few(keys, values),
    topologySpreadConstraints: list(
      record(
        {
          maxSkew: of(0, 1),
          topologyKey: keys,
          minDomains: of(0, 1),
          whenUnsatisfiable: words("DoNotSchedule ScheduleAnyway x"),
        },
        ...(["maxSkew", "topologyKey", "whenUnsatisfiable"] as const),
      ),
    ),
    os: of({ name: "linux" }, { name: "windows" }),
  }),
});

const code = of("", "true", "echo $HOME\nexit 3", "x".repeat(20_000), "é'\"", "set -x");
export const container = {
  image: words("i i i i i i ubuntu:noble ubuntu:noble a/b@sha256:0 I", " i", "i ", "a b"),
  command: of("x", "echo a b", "a && b", "", "x\ny", "y".repeat(200_000), "z".repeat(600_000), "$(A) $$"),
  workingDir: paths,
  imagePullSecret: objectNames,
  imagePullPolicy: words("Always IfNotPresent Never"),
  ports: list(of(1, 80, 443, 6379, 8050, 8060, 8061, 65_535), 3),
  environment: few(variables, texts),
  secrets: few(
    variables,
    fc.record({ name: objectNames, key: words("k .k ..k . .. é a/b", "a b", long(253), long(254)) }),
  ),
  resources,
  securityContext,
  volumes,
  lifeCycle: record({ postStartExec: of("x", "a && b", "x y"), preStopExec: of("x", "exit 1") }),
};
const commands = record({ init: code, pre: code, post: code, brokerPre: code, workerPre: code });
const runFlux = of(true);
export const broker = fc.oneof(
  { weight: 5, arbitrary: record({ ...container, runFlux, launcher: flag }, "image", "runFlux") },
  record({ ...container, runFlux, commands, logs: paths, name: labels }, "image", "runFlux"),
);
const serviceName = words("s side", long(63));
export const sidecar = record({ ...container, name: labels, serviceName, noWrapEntrypoint: flag }, "image", "name");
export const service = record({ ...container, name: labels, commands: record({ servicePre: code }) }, "image", "name");
