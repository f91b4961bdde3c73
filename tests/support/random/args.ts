import fc from "fast-check";
import type { MiniClusterArgs } from "../../../provider";
import { standInCertificate } from "../everything";
import { aPool } from "../fixtures";

// Values of arguments, many of them at the limits of what Kubernetes takes, or beyond.

type Odd<T> = fc.Arbitrary<T>;

const of = <T>(...values: T[]): Odd<T> => fc.constantFrom(...values);
const flag = fc.boolean();
const long = (length: number) => "a".repeat(length);

/** Words, and texts that are not words. */
const words = (text: string, ...others: string[]) => of(...text.split(" "), ...others);

/** A record of which only the named properties are always there. */
const record = <T extends object>(model: { [K in keyof T]: Odd<T[K]> }, ...always: (keyof T)[]) =>
  fc.record(model, { requiredKeys: always as [] }) as Odd<Partial<T>>;

/** A map of a few names. */
const few = <T>(names: Odd<string>, values: Odd<T>, most = 3) => fc.dictionary(names, values, { maxKeys: most });

const list = <T>(items: Odd<T>, most = 1) => fc.array(items, { maxLength: most });

const labels = words("a main 0 a-b x9 1-2-3", long(63), long(62));
const objectNames = words("a a.b a-b.c 0.1", long(253), long(64));
const keys = words(
  "a A a.b a_b example.com/a a.b.c/D a..b/c a.-b/c kubernetes.io/hostname topology.kubernetes.io/zone -a/b",
  ...["EXAMPLE.com/x", long(63), `${long(253)}/${long(63)}`],
);
const values = words("a A a.b a_b-c 0 true -a é", "", "a b", long(63), long(64));
const texts = words('a $(A) $$ é " - --a', "", " ", "a b", "\t", "x".repeat(300));
const variables = words("A a A-B a.b ! ~ 1A _ HOME a/b . ..a", " ", "A B", long(300));
const paths = words("/data /a/b /a/../b / /.. /a..b /./x //x /dev/shm", `/${long(300)}`, "/a b");
const files = words("a a/b ../a ..a a/.. /a . a..b .. ./..", long(300));
const amounts = words(
  "0 1 2 4 0.5 500m 1500m 999.9999 1e3 1E 1k 1Ki 64Mi 1Gi 2Gi 100n 1u " +
    "9223372036854775807 10E 1e30 0.0001 .5 1. +1 1e-3 1000m 1001m 3Mi 4Mi",
);
const resourceNames = words(
  "cpu cpu cpu memory memory memory ephemeral-storage Memory cup pods storage requests.cpu nvidia.com/gpu " +
    "nvidia.com/gpu amd.com/gpu rdma/hca example.com/a_b kubernetes.io/x requests.a.com/b " +
    "hugepages-2Mi hugepages-1Gi hugepages- hugepages-x hugepages-1.5",
  ...[`${long(244)}.c/x`, `${long(200)}/x`],
);
const resourceList = few(resourceNames, amounts);
const resources = record({ limits: resourceList, requests: resourceList });

const ids = of(0, 1, 1000, 2 ** 31 - 1);
const profiles = fc.oneof(
  fc.record({ type: words("RuntimeDefault Unconfined") }),
  fc.record({ type: of("Localhost"), localhostProfile: words("a a/b /a ../a", " a", "a ", long(4096)) }),
);
const identity = {
  ...{ runAsUser: ids, runAsGroup: ids, runAsNonRoot: flag, seccompProfile: profiles, appArmorProfile: profiles },
  seLinuxOptions: record({ level: texts, role: texts, type: texts, user: texts }),
};
const securityContext = record({
  ...{ ...identity, privileged: flag, allowPrivilegeEscalation: flag, readOnlyRootFilesystem: flag },
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
      ...{ emptyDir: of(true), emptyDirMedium: words("Memory HugePages x", ""), emptyDirSizeLimit: amounts },
    }),
    fc.record({ path: paths, emptyDir: of(true) }),
    fc.record({
      ...{ path: paths, csiDriver: words("d a.b A.b a_b a..b -", " a", long(64)) },
      csiDriverAttributes: few(
        texts.filter((text) => text.trim() !== ""),
        texts,
      ),
    }),
  ),
  2,
);

