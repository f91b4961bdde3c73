import * as pulumi from "@pulumi/pulumi";
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

describe("the rules of gangs", () => {
  const queue = { queueName: "hpc" };
  itRefuses([
    {
      rule: "a queue of Kueue beside a scheduler",
      args: { gang: { ...queue, schedulerName: "fluence" } },
      path: "gang",
      says: "queueName and schedulerName exclude each other; keep one of them",
    },
    {
      rule: "a scheduler beside that of the pods",
      args: { gang: { schedulerName: "fluence" }, pod: { schedulerName: "volcano" } },
      path: "gang.schedulerName",
      says: "pod.schedulerName is set, too; keep one of them",
    },
    ...[true, false].map((suspend) => ({
      rule: `suspend: ${suspend} beside a queue`,
      args: { gang: queue, suspend },
      path: "suspend",
      says: "Kueue suspends and resumes the Jobs of its queues; remove suspend or gang.queueName",
    })),
    {
      rule: "the queue's label beside a queue",
      args: { gang: queue, jobLabels: { "kueue.x-k8s.io/queue-name": "other" } },
      path: 'jobLabels["kueue.x-k8s.io/queue-name"]',
      says: "is set by gang.queueName; keep one of them",
    },
    {
      rule: "a queue that no label can name",
      args: { gang: { queueName: "a b" } },
      path: "gang.queueName",
      says: /^"a b" must be a label value/,
    },
    {
      rule: "a queue without a name",
      args: { gang: { queueName: "" } },
      path: "gang.queueName",
      says: "needs the name of a queue; leave it out for none",
    },
    {
      rule: "a scheduler that cannot exist",
      args: { gang: { schedulerName: "A" } },
      path: "gang.schedulerName",
      says: /^"A" must be the name of a Kubernetes object/,
    },
  ]);
  itAccepts({
    "a queue that is only known later": { gang: { queueName: pulumi.output("hpc") } },
    "a scheduler that is only known later": { gang: { schedulerName: pulumi.output("fluence") } },
    "a queue and a scheduler of the pods": { gang: queue, pod: { schedulerName: "volcano" } },
    "the queue's label without the queue": { jobLabels: { "kueue.x-k8s.io/queue-name": "hpc" }, suspend: true },
  });
});

describe("the rules between the settings of Flux", () => {
  const container = { imageVolume: true, disable: true };
  itRefuses([
    {
      rule: "a deep tree where only the lead broker has an address",
      args: { flux: { minimalService: true, topology: "kary:2" } },
      path: "flux.topology",
      says: 'only the lead broker has an address with minimalService; use "kary:0" or leave it out',
    },
    ...[{ clusters: [{}] }, { hostlist: "demo-[0-3]" }].map((bursting) => ({
      rule: `a deep tree beside ${Object.keys(bursting).join()} of bursting`,
      args: { flux: { bursting, topology: "binomial" } },
      path: "flux.topology",
      says: 'brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
    })),
    {
      rule: "an image volume where there is no image",
      args: { flux: { container } },
      path: "flux.container.imageVolume",
      says: "disable brings no view to mount; remove one of them",
    },
    {
      rule: "a queue policy beside a configuration of the user's own",
      args: { flux: { brokerConfig: "", scheduler: { queuePolicy: "easy" } } },
      path: "flux.scheduler.queuePolicy",
      says: "brokerConfig is the whole configuration; set the policy there",
    },
    {
      rule: "bursting beside a configuration of the user's own",
      args: { flux: { brokerConfig: "", bursting: { clusters: [{}] } } },
      path: "flux.bursting",
      says: "brokerConfig is the whole configuration; name the hosts there",
    },
    {
      rule: "processes that are shared in the pod and with the node",
      args: { shareProcessNamespace: true, pod: { hostPID: true } },
      path: "shareProcessNamespace",
      says: "pod.hostPID shows every process of the node already; keep one of them",
    },
    {
      rule: "an archive without an absolute path",
      args: { archive: { path: "state.tgz" } },
      path: "archive.path",
      says: '"state.tgz" must be an absolute path such as "/data", without a colon',
    },
    {
      rule: "an archive without a path",
      args: { archive: {} },
      path: "archive.path",
      says: 'must be an absolute path such as "/data", without a colon',
    },
  ]);
  itAccepts({
    "a flat tree where only the lead broker has an address": { flux: { minimalService: true, topology: "kary:0" } },
    "a deep tree beside bursting to nowhere": { flux: { topology: "kary:2", bursting: { clusters: [] } } },
    "a configuration of the user's own beside bursting to nowhere": {
      flux: { brokerConfig: "", bursting: { clusters: undefined }, scheduler: { simple: true } },
    },
    "an image volume": { flux: { container: { imageVolume: true, disable: false } } },
    "an archive": { archive: { path: "/state/archive.tar.gz" } },
  });
});
