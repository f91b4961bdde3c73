import { MiniClusterWait } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

const reserved = "is set by Kubernetes or by the component itself; choose another key";
const neverCompletes = 'a cluster without a command of its own never completes; wait for "ready" or "none"';

describe("the rules between properties", () => {
  itRefuses([
    {
      rule: "a size above maxSize",
      args: { size: 12, maxSize: 8 },
      path: "size",
      says: "size 12 is above maxSize 8; raise maxSize or lower size",
    },
    {
      rule: "a minSize above the default size",
      args: { minSize: 2 },
      path: "minSize",
      says: "minSize 2 is above size 1; lower minSize or raise size",
    },
    {
      rule: "a minSize above size, even below maxSize",
      args: { minSize: 3, size: 2, maxSize: 4 },
      path: "minSize",
      says: "minSize 3 is above size 2; lower minSize or raise size",
    },
    {
      rule: "a name with no room for the highest index of maxSize",
      args: { name: "a".repeat(61), size: 1, maxSize: 11 },
      path: "name",
      says: `the host name ${"a".repeat(61)}-10 has 64 characters, 63 are allowed; shorten name by 1`,
    },
    {
      rule: "a name with no room for the highest index of size",
      args: { name: "a".repeat(62), size: 5000 },
      path: "name",
      says: /has 67 characters, 63 are allowed; shorten name by 4$/,
    },
    {
      rule: "a name that no service can have",
      args: { name: "3d" },
      path: "name",
      says: `"3d" starts with a digit, a service's name cannot; rename it or set network.headlessName`,
    },
    {
      rule: "to wait for the end of an interactive cluster",
      args: { wait: MiniClusterWait.Complete, interactive: true },
      path: "wait",
      says: neverCompletes,
    },
    {
      rule: "to wait for the end of no command",
      args: { wait: MiniClusterWait.Complete, containers: [aContainer({ command: " " })] },
      path: "wait",
      says: neverCompletes,
    },
    {
      rule: "job-name as a label",
      args: { jobLabels: { "job-name": "x" } },
      path: 'jobLabels["job-name"]',
      says: reserved,
    },
    {
      rule: "a label of the Job controller",
      args: { pod: { labels: { "batch.kubernetes.io/job-completion-index": "0" } } },
      path: 'pod.labels["batch.kubernetes.io/job-completion-index"]',
      says: reserved,
    },
    {
      rule: "controller-uid as a label of the pods",
      args: { pod: { labels: { "controller-uid": "x" } } },
      path: 'pod.labels["controller-uid"]',
      says: reserved,
    },
    {
      rule: "an annotation of the component",
      args: { pod: { annotations: { "minicluster/config-hash": "x" } } },
      path: 'pod.annotations["minicluster/config-hash"]',
      says: reserved,
    },
  ]);

  itAccepts({
    "equal sizes": { minSize: 4, size: 4, maxSize: 4 },
    "the longest name with one host": { name: "a".repeat(61), size: 1 },
    "the longest name with ten hosts": { name: "a".repeat(61), size: 1, maxSize: 10 },
    "a name with a digit in front beside a name for the service": { name: "3d", network: { headlessName: "three-d" } },
    "to wait for the end of a script": {
      wait: MiniClusterWait.Complete,
      containers: [{ image: "i", commands: { script: "hostname" } }],
    },
    "to wait until an interactive cluster is ready": { interactive: true },
    "other labels": { jobLabels: { "example.com/team": "hpc" }, pod: { labels: { app: "lammps" } } },
  });
});