const toleration = record({
  ...{ key: keys, operator: words("Exists Equal"), value: values },
  effect: words("NoSchedule PreferNoSchedule NoExecute"),
});
const sysctls = words(
  "net.core.somaxconn kernel.shm_rmid_forced net/ipv4/x a a..b A kernel.sem fs.mqueue.x",
  long(254),
);
const pod = record({
  annotations: few(keys, fc.oneof(texts, of("x".repeat(100_000), "y".repeat(262_144)))),
  ...{ labels: few(keys, values), restartPolicy: words("OnFailure Never"), serviceAccountName: objectNames },
  ...{ automountServiceAccountToken: flag, runtimeClassName: objectNames, schedulerName: objectNames },
  nodeSelector: few(keys, values),
  nodeAffinity: few(keys, fc.array(values, { minLength: 1, maxLength: 2 })),
  tolerations: list(toleration, 2),
  dnsPolicy: words("ClusterFirst ClusterFirstWithHostNet Default None"),
  ...{ hostIPC: flag, hostPID: flag, resources },
  securityContext: record({
    ...{ ...identity, fsGroup: ids, fsGroupChangePolicy: words("Always OnRootMismatch") },
    ...{ supplementalGroups: list(ids, 2), supplementalGroupsPolicy: words("Merge Strict") },
    ...{ seLinuxChangePolicy: of("Recursive"), sysctls: list(fc.record({ name: sysctls, value: texts }), 2) },
  }),
});

const exec = { command: ["x"] };
const handlers = of<object>(
  ...[{ exec }, { exec: { command: [] } }, { httpGet: { port: 80 } }, { httpGet: { port: "http" } }],
  ...[{ tcpSocket: { port: 0 } }, { grpc: { port: 1 } }, {}, { exec, tcpSocket: { port: 1 } }],
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
      ...{ resources, securityContext, livenessProbe: probe, readinessProbe: probe },
      lifecycle: record({ postStart: handlers }),
      volumeMounts: list(
        record({ name: words("extra a missing"), mountPath: paths, subPath: files }, "name", "mountPath"),
      ),
      restartPolicy: words("Always Never x"),
    },
    "name",
  );
const podTemplate = record({
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
          ...{ maxSkew: of(0, 1), topologyKey: keys, minDomains: of(0, 1) },
          whenUnsatisfiable: words("DoNotSchedule ScheduleAnyway x"),
        },
        ...(["maxSkew", "topologyKey", "whenUnsatisfiable"] as const),
      ),
    ),
    os: of({ name: "linux" }, { name: "windows" }),
  }),
});

const code = of("", "true", "echo $HOME\nexit 3", "x".repeat(20_000), "é'\"", "set -x");
const container = {
  image: words("i ubuntu:noble a/b@sha256:0 I", " i", "i ", "a b"),
  command: of("x", "echo a b", "a && b", "", "x\ny", "y".repeat(200_000), "z".repeat(600_000), "$(A) $$"),
  ...{ workingDir: paths, imagePullSecret: objectNames, imagePullPolicy: words("Always IfNotPresent Never") },
  ports: list(of(1, 80, 443, 6379, 8050, 8060, 8061, 65_535), 3),
  environment: few(variables, texts),
  secrets: few(
    variables,
    fc.record({ name: objectNames, key: words("k .k ..k . .. é a/b", "a b", long(253), long(254)) }),
  ),
  ...{ resources, securityContext, volumes },
  lifeCycle: record({ postStartExec: of("x", "a && b", "x y"), preStopExec: of("x", "exit 1") }),
};
const commands = record({ init: code, pre: code, post: code, brokerPre: code, workerPre: code });
const runFlux = of(true);
const broker = fc.oneof(
  { weight: 5, arbitrary: record({ ...container, runFlux, launcher: flag }, "image", "runFlux") },
  record({ ...container, runFlux, commands, logs: paths, name: labels }, "image", "runFlux"),
);
const serviceName = words("s side", long(63));
const sidecar = record({ ...container, name: labels, serviceName, noWrapEntrypoint: flag }, "image", "name");
const service = record({ ...container, name: labels, commands: record({ servicePre: code }) }, "image", "name");

