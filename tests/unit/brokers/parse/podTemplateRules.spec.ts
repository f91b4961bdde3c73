import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { errorsAt, problemsOf, sharing, validating } from "../../../support/problems";
import { aBroker, aMiniClusterArgs, aSidecar, withTemplate } from "../../../support/fixtures";

const onPods = sharing({ containers: [aBroker(), aSidecar()] });

const late =
  "known before anything is created; this is an output or a secret: give the value itself, and what it waits " +
  "for in the option " +
  "dependsOn (depends_on in Python)";

describe("the rules of the pod template on its form", () => {
  const { accepts, rejects, rejectsAll } = validating(onPods);
  rejects({ [`podTemplate: must be an object with properties, ${late}`]: { podTemplate: pulumi.output("x") } });
  rejectsAll({ podTemplate: { kind: "Pod", metadata: pulumi.output("x"), spec: pulumi.output("x") } }, [
    "podTemplate.kind: a pod template has metadata and spec; remove it or move it there",
    ...errorsAt(["podTemplate.metadata", "podTemplate.spec"], `must be an object with properties, ${late}`),
  ]);
  rejectsAll(
    { podTemplate: { metadata: { annotations: ["a"] }, spec: { affinity: null, tolerations: [null], priority: NaN } } },
    [
      ...errorsAt(["podTemplate.spec.affinity", "podTemplate.spec.tolerations[0]"], "must not be null; leave it out"),
      "podTemplate.spec.priority: must be a string, a number, true or false, a list or an object",
      "podTemplate.metadata.annotations: must be an object with properties",
    ],
  );
  accepts({
    "a template without values": { podTemplate: { metadata: undefined, spec: undefined } },
    "probes, variables, containers of its own and late values": {
      podTemplate: {
        metadata: { labels: { app: pulumi.output("x") } },
        spec: {
          containers: [
            {
              name: "demo",
              livenessProbe: { exec: { command: ["true"] } },
              env: [{ name: "A", value: pulumi.output("x") }],
            },
            { name: "mine", image: pulumi.output("x"), command: ["serve"], restartPolicy: "Always" },
          ],
          initContainers: [
            { name: "flux-view", image: "other" },
            { name: "side", command: ["other"] },
          ],
          volumes: [{ name: "scratch", ephemeral: pulumi.output("x") }],
          affinity: pulumi.output("x"),
          tolerations: [{ operator: "Exists" }, { operator: "Exists" }],
        },
      },
    },
  });

  it("refuse what JSON does not have", () => {
    for (const value of [new Date(0), () => 1, 1n, Symbol("s")]) {
      const [problem] = problemsOf({ ...aMiniClusterArgs(), podTemplate: { spec: { priority: value } } });
      assert.match(problem?.reason ?? "", /^must be a string, a number, true or false, a list or an object$/);
    }
  });
});

describe("the rules of the pod template on lists that merge by keys", () => {
  const { accepts, rejectsAll } = validating(onPods);
  rejectsAll(
    withTemplate({
      volumes: pulumi.output("x"),
      imagePullSecrets: [{ name: pulumi.output("x") }],
      topologySpreadConstraints: [{ topologyKey: "zone", maxSkew: 1 }],
      containers: [{ image: "i" }],
    }),
    [
      `podTemplate.spec.volumes: must be a list, ${late}`,
      "podTemplate.spec.imagePullSecrets[0]: needs a plain name, by which the items of the list are merged",
      "podTemplate.spec.topologySpreadConstraints[0]: needs a plain topologyKey and whenUnsatisfiable, by which the " +
        "items of the list are merged",
      "podTemplate.spec.containers[0]: needs a plain name, by which the items of the list are merged",
    ],
  );
  rejectsAll(
    withTemplate({
      containers: [
        {
          name: "demo",
          env: [{ name: "A" }, pulumi.output("x"), { name: "A" }],
          ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "TCP" }],
        },
      ],
    }),
    [
      "podTemplate.spec.containers[0].env[1]: needs a plain name, by which the items of the list are merged",
      "podTemplate.spec.containers[0].env[2]: has the name of item 0 too",
      "podTemplate.spec.containers[0].ports[1]: has the containerPort and protocol of item 0 too",
    ],
  );
  accepts({
    "one port with two protocols": withTemplate({
      containers: [{ name: "demo", ports: [{ containerPort: 53 }, { containerPort: 53, protocol: "UDP" }] }],
    }),
    "labels with the names of lists": {
      podTemplate: {
        metadata: { labels: { env: pulumi.output("x"), ports: "a" }, annotations: { volumes: pulumi.output("x") } },
        spec: { nodeSelector: { claims: pulumi.output("x") } },
      },
    },
    "empty lists": { podTemplate: { spec: { volumes: undefined, containers: [] } } },
  });
});
