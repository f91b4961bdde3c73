import { validating } from "../../../support/problems";
import { aBroker, aSidecar, operatorFlux } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();
const long = "a".repeat(61);

describe("the rules between properties", () => {
  rejects({
    [`name: the host name ${long}-10 has 64 characters, 63 are allowed; shorten name by 1`]: {
      name: long,
      maxSize: 11,
    },
    'name: "3d" starts with a digit…': { name: "3d" },
    "wait: a cluster without a command never completes…": {
      wait: "complete",
      containers: [aBroker({ command: " " }), aSidecar()],
    },
    "prepull: cannot pull the image…": {
      prepull: true,
      containers: [aBroker({ imagePullPolicy: "Never" }), aSidecar()],
    },
    "retryCommand: Kubernetes restarts every…": { retryCommand: false, pod: { restartPolicy: "OnFailure" } },
    'archive.path: /state/ must be a file, such as "/state/archive.tar.gz"': { archive: { path: "/state/" } },
  });
  rejectsAll({ size: 12, minSize: 13, maxSize: 8 }, [
    "size: size 12 is above maxSize 8; raise maxSize or lower size",
    "minSize: minSize 13 is above size 12; lower minSize or raise size",
  ]);
  const rank = "batch.kubernetes.io/job-completion-index";
  rejectsAll(
    {
      jobLabels: { "job-name": "x" },
      pod: { labels: { [rank]: "0" }, annotations: { "minicluster/config-hash": "x" } },
    },
    [
      'jobLabels["job-name"]: is set by Kubernetes or by the component itself; choose another key',
      `pod.labels["${rank}"]: is set by Kubernetes or by the component itself; choose another key`,
      'pod.annotations["minicluster/config-hash"]: is set by…',
    ],
  );
  rejectsAll(
    {
      jobAnnotations: {
        "batch.kubernetes.io/job-tracking": "",
        "minicluster/spent": "{}",
        "pulumi.com/skipAwait": "true",
        "kueue.x-k8s.io/elastic-job": "true",
      },
    },
    [
      'jobAnnotations["batch.kubernetes.io/job-tracking"]: is set by Kubernetes or by the component itself; …',
      'jobAnnotations["minicluster/spent"]: is set by…',
      'jobAnnotations["pulumi.com/skipAwait"]: is set by…',
      'jobAnnotations["kueue.x-k8s.io/elastic-job"]: is set by gang.elastic; set that instead',
    ],
  );
  rejects({
    [`console: needs the Service ${long}-console, and 63 characters are allowed; shorten name by 6`]: {
      name: long,
      console: { users: ["a"] },
    },
    "services: needs the Service 3d-services, which starts with a digit…": {
      name: "3d",
      network: { headlessName: "hosts" },
      services: [aSidecar()],
    },
    "console: needs the Service demo-console, which is also the name in network.headlessName…": {
      console: { users: ["a"] },
      network: { headlessName: "demo-console" },
    },
  });
  accepts({
    "prepull beside a sidecar with the pull policy Never": {
      prepull: true,
      containers: [aBroker(), aSidecar({ imagePullPolicy: "Never" })],
    },
    "equal sizes": { minSize: 4, size: 4, maxSize: 4 },
    "the longest name of ten hosts": { name: long, maxSize: 10 },
    "a name that starts with a digit beside a headlessName": { name: "3d", network: { headlessName: "three-d" } },
    "to wait for the completion of a script": {
      wait: "complete",
      containers: [aBroker({ command: undefined, commands: { script: "hostname" } }), aSidecar({ command: undefined })],
    },
  });
});

describe("the rules of gangs", () => {
  const label = "kueue.x-k8s.io/queue-name";
  rejectsAll(
    {
      gang: { queueName: "hpc", schedulerName: "fluence" },
      pod: { schedulerName: "volcano" },
      suspend: false,
      jobLabels: { [label]: "other" },
    },
    [
      "gang: queueName and schedulerName exclude each other; keep one of them",
      "gang.schedulerName: pod.schedulerName is also set; keep one of them",
      `jobLabels["${label}"]: is set by gang.queueName; keep one of them`,
      "suspend: Kueue suspends and resumes the Jobs of its queues; remove suspend or gang.queueName",
    ],
  );
  const byLabel = { jobLabels: { [label]: "hpc" } };
  rejectsAll({ ...byLabel, suspend: true, gang: { schedulerName: "fluence" } }, [
    "gang: queueName and schedulerName exclude each other; keep one of them",
    "suspend: Kueue suspends and resumes the Jobs of its queues; remove suspend or gang.queueName",
  ]);
  rejects({ [`jobLabels["${label}"]: "Not_A_Queue" must be…`]: { jobLabels: { [label]: "Not_A_Queue" } } });
  accepts({
    "a queue as a label": byLabel,
    "an empty label, which names no queue": { jobLabels: { [label]: "" }, suspend: true },
    "a queue as a label with a topology, which no resize keeps": {
      ...byLabel,
      pod: { annotations: { "kueue.x-k8s.io/podset-required-topology": "rack" } },
    },
  });
});

describe("the rules between the settings of Flux", () => {
  rejects({
    "flux.scheduler.matchPolicy: the simple scheduler…": {
      flux: { scheduler: { simple: true, matchPolicy: "first" } },
    },
  });
  rejectsAll(
    {
      flux: operatorFlux({ minimalService: true, topology: "kary:2", container: { imageVolume: true, disable: true } }),
      shareProcessNamespace: true,
      pod: { hostPID: true },
    },
    [
      "shareProcessNamespace: has no effect with pod.hostPID, which shows all processes of a node; remove one",
      "flux.topology: only the lead broker has an address with minimalService…",
      "flux.container.imageVolume: with disable there is no view to mount; remove one of them",
    ],
  );
  rejectsAll(
    {
      flux: operatorFlux({
        brokerConfig: "",
        bursting: { hostlist: "demo-[0-3]" },
        topology: "binomial",
        scheduler: { queuePolicy: "easy", matchPolicy: "first" },
        inactiveNumLimit: 1000,
        inactiveAgeLimit: "1d",
      }),
    },
    [
      "flux.scheduler.queuePolicy: brokerConfig is the whole configuration; set the policy there",
      "flux.scheduler.matchPolicy: brokerConfig is the whole configuration; set the policy there",
      "flux.inactiveNumLimit: brokerConfig is the whole configuration; set the limit in its table job-manager",
      "flux.inactiveAgeLimit: brokerConfig is the whole configuration; set the limit in its table job-manager",
      "flux.topology: brokers of another cluster can connect only to the lead broker…",
      "flux.bursting: brokerConfig is the whole configuration; list the hosts there",
    ],
  );
  accepts({
    "a flat tree with minimalService": { flux: operatorFlux({ minimalService: true, topology: "kary:0" }) },
    "a deep tree and brokerConfig beside bursting without clusters": {
      flux: operatorFlux({
        topology: "kary:2",
        brokerConfig: "",
        bursting: { clusters: [] },
        scheduler: { simple: true },
      }),
    },
  });
});
