import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { errorsAt, problemsOf, sharing, validating } from "../../../support/problems";
import { aBroker, aMiniClusterArgs, aSidecar, withTemplate } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating(sharing({ containers: [aBroker(), aSidecar()] }));
const x = pulumi.output("x");
const at = "podTemplate.spec";

describe("the rules of the pod template on its form", () => {
  const late = "known before anything is created; this is an output or a secret: …";
  rejects({ [`podTemplate: must be an object with properties, ${late}`]: { podTemplate: x } });
  rejectsAll({ podTemplate: { kind: "Pod", metadata: x, spec: x } }, [
    "podTemplate.kind: a pod template has metadata and spec; remove it or move it there",
    ...errorsAt(["podTemplate.metadata", at], `must be an object with properties, ${late}`),
  ]);
  rejectsAll(
    { podTemplate: { metadata: { annotations: ["a"] }, spec: { affinity: null, tolerations: [null], priority: NaN } } },
    [
      ...errorsAt([`${at}.affinity`, `${at}.tolerations[0]`], "must not be null; leave it out"),
      `${at}.priority: must be a string, a number, true or false, a list or an object`,
      "podTemplate.metadata.annotations: must be an object with properties",
    ],
  );
  accepts({
    "a template without values": { podTemplate: { metadata: undefined, spec: undefined } },
    "empty lists": withTemplate({ volumes: undefined, containers: [] }),
    "probes, variables, further containers and late values": {
      podTemplate: {
        metadata: { labels: { app: x } },
        spec: {
          containers: [
            { name: "demo", livenessProbe: { exec: { command: ["true"] } }, env: [{ name: "A", value: x }] },
            { name: "mine", image: x, command: ["serve"], restartPolicy: "Always" },
          ],
          initContainers: [
            { name: "flux-view", image: "other" },
            { name: "side", command: ["other"] },
          ],
          volumes: [{ name: "scratch", ephemeral: x }],
          affinity: x,
          tolerations: [{ operator: "Exists" }, { operator: "Exists" }],
        },
      },
    },
  });

  it("refuse what JSON does not have", () => {
    for (const value of [new Date(0), () => 1, 1n, Symbol("s")]) {
      const [problem] = problemsOf({ ...aMiniClusterArgs(), ...withTemplate({ priority: value }) });
      assert.match(problem?.reason ?? "", /^must be a string, a number, true or false, a list or an object$/);
    }
  });
});

describe("the rules of the pod template on lists that merge by keys", () => {
  const merged = "by which the items of the list are merged";
  rejectsAll(
    withTemplate({
      volumes: x,
      imagePullSecrets: [{ name: x }],
      containers: [{ image: "i" }],
      topologySpreadConstraints: [{ topologyKey: "zone", maxSkew: 1 }],
    }),
    [
      `${at}.volumes: must be a list, known before anything is created; …`,
      `${at}.imagePullSecrets[0]: needs a plain name, ${merged}`,
      `${at}.containers[0]: needs a plain name, ${merged}`,
      `${at}.topologySpreadConstraints[0]: needs a plain topologyKey and whenUnsatisfiable, ${merged}`,
    ],
  );
  const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: "TCP" }];
  rejectsAll(withTemplate({ containers: [{ name: "demo", env: [{ name: "A" }, x, { name: "A" }], ports }] }), [
    `${at}.containers[0].env[1]: needs a plain name, ${merged}`,
    `${at}.containers[0].env[2]: repeats the name of item 0`,
    `${at}.containers[0].ports[1]: repeats the containerPort and protocol of item 0`,
  ]);
  const udp = [{ containerPort: 53 }, { containerPort: 53, protocol: "UDP" }];
  accepts({
    "one port with two protocols": withTemplate({ containers: [{ name: "demo", ports: udp }] }),
    "labels with the names of lists": {
      podTemplate: {
        metadata: { labels: { env: x, ports: "a" }, annotations: { volumes: x } },
        spec: { nodeSelector: { claims: x } },
      },
    },
  });
});

