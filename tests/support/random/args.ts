import fc from "fast-check";
import type { MiniClusterArgs } from "../../../provider";
import { standInCertificate } from "../everything";
import { aPool } from "../fixtures";
import { securityContext, toleration, pod, podTemplate, broker, sidecar, service } from "./pods";
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
  paths,
  resources,
} from "./values";

const pool = fc
  .record({
    resources: record({
      "nvidia.com/gpu": of("4", "8"),
      "vpc.amazonaws.com/efa": of("1", "4"),
      "hugepages-2Mi": of("64Mi", "1Gi"),
    }),
    taints: list(fc.record({ key: keys, value: values, effect: of("NoSchedule" as const, "NoExecute" as const) })),
    annotations: few(keys, texts, 1),
    hostPaths: few(paths, paths, 1),
    lockMemory: flag,
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
        annotations: few(keys, texts, 2),
        loadBalancerClass: keys,
      },
      ...(["cloud", "sourceRanges"] as const),
    ),
  }),
);

const group = record({
  size: of(0, 1, 3),
  maxSize: of(3, 100),
  properties: list(words("a b")),
  cores: of(1, 64),
  pool,
  pod,
  podTemplate,
  autoscale: fc.record({ max: of(1, 3) }),
  drainTimeoutSeconds: of(0, 30),
  prepull: flag,
  disruptionBudget: flag,
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
    size: of(1, 2, 3, 10, 100),
    maxSize: of(100, 1000, 100_000),
    backoffLimit: of(0, 6, 2 ** 31 - 1),
    deadlineSeconds: of(1, 60, 2 ** 31, Number.MAX_SAFE_INTEGER),
    jobLabels: few(keys, values),
    drainTimeoutSeconds: of(0, 30, 86_400),
    shareProcessNamespace: flag,
    interactive: flag,
    cleanup: flag,
    suspend: flag,
    prepull: flag,
    disruptionBudget: flag,
    podSecurity: words("baseline baseline restricted"),
    network: record({
      headlessName: words("hosts", long(63)),
      affinity: words("required preferred none"),
      policy: words("none pods brokerPort"),
    }),
    autoscale: fc.record({ max: of(2, 100) }),
    metrics: record({
      port: of(1024, 9100),
      fromNamespace: labels,
      podMonitor: record({ labels: few(keys, values) }),
    }),
    pod,
    podTemplate,
    pool,
    services: list(service, 2),
    bursting: fc.record({ clusters: fc.constant([{ name: "far", maxSize: 2, cores: 1 }]), expose }),
    lead,
    groups: few(words("cpu gpu"), group),
    gang: record({ queueName: words("q", long(63)), schedulerName: objectNames }),
    flux: record({
      container: record({
        image: of("v", " v"),
        name: labels,
        imageVolume: flag,
        resources,
        securityContext,
        workingDir: paths,
        disable: flag,
      }),
      arch: words("amd64 arm64"),
      environment: few(words("A _b"), texts),
      mungeSecret: objectNames,
      curveCert: fc.constant(standInCertificate),
    }),
    containers: fc.tuple(broker, list(sidecar, 2)).map(([main, others]) => [main, ...others]),
  },
  "containers",
)
  // A separate lead broker runs no command: without this, most arguments with `lead` or `groups` would be rejected.
  .map((args) => ({ ...args, ...((args.lead ?? args.groups) && { interactive: true }) }) as unknown as MiniClusterArgs);
