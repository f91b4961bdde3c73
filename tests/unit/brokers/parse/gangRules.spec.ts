import * as assert from "node:assert/strict";
import type { MiniClusterGangArgs } from "../../../../provider";
import { errorsAt, validating } from "../../../support/problems";
import { aMiniCluster } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

describe("the rules of a gang of Kubernetes itself", () => {
  const least = (minCount: number) => ({ gang: { native: { minCount } } });
  const alpha = { gang: { native: { version: "v1alpha2" as const } } };
  const autoscaled = { interactive: true, autoscale: { min: 2, max: 8 } };
  rejects({
    "gang.native: is a boolean; must be an object with properties": { gang: { native: true as never } },
    ["gang.native.minCount: minCount 3 is above size 2, with which no pod would ever be placed; lower minCount or " +
    "raise size"]: { size: 2, maxSize: 8, ...least(3) },
    ["gang.native.minCount: minCount 3 is above autoscale.min 2, with which no pod would ever be placed; lower " +
    "minCount or raise autoscale.min"]: { ...autoscaled, ...least(3) },
    "gang.native: Kueue admits the pods all together by itself; keep queueName or native": {
      gang: { native: {}, queueName: "hpc" },
    },
    "gang.native: is for Kubernetes' own scheduler; keep schedulerName or native": {
      gang: { native: {}, schedulerName: "fluence" },
    },
    ["gang.native.version: the API server of Kubernetes 1.36 refuses another number of pods of a gang; set resize to " +
    '"manifest", and each resize replaces the Job, or use "v1beta1"']: { ...alpha, size: 2, maxSize: 4 },
    ["gang.native.version: the API server of Kubernetes 1.36 refuses another number of pods of a gang, which " +
    'autoscale sets; use "v1beta1", or remove autoscale']: { ...alpha, ...autoscaled },
  });
  rejectsAll({ gang: { native: { minCount: 0, version: "v1" as never } } }, [
    "gang.native.minCount: 0 must be an integer from 1 to 100000",
    'gang.native.version: must be one of "v1beta1", "v1alpha2"',
  ]);
  rejectsAll(
    {
      ...{ gang: { native: {} }, pod: { schedulerName: "volcano" } },
      podTemplate: { spec: { schedulerName: "volcano", schedulingGroup: { podGroupName: "mine" } } },
    },
    [
      ...errorsAt(
        ["pod.schedulerName", "podTemplate.spec.schedulerName"],
        "another scheduler does not support gang.native; keep one of them",
      ),
      "podTemplate.spec.schedulingGroup: is the PodGroup of gang.native; keep one of them",
    ],
  );
  accepts({
    "a minCount equal to size": { size: 4, ...least(4) },
    "a minCount equal to autoscale.min": { ...autoscaled, ...least(2) },
  });

  it("needs as many pods as the instance waits for, unless told otherwise", () => {
    const size = { size: 4, maxSize: 8 };
    const few = { ...size, minSize: 3 };
    const clusters = [size, few, { ...few, ...least(2) }, autoscaled, { ...size, gang: {} }];
    const counts = clusters.map((args) => aMiniCluster({ gang: { native: {} }, ...args }).podGroup?.minCount);
    assert.deepEqual(counts, [4, 3, 2, 2, undefined]);
  });
});

describe("the rules of a queue of Kueue", () => {
  const hpc = (gang: MiniClusterGangArgs) => ({ gang: { queueName: "hpc", ...gang } });
  const seconds = "kueue.x-k8s.io/max-exec-time-seconds";
  const resized =
    "Kueue does not resize a Job while it runs that it places by a topology; set gang.elastic to false, and each " +
    "resize stops all brokers, or remove this";
  rejects({
    ['gang.queueName: "Users" must be the name of a Kubernetes object that fits in a label: at most 63 of a-z, 0-9, ' +
    "- and ., with a letter or digit at both ends"]: { gang: { queueName: "Users" } },
    "gang.elastic: requires gang.queueName; set it, or remove elastic": { gang: { elastic: false } },
    "gang.topology: requires gang.queueName; set it, or remove topology": {
      gang: { topology: { unconstrained: true } },
    },
    "gang.topology: is empty; set required, preferred or unconstrained, or remove it": [
      hpc({ topology: {} }),
      hpc({ topology: { unconstrained: false } }),
    ],
    "gang.topology.preferred: Kueue takes one request of a topology; keep this one or gang.topology.required": hpc({
      ...{ elastic: false, topology: { required: "example.com/rack", preferred: "example.com/rack" } },
    }),
    ['pod.annotations["kueue.x-k8s.io/podset-unconstrained-topology"]: Kueue takes one request of a topology; keep ' +
    "this one or gang.topology.unconstrained"]: {
      ...hpc({ elastic: false, topology: { unconstrained: true } }),
      pod: { annotations: { "kueue.x-k8s.io/podset-unconstrained-topology": "true" } },
    },
    [`gang.topology.required: ${resized}`]: hpc({ topology: { required: "example.com/rack" } }),
    [`gang.topology.preferred: ${resized}`]: hpc({ topology: { preferred: "example.com/rack" } }),
    [`podTemplate.metadata.annotations["kueue.x-k8s.io/podset-required-topology"]: ${resized}`]: {
      ...hpc({}),
      podTemplate: { metadata: { annotations: { "kueue.x-k8s.io/podset-required-topology": "example.com/rack" } } },
    },
    ['gang.topology.required: "a rack" must be a key such as app or example.com/app: at most 63 letters, digits, -, ' +
    "_ and . after an optional DNS prefix"]: hpc({ elastic: false, topology: { required: "a rack" } }),
    [`jobLabels["${seconds}"]: "0" must be a number of seconds, at least 1`]: {
      ...{ ...hpc({}), jobLabels: { [seconds]: "0" } },
    },
    [`jobLabels["${seconds}"]: "1h" must be a number of seconds, at least 1`]: {
      ...{ ...hpc({}), jobLabels: { [seconds]: "1h" } },
    },
  });
  accepts({
    "a queue with a dot in its name": { gang: { queueName: "hpc.users" } },
    "a topology request in the annotations without a queue": {
      pod: { annotations: { "kueue.x-k8s.io/podset-required-topology": "example.com/rack" } },
    },
  });
});
