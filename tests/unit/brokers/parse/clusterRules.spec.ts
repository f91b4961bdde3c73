import { errorsAt, validating } from "../../../support/problems";
import { aBroker, aSidecar } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

describe("the rules between properties", () => {
  rejects({
    ["name: the host name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-10 has 64 characters, 63 are " +
    "allowed; shorten name by 1"]: {
      name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      size: 1,
      maxSize: 11,
    },
    'name: "3d" starts with a digit, a service\'s name cannot; rename it or set network.headlessName': { name: "3d" },
    'wait: a cluster without a command never completes; wait for "ready" or "none"': {
      wait: "complete",
      containers: [aBroker({ command: " " }), aSidecar()],
    },
    'prepull: the pull policy of the container that runs Flux is "Never"; remove one of them': {
      prepull: true,
      containers: [aBroker({ imagePullPolicy: "Never" }), aSidecar()],
    },
    ['retryCommand: Kubernetes restarts every failed container of a pod with restartPolicy "OnFailure"; set ' +
    'pod.restartPolicy: "Never"']: { retryCommand: false, pod: { restartPolicy: "OnFailure" } },
  });
  rejectsAll({ size: 12, minSize: 13, maxSize: 8 }, [
    "size: size 12 is above maxSize 8; raise maxSize or lower size",
    "minSize: minSize 13 is above size 12; lower minSize or raise size",
  ]);
  rejectsAll(
    {
      jobLabels: { "job-name": "x" },
      pod: {
        labels: { "batch.kubernetes.io/job-completion-index": "0" },
        annotations: { "minicluster/config-hash": "x" },
      },
    },
    [
      'jobLabels["job-name"]: is set by Kubernetes or by the component itself; choose another key',
      ...errorsAt(
        ['pod.labels["batch.kubernetes.io/job-completion-index"]', 'pod.annotations["minicluster/config-hash"]'],
        "is set by Kubernetes or by the component itself; choose another key",
      ),
    ],
  );
  accepts({
    "prepull beside a sidecar with the pull policy Never": {
      prepull: true,
      containers: [aBroker(), aSidecar({ imagePullPolicy: "Never" })],
    },
    "equal sizes": { minSize: 4, size: 4, maxSize: 4 },
    "the longest name of ten hosts": {
      name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      size: 1,
      maxSize: 10,
    },
    "a name that starts with a digit beside a headlessName": { name: "3d", network: { headlessName: "three-d" } },
    "to wait for the completion of a script": {
      wait: "complete",
      containers: [
        { image: "i", runFlux: true, commands: { script: "hostname" } },
        { image: "i", name: "side" },
      ],
    },
  });
});

describe("the rules of gangs", () => {
  rejectsAll(
    {
      gang: { queueName: "hpc", schedulerName: "fluence" },
      pod: { schedulerName: "volcano" },
      suspend: false,
      jobLabels: { "kueue.x-k8s.io/queue-name": "other" },
    },
    [
      "suspend: Kueue suspends and resumes the Jobs of its queues; remove suspend or gang.queueName",
      "gang: queueName and schedulerName exclude each other; keep one of them",
      "gang.schedulerName: pod.schedulerName is also set; keep one of them",
      'jobLabels["kueue.x-k8s.io/queue-name"]: is set by gang.queueName; keep one of them',
    ],
  );
  accepts({
    "the label of a queue without queueName": { jobLabels: { "kueue.x-k8s.io/queue-name": "hpc" }, suspend: true },
  });
});

describe("the rules between the settings of Flux", () => {
  rejects({
    "flux.scheduler.matchPolicy: the simple scheduler has no match policy; remove one of them": {
      flux: { scheduler: { simple: true, matchPolicy: "first" } },
    },
    'archive.path: /state/ must be a file, such as "/state/archive.tar.gz"': { archive: { path: "/state/" } },
  });
  rejectsAll(
    {
      flux: { minimalService: true, topology: "kary:2", container: { imageVolume: true, disable: true } },
      shareProcessNamespace: true,
      pod: { hostPID: true },
    },
    [
      "shareProcessNamespace: pod.hostPID shows every process of the node already; keep one of them",
      'flux.topology: only the lead broker has an address with minimalService; use "kary:0" or leave it out',
      "flux.container.imageVolume: disable brings no view to mount; remove one of them",
    ],
  );
  rejectsAll(
    {
      flux: {
        brokerConfig: "",
        bursting: { hostlist: "demo-[0-3]" },
        topology: "binomial",
        scheduler: { queuePolicy: "easy", matchPolicy: "first" },
      },
    },
    [
      "flux.scheduler.queuePolicy: brokerConfig is the whole configuration; set the policy there",
      "flux.scheduler.matchPolicy: brokerConfig is the whole configuration; set the policy there",
      'flux.topology: brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
      "flux.bursting: brokerConfig is the whole configuration; name the hosts there",
    ],
  );
  accepts({
    "a flat tree with minimalService": { flux: { minimalService: true, topology: "kary:0" } },
    "a deep tree and brokerConfig beside bursting without clusters": {
      flux: { topology: "kary:2", brokerConfig: "", bursting: { clusters: [] }, scheduler: { simple: true } },
    },
  });
});
