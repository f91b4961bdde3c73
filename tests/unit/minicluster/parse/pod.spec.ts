import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterPodArgs } from "../../../../provider";
import { itAccepts, itRefuses } from "../../../support/problems";

const pod = (args: MiniClusterPodArgs) => ({ pod: args });
const key = "a key such as app or example.com/app: at most 63 letters, digits, -, _ and . after an optional DNS prefix";

describe("the pod's settings", () => {
  itRefuses([
    {
      rule: "a toleration of every key that compares values",
      args: pod({ tolerations: [{ effect: "NoSchedule" }] }),
      path: "pod.tolerations[0].key",
      says: 'a toleration without a key needs operator "Exists"; add a key or the operator',
    },
    {
      rule: "a value where only the key counts",
      args: pod({ tolerations: [{ key: "a", operator: "Exists", value: "b" }] }),
      path: "pod.tolerations[0].value",
      says: 'operator "Exists" takes no value; remove it or use "Equal"',
    },
    {
      rule: "an unknown effect",
      args: { pod: { tolerations: [{ key: "a", effect: "Never" }] } },
      path: "pod.tolerations[0].effect",
      says: 'must be one of "NoSchedule", "PreferNoSchedule", "NoExecute"',
    },
    {
      rule: "node affinity with no value",
      args: pod({ nodeAffinity: { zone: [] } }),
      path: "pod.nodeAffinity.zone",
      says: "needs at least one value; add one or remove the label",
    },
    {
      rule: "a node label that is no label",
      args: pod({ nodeAffinity: { zone: ["a b"] } }),
      path: "pod.nodeAffinity.zone[0]",
      says: /^"a b" must be a label value: at most 63 letters/,
    },
    {
      rule: "a label key that is none",
      args: pod({ labels: { "bad key": "x" } }),
      path: 'pod.labels["bad key"]',
      says: `"bad key" must be ${key}`,
    },
    {
      rule: "an annotation key that is none",
      args: pod({ annotations: { "a/b/c": "x" } }),
      path: 'pod.annotations["a/b/c"]',
      says: `"a/b/c" must be ${key}`,
    },
    {
      rule: "a node selector with a bad value",
      args: pod({ nodeSelector: { pool: "-" } }),
      path: "pod.nodeSelector.pool",
      says: /^"-" must be a label value/,
    },
    {
      rule: "the restart policy Always, which no Job may have",
      args: { pod: { restartPolicy: "Always" } },
      path: "pod.restartPolicy",
      says: 'must be one of "OnFailure", "Never"',
    },
    {
      rule: "an unknown DNS policy",
      args: { pod: { dnsPolicy: "Cluster" } },
      path: "pod.dnsPolicy",
      says: 'must be one of "ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"',
    },
    {
      rule: "a service account that cannot exist",
      args: pod({ serviceAccountName: "My_Account" }),
      path: "pod.serviceAccountName",
      says: /^"My_Account" must be the name of a Kubernetes object/,
    },
    {
      rule: "a resource without a name",
      args: pod({ resources: { limits: { "": "1" } } }),
      path: 'pod.resources.limits[""]',
      says: `"" must be ${key}`,
    },
    {
      rule: "an amount that is no quantity",
      args: pod({ resources: { limits: { memory: "8 GB" } } }),
      path: "pod.resources.limits.memory",
      says: '"8 GB" must be a Kubernetes quantity such as "4", "500m" or "8Gi"',
    },
  ]);

  itAccepts({
    "everything at once, some of it only known later": pod({
      annotations: { "example.com/note": "any text: 1 2 3" },
      labels: { app: pulumi.output("lammps") },
      nodeSelector: { pool: Promise.resolve("hpc") },
      nodeAffinity: { "topology.kubernetes.io/zone": ["a", "b"] },
      tolerations: [
        { key: pulumi.output("gpu"), value: pulumi.output("yes"), effect: "NoSchedule" },
        { operator: "Exists" },
      ],
      ...{ serviceAccountName: pulumi.output("s"), runtimeClassName: "nvidia", schedulerName: "volcano" },
      ...{ restartPolicy: "Never", dnsPolicy: "Default", hostIPC: true, hostPID: true },
      resources: { limits: { cpu: "4", "nvidia.com/gpu": pulumi.output("1") } },
      automountServiceAccountToken: true,
    }),
  });
});