describe("the rules of the pod template on fields that the brokers depend on", () => {
  const lifecycle = { preStop: { exec: { command: ["x"] } } };
  const hooked = withTemplate({ containers: [{ name: "demo", lifecycle }] });
  rejects({ [`${at}.containers[0].lifecycle.preStop: is the hook that drains the host; …`]: hooked });
  const own = { "job-name": "x", "batch.kubernetes.io/job-completion-index": "x", "minicluster/services": "x" };
  rejectsAll(
    { podTemplate: { metadata: { labels: own, annotations: { "minicluster/config-hash": "x" } } } },
    errorsAt(
      Object.keys(own)
        .map((key) => `podTemplate.metadata.labels["${key}"]`)
        .concat('podTemplate.metadata.annotations["minicluster/config-hash"]'),
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
      `${at}.hostname: a broker finds its rank by the host name that the Job sets; remove it`,
      `${at}.setHostnameAsFQDN: a broker finds its rank by its short host name; remove it`,
      `${at}.hostNetwork: a pod on its node's network has the node's name…`,
      `${at}.subdomain: is the service of the brokers; set network.headlessName`,
      `${at}.restartPolicy: also decides how failures are counted; set pod.restartPolicy`,
      `${at}.volumes[0].name: is one of the component's own volumes; choose another name`,
      `${at}.terminationGracePeriodSeconds: 30 s must be more than the 30 s of drainTimeoutSeconds…`,
    ],
  );
  accepts({
    "a grace period above drainTimeoutSeconds": {
      drainTimeoutSeconds: 30,
      ...withTemplate({ terminationGracePeriodSeconds: 31 }),
    },
    "a preStop hook without a drain": { ...hooked, drainTimeoutSeconds: 0 },
  });
});

describe("the rules of the pod template on containers and mounts", () => {
  const mount = (mountPath: string) => ({ name: "data", mountPath });
  rejects({
    [`${at}.initContainers[0].name: the pods have no container "flux-view"…`]: {
      flux: { container: { disable: true } },
      ...withTemplate({ initContainers: [{ name: "flux-view" }] }),
    },
    [`${at}.containers[0].volumeMounts[0].mountPath: /flux is mounted by the component; choose another directory`]: {
      flux: { container: { mountPath: "/flux" } },
      ...withTemplate({ containers: [{ name: "mine", image: "i", volumeMounts: [mount("/flux/x")] }] }),
    },
  });
  rejectsAll(withTemplate({ containers: [{ name: "dmeo" }, { name: "side" }], initContainers: [{ name: "demo" }] }), [
    `${at}.containers[0].name: the pods have no container "dmeo"; correct the name or give it an image`,
    `${at}.containers[1].name: "side" is in initContainers; move it there`,
    `${at}.initContainers[0].name: "demo" is in containers; move it there`,
  ]);
  const ours = "is set by the component, which needs it to run this container; remove it";
  rejectsAll(
    withTemplate({
      containers: [
        {
          name: "demo",
          command: ["x"],
          args: ["x"],
          startupProbe: {},
          env: [{ name: "MINICLUSTER_SIZE", value: "1" }],
          volumeMounts: ["/etc/minicluster", "/opt/software/x", "/mnt/flux/view"].map(mount),
        },
      ],
    }),
    [
      ...errorsAt(
        ["command", "args", "startupProbe"].map((key) => `${at}.containers[0].${key}`),
        ours,
      ),
      `${at}.containers[0].env[0].name: is set by the component or by Kubernetes; choose another name`,
      ...["/etc/minicluster", "/opt/software", "/mnt/flux"].map(
        (path, index) => `${at}.containers[0].volumeMounts[${index}].mountPath: ${path} is mounted by the component; …`,
      ),
    ],
  );
  const view = { name: "flux-view", command: ["x"], args: ["x"], restartPolicy: "Always" };
  rejectsAll(
    withTemplate({ initContainers: [view, { name: "side", restartPolicy: ["x"] }] }),
    errorsAt(
      ["[0].command", "[0].args", "[0].restartPolicy", "[1].restartPolicy"].map((key) => `${at}.initContainers${key}`),
      ours,
    ),
  );
});
