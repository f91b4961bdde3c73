import fc from "fast-check";
import type { MiniClusterArgs } from "../../../provider";
import { standInCertificate } from "../everything";
import { aPool } from "../fixtures";
import { broker, service, sidecar } from "./containers";
import { pod, podTemplate } from "./pods";
import {
  of,
  some,
  few,
  keys,
  values,
  labels,
  objectNames,
  texts,
  paths,
  resources,
  securityContext,
  long,
} from "./values";

const pool = fc
  .record({
    resources: few(of("nvidia.com/gpu", "vpc.amazonaws.com/efa", "hugepages-2Mi"), of("4", "8", "64Mi")),
    taints: fc.array(
      fc.record({ key: keys, value: values, effect: of<"NoSchedule" | "NoExecute">("NoSchedule", "NoExecute") }),
      { maxLength: 1 },
    ),
    annotations: few(keys, texts, 1),
    hostPaths: few(paths, paths, 1),
    lockMemory: fc.boolean(),
    claims: fc.array(fc.record({ name: labels, deviceClass: objectNames, count: of(1, 8, 32) }), { maxLength: 2 }),
    matchAttributes: fc.array(keys, { maxLength: 1 }),
    nodeSelector: fc.dictionary(keys, values, { minKeys: 1, maxKeys: 2 }),
  })
  .map((facts) => aPool(facts));

const expose = fc.oneof(
  fc.record({
    nodePort: fc.record({ address: of("1.2.3.4", "h.example.com"), port: of(30_000, 32_767) }),
    demand: fc.constant({}),
  }),
  fc.record({
    loadBalancer: fc.record(
      {
        cloud: of("aws", "gcp", "azure", "other"),
        sourceRanges: fc.array(of("10.0.0.0/8", "203.0.113.7/24", "2001:db8::/32", "010.0.0.0/8", "10.0.0.0/08"), {
          minLength: 1,
          maxLength: 2,
        }),
        annotations: few(keys, texts, 2),
        loadBalancerClass: keys,
      },
      { requiredKeys: ["cloud", "sourceRanges"] },
    ),
  }),
);

/** Random arguments of a cluster. Not all of them are right. */
export const randomArgs = fc
  .record(
    {
      name: fc.oneof(
        { weight: 8, arbitrary: of("demo", "a", "d-1") },
        of(long(61), long(62), long(53), "1a", long(55)),
      ),
      size: of(1, 2, 3, 10, 100),
      maxSize: of(100, 1000, 100_000),
      deadlineSeconds: of(1, 60, 2 ** 31, Number.MAX_SAFE_INTEGER),
      backoffLimit: of(0, 6, 2 ** 31 - 1),
      jobLabels: few(keys, values),
      shareProcessNamespace: fc.boolean(),
      interactive: fc.boolean(),
      cleanup: fc.boolean(),
      suspend: fc.boolean(),
      drainTimeoutSeconds: of(0, 30, 86_400),
      podSecurity: of("baseline", "baseline", "restricted"),
      prepull: fc.boolean(),
      disruptionBudget: fc.boolean(),
      network: some({
        headlessName: of("hosts", long(63)),
        affinity: of("required", "preferred", "none"),
        policy: of("none", "pods", "brokerPort"),
      }),
      autoscale: fc.record({ max: of(2, 100) }),
      metrics: some({ port: of(1024, 9100), fromNamespace: labels, podMonitor: some({ labels: few(keys, values) }) }),
      pod,
      podTemplate,
      pool,
      services: fc.array(service, { maxLength: 2 }),
      bursting: fc.record({ clusters: fc.constant([{ name: "far", maxSize: 2, cores: 1 }]), expose }),
      gang: some({ queueName: of("q", long(63)), schedulerName: objectNames }),
      flux: some({
        container: some({
          image: of("v", " v"),
          name: labels,
          imageVolume: fc.boolean(),
          resources,
          securityContext,
          workingDir: paths,
          disable: fc.boolean(),
        }),
        arch: of("amd64", "arm64"),
        environment: few(of("A", "_b"), texts),
        mungeSecret: objectNames,
        minimalService: fc.boolean(),
        curveCert: fc.constant(standInCertificate),
      }),
      containers: fc.tuple(broker, fc.array(sidecar, { maxLength: 2 })).map(([main, others]) => [main, ...others]),
    },
    { requiredKeys: ["containers"] },
  )
  .map((args) => args as unknown as MiniClusterArgs);
