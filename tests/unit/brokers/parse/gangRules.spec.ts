import * as assert from "node:assert/strict";
import { errorsAt, itValidates } from "../../../support/problems";
import { aMiniCluster } from "../../../support/fixtures";

describe("the rules of a gang of Kubernetes itself", () => {
  itValidates([
    {
      name: "true in place of an object",
      args: { gang: { native: true as never } },
      errors: ["gang.native: is a boolean; must be an object with properties"],
    },
    {
      name: "values out of range",
      args: { gang: { native: { minCount: 0, version: "v1" as never } } },
      errors: [
        "gang.native.minCount: 0 must be an integer from 1 to 100000",
        'gang.native.version: must be one of "v1beta1", "v1alpha2"',
      ],
    },
    {
      name: "a minCount above size",
      args: { size: 2, maxSize: 8, gang: { native: { minCount: 3 } } },
      errors: [
        "gang.native.minCount: minCount 3 is above size 2, with which no pod would ever be placed; lower " +
          "minCount or raise size",
      ],
    },
    {
      name: "a minCount above autoscale.min",
      args: { interactive: true, autoscale: { min: 2, max: 8 }, gang: { native: { minCount: 3 } } },
      errors: [
        "gang.native.minCount: minCount 3 is above autoscale.min 2, with which no pod would ever be placed; " +
          "lower minCount or raise autoscale.min",
      ],
    },
    {
      name: "a queue of Kueue",
      args: { gang: { native: {}, queueName: "hpc" } },
      errors: ["gang.native: Kueue admits the pods all together by itself; keep queueName or native"],
    },
    {
      name: "another scheduler in gang",
      args: { gang: { native: {}, schedulerName: "fluence" } },
      errors: ["gang.native: is for Kubernetes' own scheduler; keep schedulerName or native"],
    },
    {
      name: "another scheduler or scheduling group in the pods",
      args: {
        gang: { native: {} },
        pod: { schedulerName: "volcano" },
        podTemplate: { spec: { schedulerName: "volcano", schedulingGroup: { podGroupName: "mine" } } },
      },
      errors: [
        ...errorsAt(
          ["pod.schedulerName", "podTemplate.spec.schedulerName"],
          "another scheduler does not support gang.native; keep one of them",
        ),
        "podTemplate.spec.schedulingGroup: is the PodGroup of gang.native; keep one of them",
      ],
    },
    {
      name: "v1alpha2 with a maxSize",
      args: { gang: { native: { version: "v1alpha2" } }, size: 2, maxSize: 4 },
      errors: [
        "gang.native.version: the API server of Kubernetes 1.36 refuses another number of pods of a gang; set " +
          'resize to "manifest", and each resize replaces the Job, or use "v1beta1"',
      ],
    },
    {
      name: "v1alpha2 with autoscale",
      args: { gang: { native: { version: "v1alpha2" } }, interactive: true, autoscale: { max: 4 } },
      errors: [
        "gang.native.version: the API server of Kubernetes 1.36 refuses another number of pods of a gang, which " +
          'autoscale sets; use "v1beta1", or remove autoscale',
      ],
    },
    { name: "a minCount equal to size", args: { size: 4, gang: { native: { minCount: 4 } } } },
    {
      name: "a minCount below size",
      args: { size: 4, maxSize: 8, gang: { native: { minCount: 2, version: "v1beta1" } } },
    },
    {
      name: "a minCount equal to autoscale.min",
      args: { interactive: true, autoscale: { min: 2, max: 8 }, gang: { native: { minCount: 2 } } },
    },
  ]);

  it("needs as many pods as the instance waits for, unless told otherwise", () => {
    const size = { size: 4, maxSize: 8 };
    const few = { ...size, minSize: 3 };
    const autoscaled = { interactive: true, autoscale: { min: 2, max: 8 } };
    const clusters = [size, few, { ...few, gang: { native: { minCount: 2 } } }, autoscaled, { ...size, gang: {} }];
    const least = clusters.map((args) => aMiniCluster({ gang: { native: {} }, ...args }).podGroup?.minCount);
    assert.deepEqual(least, [4, 3, 2, 2, undefined]);
  });
});

