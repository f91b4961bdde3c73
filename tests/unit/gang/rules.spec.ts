import * as assert from "node:assert/strict";
import { gangOf } from "../../../provider/gang/spec";
import type { MiniClusterGangArgs } from "../../../provider";
import { validating } from "../../support/problems";
import { aMiniCluster, aPool } from "../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

describe("the rules of a gang of Kubernetes itself", () => {
  const least = (minCount: number) => ({ gang: { native: { minCount } } });
  const alpha = { gang: { native: { version: "v1alpha2" as const } } };
  const autoscaled = { interactive: true, autoscale: { min: 2, max: 8 } };
  const fixed =
    "gang.native.version: the API server of Kubernetes 1.36 rejects a change of the number of pods of a gang";
  rejects({
    "gang.native: is a boolean; must be an object with properties": { gang: { native: true as never } },
    "gang.native.minCount: minCount 3 is above size 2, …": { size: 2, maxSize: 8, ...least(3) },
    "gang.native.minCount: minCount 3 is above autoscale.min 2, …": { ...autoscaled, ...least(3) },
    "gang.native: Kueue already admits all pods together…": { gang: { native: {}, queueName: "hpc" } },
    "gang.native: is for Kubernetes' own scheduler…": { gang: { native: {}, schedulerName: "fluence" } },
    [`${fixed}; set resize to "manifest"…`]: { ...alpha, size: 2, maxSize: 4 },
    [`${fixed}, which autoscale sets…`]: { ...alpha, ...autoscaled },
  });
  rejectsAll({ gang: { native: { minCount: 0, version: "v1" as never } } }, [
    "gang.native.minCount: 0 must be an integer from 1 to 100000",
    'gang.native.version: must be one of "v1beta1", "v1alpha2"',
  ]);
  rejectsAll(
    {
      gang: { native: {} },
      pod: { schedulerName: "volcano" },
      podTemplate: { spec: { schedulerName: "volcano", schedulingGroup: { podGroupName: "mine" } } },
    },
    [
      "pod.schedulerName: another scheduler does not support gang.native; keep one of them",
      "podTemplate.spec.schedulerName: another scheduler does not support gang.native; keep one of them",
      "podTemplate.spec.schedulingGroup: is set by gang.native to its PodGroup; keep one of them",
    ],
  );
  accepts({
    "a minCount equal to size": { size: 4, ...least(4) },
    "a minCount equal to autoscale.min": { ...autoscaled, ...least(2) },
  });

  it("needs as many pods as the instance waits for, by default", () => {
    const size = { size: 4, maxSize: 8 };
    const few = { ...size, minSize: 3 };
    const clusters = [size, few, { ...few, ...least(2) }, autoscaled, { ...size, gang: {} }];
    const counts = clusters.map((args) => gangOf(aMiniCluster({ gang: { native: {} }, ...args }))?.podGroup?.minCount);
    assert.deepEqual(counts, [4, 3, 2, 2, undefined]);
  });
});

describe("the rules of a queue of Kueue", () => {
  const hpc = (gang: MiniClusterGangArgs) => ({ gang: { queueName: "hpc", ...gang } });
  const placed = (topology: MiniClusterGangArgs["topology"]) => hpc({ elastic: false, topology });
  const podset = (name: string) => `kueue.x-k8s.io/podset-${name}-topology`;
  const rack = "example.com/rack";
  const layer = "topology.k8s.aws/network-node-layer-1";
  const block = "cloud.google.com/gce-topology-block";
  const resized = "Kueue cannot resize a running Job with a topology…";
  const once = "Kueue accepts one topology request; keep this one or gang.topology";
  rejects({
    'gang.queueName: "Users" must be the name of a Kubernetes object that fits in a label…': hpc({
      queueName: "Users",
    }),
    "gang.elastic: requires gang.queueName; set it, or remove elastic": { gang: { elastic: false } },
    "gang.topology: requires gang.queueName…": { gang: { topology: { unconstrained: true } } },
    "gang.topology: is empty…": [hpc({ topology: {} }), hpc({ topology: { unconstrained: false } })],
    [`gang.topology.preferred: ${once}.required`]: placed({ required: rack, preferred: rack }),
    [`pod.annotations["${podset("unconstrained")}"]: ${once}.unconstrained`]: {
      ...placed({ unconstrained: true }),
      pod: { annotations: { [podset("unconstrained")]: "true" } },
    },
    [`gang.topology.required: ${resized}`]: hpc({ topology: { required: rack } }),
    [`gang.topology.preferred: ${resized}`]: hpc({ topology: { preferred: rack } }),
    [`podTemplate.metadata.annotations["${podset("required")}"]: ${resized}`]: {
      ...hpc({}),
      podTemplate: { metadata: { annotations: { [podset("required")]: rack } } },
    },
    [`gang.topology.required: the nodes of pool hpc do not have the label ${block}; use kubernetes.io/hostname`]: {
      ...placed({ required: block }),
      pool: aPool({ topologyLevels: ["kubernetes.io/hostname"] }),
    },
    [`gang.topology.preferred: the nodes of pool hpc do not have the label ${layer}; use ${block} or kubernetes.io…`]: {
      ...placed({ preferred: layer }),
      pool: aPool({ topologyLevels: [block, "kubernetes.io/hostname"] }),
    },
    'gang.topology.required: "a rack" must be a key such as app or example.com/app…': placed({ required: "a rack" }),
  });
  accepts({
    "a queue with a dot in its name": hpc({ queueName: "hpc.users" }),
    "a network label that the pool has": {
      ...placed({ required: block }),
      pool: aPool({ topologyLevels: [block, "kubernetes.io/hostname"] }),
    },
    "a network label on a pool whose labels are unknown": { ...placed({ required: block }), pool: aPool() },
    "a label of the user on a pool without network labels": {
      ...placed({ required: rack }),
      pool: aPool({ topologyLevels: ["kubernetes.io/hostname"] }),
    },
    "a topology request in the annotations without a queue": { pod: { annotations: { [podset("required")]: rack } } },
  });
});