const pool = fc
  .record({
    resources: few(words("nvidia.com/gpu vpc.amazonaws.com/efa hugepages-2Mi"), words("4 8 64Mi")),
    taints: list(fc.record({ key: keys, value: values, effect: of("NoSchedule" as const, "NoExecute" as const) })),
    ...{ annotations: few(keys, texts, 1), hostPaths: few(paths, paths, 1), lockMemory: flag },
    claims: list(fc.record({ name: labels, deviceClass: objectNames, count: of(1, 8, 32) }), 2),
    matchAttributes: list(keys),
    nodeSelector: fc.dictionary(keys, values, { minKeys: 1, maxKeys: 2 }),
  })
  .map((facts) => aPool(facts));

const ranges = words("10.0.0.0/8 203.0.113.7/24 2001:db8::/32 010.0.0.0/8 10.0.0.0/08");
const expose = fc.oneof(
  fc.record({
    nodePort: fc.record({ address: words("1.2.3.4 h.example.com"), port: of(30_000, 32_767) }),
    demand: fc.constant({}),
  }),
  fc.record({
    loadBalancer: record(
      {
        cloud: words("aws gcp azure other"),
        sourceRanges: fc.array(ranges, { minLength: 1, maxLength: 2 }),
        ...{ annotations: few(keys, texts, 2), loadBalancerClass: keys },
      },
      ...(["cloud", "sourceRanges"] as const),
    ),
  }),
);

const group = record({
  ...{
    size: of(0, 1, 3),
    maxSize: of(3, 100),
    properties: list(words("a b")),
    cores: of(1, 64),
    pool,
    pod,
    podTemplate,
  },
  ...{ autoscale: fc.record({ max: of(1, 3) }), drainTimeoutSeconds: of(0, 30), prepull: flag, disruptionBudget: flag },
});
const lead = record({
  resources,
  pool,
  podTemplate,
  nodeSelector: few(keys, values),
  tolerations: list(toleration, 2),
});

/** Random arguments of a cluster. Not all of them are right. */
export const randomArgs = record(
  {
    name: fc.oneof({ weight: 8, arbitrary: words("demo a d-1") }, words("1a", long(61), long(62), long(53), long(55))),
    ...{ size: of(1, 2, 3, 10, 100), maxSize: of(100, 1000, 100_000), backoffLimit: of(0, 6, 2 ** 31 - 1) },
    deadlineSeconds: of(1, 60, 2 ** 31, Number.MAX_SAFE_INTEGER),
    ...{ jobLabels: few(keys, values), drainTimeoutSeconds: of(0, 30, 86_400) },
    ...{ shareProcessNamespace: flag, interactive: flag, cleanup: flag, suspend: flag, prepull: flag },
    ...{ disruptionBudget: flag, podSecurity: words("baseline baseline restricted") },
    network: record({
      headlessName: words("hosts", long(63)),
      affinity: words("required preferred none"),
      policy: words("none pods brokerPort"),
    }),
    autoscale: fc.record({ max: of(2, 100) }),
    metrics: record({
      ...{ port: of(1024, 9100), fromNamespace: labels, podMonitor: record({ labels: few(keys, values) }) },
    }),
    ...{ pod, podTemplate, pool, services: list(service, 2) },
    bursting: fc.record({ clusters: fc.constant([{ name: "far", maxSize: 2, cores: 1 }]), expose }),
    ...{ lead, groups: few(words("cpu gpu"), group) },
    gang: record({ queueName: words("q", long(63)), schedulerName: objectNames }),
    flux: record({
      container: record({
        ...{ image: of("v", " v"), name: labels, imageVolume: flag, resources, securityContext },
        ...{ workingDir: paths, disable: flag },
      }),
      ...{ arch: words("amd64 arm64"), environment: few(words("A _b"), texts), mungeSecret: objectNames },
      ...{ minimalService: flag, curveCert: fc.constant(standInCertificate) },
    }),
    containers: fc.tuple(broker, list(sidecar, 2)).map(([main, others]) => [main, ...others]),
  },
  "containers",
).map((args) => args as unknown as MiniClusterArgs);
