import fc from "fast-check";
import {
  of,
  some,
  few,
  type Odd,
  keys,
  values,
  objectNames,
  texts,
  variables,
  paths,
  files,
  resources,
  securityContext,
  identity,
  ids,
  long,
} from "./values";

export const toleration = fc.record(
  {
    key: keys,
    operator: of("Exists", "Equal"),
    value: values,
    effect: of("NoSchedule", "PreferNoSchedule", "NoExecute"),
  },
  { requiredKeys: [] },
);
export const sysctls = of(
  "net.core.somaxconn",
  "kernel.shm_rmid_forced",
  "net/ipv4/x",
  "a",
  "a..b",
  "A",
  "kernel.sem",
  long(254),
  "fs.mqueue.x",
);

export const pod = some({
  annotations: few(keys, fc.oneof(texts, of("x".repeat(100_000), "y".repeat(262_144)))),
  labels: few(keys, values),
  restartPolicy: of("OnFailure", "Never"),
  serviceAccountName: objectNames,
  automountServiceAccountToken: fc.boolean(),
  runtimeClassName: objectNames,
  schedulerName: objectNames,
  nodeSelector: few(keys, values),
  nodeAffinity: few(keys, fc.array(values, { minLength: 1, maxLength: 2 })),
  tolerations: fc.array(toleration, { maxLength: 2 }),
  dnsPolicy: of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
  hostIPC: fc.boolean(),
  hostPID: fc.boolean(),
  resources,
  securityContext: some({
    ...identity,
    ...{
      fsGroup: ids,
      fsGroupChangePolicy: of("Always", "OnRootMismatch"),
      supplementalGroups: fc.array(ids, { maxLength: 2 }),
    },
    ...{ supplementalGroupsPolicy: of("Merge", "Strict"), seLinuxChangePolicy: of("Recursive") },
    sysctls: fc.array(fc.record({ name: sysctls, value: texts }), { maxLength: 2 }),
  }),
});

export const handlers = of<object>(
  ...[
    { exec: { command: ["x"] } },
    { exec: { command: [] } },
    { httpGet: { port: 80 } },
    { httpGet: { port: "http" } },
  ],
  ...[{ tcpSocket: { port: 0 } }, { grpc: { port: 1 } }, {}, { exec: { command: ["x"] }, tcpSocket: { port: 1 } }],
);
export const probe = fc
  .record(
    { handler: handlers, periodSeconds: of(-1, 0, 1), successThreshold: of(0, 1, 2) },
    { requiredKeys: ["handler"] },
  )
  .map(({ handler, ...numbers }) => ({ ...handler, ...numbers }));
export const templateContainer = (name: Odd<string>) =>
  fc.record(
    {
      name,
      image: of("i", " i"),
      env: fc.array(fc.record({ name: variables, value: texts }), { maxLength: 1 }),
      envFrom: fc.array(of({ secretRef: { name: "s" } }, { configMapRef: { name: "A_" } }, {}), { maxLength: 1 }),
      ports: fc.array(
        fc.record(
          { containerPort: of(1, 80, 0), name: of("http", "A", "80", long(16)), hostPort: of(0, 80, 65_536) },
          { requiredKeys: ["containerPort"] },
        ),
        { maxLength: 1 },
      ),
      resources,
      securityContext,
      livenessProbe: probe,
      readinessProbe: probe,
      lifecycle: some({ postStart: handlers }),
      volumeMounts: fc.array(
        fc.record(
          { name: of("extra", "a", "missing"), mountPath: paths, subPath: files },
          { requiredKeys: ["name", "mountPath"] },
        ),
        { maxLength: 1 },
      ),
      restartPolicy: of("Always", "Never", "x"),
    },
    { requiredKeys: ["name"] },
  );

export const podTemplate = some({
  metadata: some({ labels: few(keys, values), annotations: few(keys, texts) }),
  spec: some({
    containers: fc.array(templateContainer(of("demo", "more")), { maxLength: 1 }),
    initContainers: fc.array(templateContainer(of("flux-view", "first", "main")), { maxLength: 1 }),
    volumes: fc.array(
      fc.record(
        {
          name: of("extra", "a"),
          emptyDir: of({}, { sizeLimit: "1Gi" }, { sizeLimit: "-1" }),
          hostPath: of({ path: "/x" }, { path: "/../x", type: "File" }),
        },
        { requiredKeys: ["name"] },
      ),
      { maxLength: 1 },
    ),
    priorityClassName: of("a", "A", "a.b"),
    terminationGracePeriodSeconds: of(0, 1, 60, 86_400),
    activeDeadlineSeconds: of(0, 1, 2 ** 31),
    dnsConfig: some({
      nameservers: fc.array(of("10.0.0.1", "::1", "010.0.0.1", "x", "fe80::1%eth0"), { maxLength: 4 }),
      searches: fc.array(of("a", "a.", ".", "_a.b", "A", ""), { maxLength: 2 }),
      options: fc.array(of({ name: "ndots", value: "2" }, {}), { maxLength: 1 }),
    }),
    hostUsers: fc.boolean(),
    hostAliases: fc.array(fc.record({ ip: of("1.2.3.4", "x"), hostnames: fc.array(of("a", "A"), { maxLength: 1 }) }), {
      maxLength: 1,
    }),
    tolerations: fc.array(toleration, { maxLength: 1 }),
    nodeSelector: few(keys, values),
    topologySpreadConstraints: fc.array(
      fc.record(
        {
          maxSkew: of(0, 1),
          topologyKey: keys,
          whenUnsatisfiable: of("DoNotSchedule", "ScheduleAnyway", "x"),
          minDomains: of(0, 1),
        },
        { requiredKeys: ["maxSkew", "topologyKey", "whenUnsatisfiable"] },
      ),
      { maxLength: 1 },
    ),
    os: of({ name: "linux" }, { name: "windows" }),
  }),
});
