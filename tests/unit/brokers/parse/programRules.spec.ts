import * as pulumi from "@pulumi/pulumi";
import { itValidates } from "../../../support/problems";
import { aBursting, aLeadBroker } from "../../../support/fixtures";

describe("the rules of a size that follows the queue", () => {
  itValidates([
    {
      name: "a min above max",
      args: { interactive: true, autoscale: { min: 5, max: 4 } },
      errors: ["autoscale.min: min 5 is above max 4; lower min or raise max"],
    },
    {
      name: "a max above maxSize",
      args: { interactive: true, maxSize: 4, autoscale: { max: 5 } },
      errors: ["autoscale.max: max 5 is above maxSize 4; raise maxSize or lower max"],
    },
    {
      name: "size, minSize and resize by manifest beside autoscale",
      args: { interactive: true, size: 2, minSize: 1, resize: "manifest", autoscale: { max: 4 } },
      errors: [
        "size: is set by autoscale, between its min and max; remove one of them",
        'resize: the agent resizes the live Job, which a manifest would undo; use "patch" or remove autoscale',
        "minSize: is autoscale.min, which is the quorum; remove it",
      ],
    },
    {
      name: "a submitted command",
      args: { autoscale: { max: 4 }, containers: [{ image: "i", command: "lmp" }] },
      errors: [
        "autoscale: the submitted command asks once for the hosts that are there when it starts; set launcher: " +
          "true on its container, interactive: true, or size",
      ],
    },
    {
      name: "a batch job",
      args: { autoscale: { max: 4 }, containers: [{ image: "i", command: "lmp", batch: true }] },
      errors: [
        "autoscale: the submitted command asks once for the hosts that are there when it starts; set launcher: " +
          "true on its container, interactive: true, or size",
      ],
    },
    {
      name: "the operator's form of bursting",
      args: { interactive: true, autoscale: { max: 4 }, flux: { bursting: { clusters: [{ name: "other" }] } } },
      errors: ["autoscale: the operator's form of bursting does not tell whose hosts are whose; use bursting"],
    },
    {
      name: "minimalService",
      args: { interactive: true, autoscale: { max: 4 }, flux: { minimalService: true } },
      errors: ["flux.minimalService: leads to the brokers' port alone, and autoscale asks another one; remove it"],
    },
    {
      name: "a launcher",
      args: { autoscale: { max: 4 }, containers: [{ image: "i", command: "run.sh", launcher: true }] },
    },
    { name: "the entrypoint of an image", args: { autoscale: { max: 4 }, containers: [{ image: "i" }] } },
    {
      name: "a cluster that others may join",
      args: { interactive: true, autoscale: { max: 4 }, bursting: aBursting() },
    },
    {
      name: "restricted pods, a policy and equal limits",
      args: {
        interactive: true,
        maxSize: 8,
        podSecurity: "restricted",
        network: { policy: "pods" },
        autoscale: { min: 4, max: 4, maxStep: 1 },
      },
    },
  ]);
});

describe("the rules of metrics", () => {
  itValidates([
    {
      name: "the port of the brokers",
      args: { metrics: { port: 8050 } },
      errors: ["metrics.port: 8050 is the port of the brokers; choose another port"],
    },
    {
      name: "the port of the demand",
      args: { metrics: { port: 8060 } },
      errors: ["metrics.port: 8060 is the port that agents ask; choose another port"],
    },
    {
      name: "a privileged port",
      args: { metrics: { port: 1023 } },
      errors: ["metrics.port: 1023 must be an integer from 1024 to 65535"],
    },
    {
      name: "the default port in a sidecar",
      args: {
        metrics: {},
        containers: [
          { image: "i", runFlux: true, ports: [80] },
          { image: "s", name: "side", ports: [9090, 8061] },
        ],
      },
      errors: ["containers[1].ports[1]: 8061 is the port of metrics, in the same pod; choose another port"],
    },
    {
      name: "the port of autoscale in the container that runs Flux",
      args: { interactive: true, autoscale: { max: 4 }, containers: [{ image: "i", ports: [8060] }] },
      errors: ["containers[0].ports[0]: 8060 is the port of autoscale, in the same pod; choose another port"],
    },
    {
      name: "metrics of a cluster that joins another",
      args: {
        metrics: {},
        containers: [{ image: "i" }],
        name: "burst",
        flux: { bursting: { leadBroker: aLeadBroker(), clusters: [{ name: "burst", size: 2 }] } },
      },
      errors: ["metrics: are those of the whole instance, from the cluster with the lead broker; set it there"],
    },
    {
      name: "a namespace without a policy",
      args: { metrics: { fromNamespace: "monitoring" } },
      errors: ['metrics.fromNamespace: requires network.policy "pods", without which every pod may ask; add it'],
    },
    {
      name: "a namespace, an interval and a label out of range",
      args: {
        metrics: { fromNamespace: "Monitoring", podMonitor: { labels: { "job-name": "a" }, intervalSeconds: 0 } },
        network: { policy: "pods" },
      },
      errors: [
        'metrics.fromNamespace: "Monitoring" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a ' +
          "letter or digit at both ends",
        "metrics.podMonitor.intervalSeconds: 0 must be an integer from 1 to 86400",
        'metrics.podMonitor.labels["job-name"]: is set by Kubernetes or by the component itself; choose another key',
      ],
    },
    {
      name: "another port, and the port of the demand in a container without autoscale",
      args: { metrics: { port: 9100 }, containers: [{ image: "i", ports: [8060] }] },
    },
    {
      name: "the port of the demand in a service, which has another pod",
      args: { metrics: {}, services: [{ image: "s", name: "store", ports: [8060] }] },
    },
    {
      name: "the default port in a container, beside metrics at another port",
      args: {
        interactive: true,
        autoscale: { max: 4 },
        metrics: { port: 9100 },
        containers: [{ image: "i", ports: [8061] }],
      },
    },
    { name: "metrics beside bursting", args: { metrics: {}, bursting: aBursting() } },
    {
      name: "metrics beside minimalService and restricted pods",
      args: { metrics: {}, flux: { minimalService: true }, podSecurity: "restricted" },
    },
    {
      name: "a namespace that is known later",
      args: { metrics: { fromNamespace: pulumi.output("monitoring") }, network: { policy: "pods" } },
    },
  ]);
});