describe("the rules of a queue of Kueue", () => {
  itValidates([
    {
      name: "a queue with a capital letter",
      args: { gang: { queueName: "Users" } },
      errors: [
        'gang.queueName: "Users" must be the name of a Kubernetes object that fits in a label: at most 63 of ' +
          "a-z, 0-9, - and ., with a letter or digit at both ends",
      ],
    },
    {
      name: "elastic without a queue",
      args: { gang: { elastic: false } },
      errors: ["gang.elastic: requires gang.queueName; set it, or remove elastic"],
    },
    {
      name: "a topology without a queue",
      args: { gang: { topology: { unconstrained: true } } },
      errors: ["gang.topology: requires gang.queueName; set it, or remove topology"],
    },
    {
      name: "an empty topology",
      args: { gang: { queueName: "hpc", topology: {} } },
      errors: ["gang.topology: asks for nothing; set required, preferred or unconstrained, or remove it"],
    },
    {
      name: "a topology that is off",
      args: { gang: { queueName: "hpc", topology: { unconstrained: false } } },
      errors: ["gang.topology: asks for nothing; set required, preferred or unconstrained, or remove it"],
    },
    {
      name: "two requests of a topology",
      args: {
        gang: {
          queueName: "hpc",
          elastic: false,
          topology: { required: "example.com/rack", preferred: "example.com/rack" },
        },
      },
      errors: [
        "gang.topology.preferred: Kueue takes one request of a topology; keep this one or gang.topology.required",
      ],
    },
    {
      name: "a request in the annotations beside the same request",
      args: {
        gang: { queueName: "hpc", elastic: false, topology: { unconstrained: true } },
        pod: { annotations: { "kueue.x-k8s.io/podset-unconstrained-topology": "true" } },
      },
      errors: [
        'pod.annotations["kueue.x-k8s.io/podset-unconstrained-topology"]: Kueue takes one request of a topology; ' +
          "keep this one or gang.topology.unconstrained",
      ],
    },
    {
      name: "an elastic gang with a required topology",
      args: { gang: { queueName: "hpc", topology: { required: "example.com/rack" } } },
      errors: [
        "gang.topology.required: Kueue does not resize a Job while it runs that it places by a topology; set " +
          "gang.elastic to false, and each resize stops all brokers, or remove this",
      ],
    },
    {
      name: "an elastic gang with a preferred topology",
      args: { gang: { queueName: "hpc", topology: { preferred: "example.com/rack" } } },
      errors: [
        "gang.topology.preferred: Kueue does not resize a Job while it runs that it places by a topology; set " +
          "gang.elastic to false, and each resize stops all brokers, or remove this",
      ],
    },
    {
      name: "a topology level with a space",
      args: { gang: { queueName: "hpc", elastic: false, topology: { required: "a rack" } } },
      errors: [
        'gang.topology.required: "a rack" must be a key such as app or example.com/app: at most 63 letters, ' +
          "digits, -, _ and . after an optional DNS prefix",
      ],
    },
    {
      name: "an elastic gang with a topology in podTemplate",
      args: {
        gang: { queueName: "hpc" },
        podTemplate: { metadata: { annotations: { "kueue.x-k8s.io/podset-required-topology": "example.com/rack" } } },
      },
      errors: [
        'podTemplate.metadata.annotations["kueue.x-k8s.io/podset-required-topology"]: Kueue does not resize a ' +
          "Job while it runs that it places by a topology; set gang.elastic to false, and each resize stops all " +
          "brokers, or remove this",
      ],
    },
    {
      name: "an execution time of 0",
      args: { gang: { queueName: "hpc" }, jobLabels: { "kueue.x-k8s.io/max-exec-time-seconds": "0" } },
      errors: ['jobLabels["kueue.x-k8s.io/max-exec-time-seconds"]: "0" must be a number of seconds, at least 1'],
    },
    {
      name: "an execution time with a unit",
      args: { gang: { queueName: "hpc" }, jobLabels: { "kueue.x-k8s.io/max-exec-time-seconds": "1h" } },
      errors: ['jobLabels["kueue.x-k8s.io/max-exec-time-seconds"]: "1h" must be a number of seconds, at least 1'],
    },
    { name: "a queue with a dot in its name", args: { gang: { queueName: "hpc.users" } } },
    {
      name: "a topology request in the annotations without a queue",
      args: { pod: { annotations: { "kueue.x-k8s.io/podset-required-topology": "example.com/rack" } } },
    },
  ]);
});
