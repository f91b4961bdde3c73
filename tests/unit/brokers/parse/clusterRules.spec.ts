import { errorsAt, itValidates } from "../../../support/problems";
import { aBroker, aSidecar } from "../../../support/fixtures";

describe("the rules between properties", () => {
  itValidates([
    {
      name: "a size above maxSize, and a minSize above size",
      args: { size: 12, minSize: 13, maxSize: 8 },
      errors: [
        "size: size 12 is above maxSize 8; raise maxSize or lower size",
        "minSize: minSize 13 is above size 12; lower minSize or raise size",
      ],
    },
    {
      name: "a name that makes host names too long",
      args: { name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", size: 1, maxSize: 11 },
      errors: [
        "name: the host name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-10 has 64 characters, " +
          "63 are allowed; shorten name by 1",
      ],
    },
    {
      name: "a name that starts with a digit",
      args: { name: "3d" },
      errors: ['name: "3d" starts with a digit, a service\'s name cannot; rename it or set network.headlessName'],
    },
    {
      name: "to wait for the completion of a cluster without a command",
      args: {
        wait: "complete",
        containers: [aBroker({ command: " " }), aSidecar()],
      },
      errors: ['wait: a cluster without a command of its own never completes; wait for "ready" or "none"'],
    },
    {
      name: "labels and annotations that the component sets",
      args: {
        jobLabels: { "job-name": "x" },
        pod: {
          labels: { "batch.kubernetes.io/job-completion-index": "0" },
          annotations: { "minicluster/config-hash": "x" },
        },
      },
      errors: [
        'jobLabels["job-name"]: is set by Kubernetes or by the component itself; choose another key',
        ...errorsAt(
          ['pod.labels["batch.kubernetes.io/job-completion-index"]', 'pod.annotations["minicluster/config-hash"]'],
          "is set by Kubernetes or by the component itself; choose another key",
        ),
      ],
    },
    {
      name: "prepull beside the pull policy Never",
      args: {
        prepull: true,
        containers: [aBroker({ imagePullPolicy: "Never" }), aSidecar()],
      },
      errors: ['prepull: the pull policy of the container that runs Flux is "Never"; remove one of them'],
    },
    {
      name: "no retries beside the restart policy OnFailure",
      args: { retryCommand: false, pod: { restartPolicy: "OnFailure" } },
      errors: [
        'retryCommand: Kubernetes restarts every failed container of a pod with restartPolicy "OnFailure"; set ' +
          'pod.restartPolicy: "Never"',
      ],
    },
    {
      name: "prepull beside a sidecar with the pull policy Never",
      args: {
        prepull: true,
        containers: [aBroker(), aSidecar({ imagePullPolicy: "Never" })],
      },
    },
    { name: "equal sizes", args: { minSize: 4, size: 4, maxSize: 4 } },
    {
      name: "the longest name of ten hosts",
      args: { name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", size: 1, maxSize: 10 },
    },
    {
      name: "a name that starts with a digit beside a headlessName",
      args: { name: "3d", network: { headlessName: "three-d" } },
    },
    {
      name: "to wait for the completion of a script",
      args: {
        wait: "complete",
        containers: [
          { image: "i", runFlux: true, commands: { script: "hostname" } },
          { image: "i", name: "side" },
        ],
      },
    },
  ]);
});

describe("the rules of gangs", () => {
  itValidates([
    {
      name: "two schedulers, and suspend and a queue label beside queueName",
      args: {
        gang: { queueName: "hpc", schedulerName: "fluence" },
        pod: { schedulerName: "volcano" },
        suspend: false,
        jobLabels: { "kueue.x-k8s.io/queue-name": "other" },
      },
      errors: [
        "suspend: Kueue suspends and resumes the Jobs of its queues; remove suspend or gang.queueName",
        "gang: queueName and schedulerName exclude each other; keep one of them",
        "gang.schedulerName: pod.schedulerName is set, too; keep one of them",
        'jobLabels["kueue.x-k8s.io/queue-name"]: is set by gang.queueName; keep one of them',
      ],
    },
    {
      name: "the label of a queue without queueName",
      args: { jobLabels: { "kueue.x-k8s.io/queue-name": "hpc" }, suspend: true },
    },
  ]);
});

describe("the rules between the settings of Flux", () => {
  itValidates([
    {
      name: "a tree, an image volume and a shared process namespace that exclude other settings",
      args: {
        flux: { minimalService: true, topology: "kary:2", container: { imageVolume: true, disable: true } },
        shareProcessNamespace: true,
        pod: { hostPID: true },
      },
      errors: [
        "shareProcessNamespace: pod.hostPID shows every process of the node already; keep one of them",
        'flux.topology: only the lead broker has an address with minimalService; use "kary:0" or leave it out',
        "flux.container.imageVolume: disable brings no view to mount; remove one of them",
      ],
    },
    {
      name: "settings beside brokerConfig that belong to it",
      args: {
        flux: {
          brokerConfig: "",
          bursting: { hostlist: "demo-[0-3]" },
          topology: "binomial",
          scheduler: { queuePolicy: "easy", matchPolicy: "first" },
        },
      },
      errors: [
        "flux.scheduler.queuePolicy: brokerConfig is the whole configuration; set the policy there",
        "flux.scheduler.matchPolicy: brokerConfig is the whole configuration; set the policy there",
        'flux.topology: brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
        "flux.bursting: brokerConfig is the whole configuration; name the hosts there",
      ],
    },
    {
      name: "a match policy of the simple scheduler",
      args: { flux: { scheduler: { simple: true, matchPolicy: "first" } } },
      errors: ["flux.scheduler.matchPolicy: the simple scheduler has no match policy; remove one of them"],
    },
    {
      name: "an archive that is a directory",
      args: { archive: { path: "/state/" } },
      errors: ['archive.path: /state/ must be a file, such as "/state/archive.tar.gz"'],
    },
    { name: "a flat tree with minimalService", args: { flux: { minimalService: true, topology: "kary:0" } } },
    {
      name: "a deep tree and brokerConfig beside bursting without clusters",
      args: { flux: { topology: "kary:2", brokerConfig: "", bursting: { clusters: [] }, scheduler: { simple: true } } },
    },
  ]);
});
