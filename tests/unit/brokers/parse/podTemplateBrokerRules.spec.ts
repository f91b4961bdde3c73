import { errorsAt, sharing, validating } from "../../../support/problems";
import { aBroker, aSidecar, withTemplate } from "../../../support/fixtures";

const onPods = sharing({ containers: [aBroker(), aSidecar()] });

describe("the rules of the pod template on what the brokers stand on", () => {
  const { accepts, rejects, rejectsAll } = validating(onPods);
  rejects({
    ["podTemplate.spec.containers[0].lifecycle.preStop: is where the rank is drained; set lifeCycle.preStopExec of " +
    "the container, which runs after that, or drainTimeoutSeconds: 0"]: {
      podTemplate: { spec: { containers: [{ name: "demo", lifecycle: { preStop: { exec: { command: ["x"] } } } }] } },
    },
  });
  rejectsAll(
    {
      podTemplate: {
        metadata: {
          labels: { "job-name": "x", "batch.kubernetes.io/job-completion-index": "x", "minicluster/services": "x" },
          annotations: { "minicluster/config-hash": "x" },
        },
      },
    },
    errorsAt(
      [
        'podTemplate.metadata.labels["job-name"]',
        'podTemplate.metadata.labels["batch.kubernetes.io/job-completion-index"]',
        'podTemplate.metadata.labels["minicluster/services"]',
        'podTemplate.metadata.annotations["minicluster/config-hash"]',
      ],
      "is set by Kubernetes or by the component itself; choose another key",
    ),
  );
  rejectsAll(
    {
      ...withTemplate({
        hostname: "x",
        setHostnameAsFQDN: true,
        hostNetwork: true,
        subdomain: "x",
        restartPolicy: "Never",
        terminationGracePeriodSeconds: 30,
        volumes: [{ name: "flux-view", emptyDir: {} }],
      }),
      drainTimeoutSeconds: 30,
    },
    [
      "podTemplate.spec.hostname: a broker finds its rank by the host name that Kubernetes gives it; remove it",
      "podTemplate.spec.setHostnameAsFQDN: a broker finds its rank by its short host name; remove it",
      "podTemplate.spec.hostNetwork: a pod on its node's network has the node's name, and its broker could not find " +
        "its rank; remove it",
      "podTemplate.spec.subdomain: is the service of the brokers; set network.headlessName",
      "podTemplate.spec.restartPolicy: also decides how failures are counted; set pod.restartPolicy",
      "podTemplate.spec.volumes[0].name: is one of the component's own volumes; choose another name",
      "podTemplate.spec.terminationGracePeriodSeconds: 30 s end before the 30 s of drainTimeoutSeconds; raise it, or " +
        "lower drainTimeoutSeconds",
    ],
  );
  accepts({
    "a grace period above drainTimeoutSeconds": {
      drainTimeoutSeconds: 30,
      podTemplate: { spec: { terminationGracePeriodSeconds: 31 } },
    },
    "a preStop hook without a drain": {
      podTemplate: { spec: { containers: [{ name: "demo", lifecycle: { preStop: { exec: { command: ["x"] } } } }] } },
      drainTimeoutSeconds: 0,
    },
  });
});

describe("the rules of the pod template on containers and mounts", () => {
  const { rejects, rejectsAll } = validating(onPods);
  rejects({
    ['podTemplate.spec.initContainers[0].name: the pods have no container "flux-view"; correct the name or give it ' +
    "an " +
    "image"]: {
      flux: { container: { disable: true } },
      podTemplate: { spec: { initContainers: [{ name: "flux-view" }] } },
    },
    ["podTemplate.spec.containers[0].volumeMounts[0].mountPath: /flux is mounted by the component; choose another " +
    "directory"]: {
      flux: { container: { mountPath: "/flux" } },
      ...withTemplate({
        containers: [{ name: "mine", image: "i", volumeMounts: [{ name: "data", mountPath: "/flux/x" }] }],
      }),
    },
  });
  rejectsAll(
    withTemplate({ containers: [{ name: "dmeo", env: [] }, { name: "side" }], initContainers: [{ name: "demo" }] }),
    [
      'podTemplate.spec.containers[0].name: the pods have no container "dmeo"; correct the name or give it an image',
      'podTemplate.spec.containers[1].name: "side" is in initContainers; move it there',
      'podTemplate.spec.initContainers[0].name: "demo" is in containers; move it there',
    ],
  );
  rejectsAll(
    withTemplate({
      containers: [
        {
          name: "demo",
          command: ["x"],
          args: ["x"],
          startupProbe: {},
          env: [{ name: "MINICLUSTER_SIZE", value: "1" }],
          volumeMounts: [
            { name: "data", mountPath: "/etc/minicluster" },
            { name: "data", mountPath: "/opt/software/x" },
            { name: "data", mountPath: "/mnt/flux/view" },
          ],
        },
      ],
    }),
    [
      ...errorsAt(
        [
          "podTemplate.spec.containers[0].command",
          "podTemplate.spec.containers[0].args",
          "podTemplate.spec.containers[0].startupProbe",
        ],
        "is how the component runs this container; remove it",
      ),
      "podTemplate.spec.containers[0].env[0].name: is set by the component or by Kubernetes; choose another name",
      "podTemplate.spec.containers[0].volumeMounts[0].mountPath: /etc/minicluster is mounted by the component; " +
        "choose another directory",
      "podTemplate.spec.containers[0].volumeMounts[1].mountPath: /opt/software is mounted by the component; choose " +
        "another directory",
      "podTemplate.spec.containers[0].volumeMounts[2].mountPath: /mnt/flux is mounted by the component; choose " +
        "another directory",
    ],
  );
  rejectsAll(
    withTemplate({
      initContainers: [
        { name: "flux-view", command: ["x"], args: ["x"], restartPolicy: "Always" },
        { name: "side", restartPolicy: ["x"] },
      ],
    }),
    [
      ...errorsAt(
        [
          "podTemplate.spec.initContainers[0].command",
          "podTemplate.spec.initContainers[0].args",
          "podTemplate.spec.initContainers[0].restartPolicy",
        ],
        "is how the component runs this container; remove it",
      ),
      "podTemplate.spec.initContainers[1].restartPolicy: is how the component runs this container; remove it",
    ],
  );
});
