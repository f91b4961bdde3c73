import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { aContainer, aMiniClusterArgs } from "../../../support/fixtures";
import { itAccepts, itRefuses, problemsOf, type RuleCase } from "../../../support/problems";

const containers = [aContainer({ runFlux: true }), aContainer({ name: "side" })];
const template = (podTemplate: object, args: object = {}): object => ({ containers, ...args, podTemplate });
const spec = (fields: object, args: object = {}) => template({ spec: fields }, args);
const main = (fields: object, args: object = {}) => spec({ containers: [{ name: "demo", ...fields }] }, args);
const init = (name: string, fields: object) => spec({ initContainers: [{ name, ...fields }] });

const at = "podTemplate.spec";
const later =
  ", known before anything is created; this is an output: give the value itself, and what it waits for as dependsOn";
const ownLabel = "is set by Kubernetes or by the component itself; choose another key";
const ownRun = "is how the component runs this container; remove it";
const spelling = "a pod template has metadata and spec; remove it or move it there";
const noData = "must be a string, a number, true or false, a list or an object";

describe("the rules of the pod template", () => {
  describe("on its form", () => {
    const object = "must be an object with properties";
    const forms: [rule: string, podTemplate: unknown, path: string, says: string][] = [
      ["one that is none", "x", "podTemplate", object],
      ["one that is an output", pulumi.output({}), "podTemplate", object + later],
      ["a pod in place of its template", { containers: [] }, "podTemplate.containers", spelling],
      ["kind and version of a pod", { kind: "Pod" }, "podTemplate.kind", spelling],
      ["metadata that is an output", { metadata: pulumi.output({}) }, "podTemplate.metadata", object + later],
      ["a list of metadata", { metadata: [] }, "podTemplate.metadata", object],
      [
        "labels that are an output",
        { metadata: { labels: pulumi.output({}) } },
        "podTemplate.metadata.labels",
        object + later,
      ],
      ["annotations that are a list", { metadata: { annotations: ["a"] } }, "podTemplate.metadata.annotations", object],
      ["a spec that is an output", { spec: Promise.resolve({}) }, at, object + later],
      ["null", { spec: { affinity: null } }, `${at}.affinity`, "must not be null; leave it out"],
      ["null in a list", { spec: { tolerations: [null] } }, `${at}.tolerations[0]`, "must not be null; leave it out"],
      ["a date", { spec: { dnsConfig: new Date(0) } }, `${at}.dnsConfig`, noData],
      ["a function", { spec: { priority: () => 1 } }, `${at}.priority`, noData],
      ["no number", { spec: { priority: NaN } }, `${at}.priority`, noData],
      ["a number beyond JSON", { spec: { priority: 1n } }, `${at}.priority`, noData],
    ];
    itRefuses(
      forms.map(([rule, podTemplate, path, says]) => ({ rule, args: { containers, podTemplate }, path, says })),
    );
  });

  describe("on lists that merge by keys", () => {
    const plainName = "needs a plain name, by which the items of the list are merged";
    itRefuses([
      {
        rule: "a list that is an output",
        args: spec({ volumes: pulumi.output([]) }),
        path: `${at}.volumes`,
        says: `must be a list${later}`,
      },
      { rule: "a map for a list", args: spec({ volumes: {} }), path: `${at}.volumes`, says: "must be a list" },
      {
        rule: "an item without its key",
        args: spec({ volumes: [{ emptyDir: {} }] }),
        path: `${at}.volumes[0]`,
        says: plainName,
      },
      {
        rule: "an item whose key is an output",
        args: spec({ imagePullSecrets: [{ name: pulumi.output("a") }] }),
        path: `${at}.imagePullSecrets[0]`,
        says: plainName,
      },
      {
        rule: "an item that is an output",
        args: main({ env: [pulumi.output({ name: "A" })] }),
        path: `${at}.containers[0].env[0]`,
        says: plainName,
      },
      {
        rule: "a container without a name",
        args: spec({ containers: [{ image: "i" }] }),
        path: `${at}.containers[0]`,
        says: plainName,
      },
      {
        rule: "an item with one of two keys",
        args: spec({ topologySpreadConstraints: [{ topologyKey: "zone", maxSkew: 1 }] }),
        path: `${at}.topologySpreadConstraints[0]`,
        says: "needs a plain topologyKey and whenUnsatisfiable, by which the items of the list are merged",
      },
      {
        rule: "an item twice",
        args: main({ env: [{ name: "A" }, { name: "B" }, { name: "A" }] }),
        path: `${at}.containers[0].env[2]`,
        says: "has the name of item 0 too",
      },
      {
        rule: "a port twice, once with the protocol that is the default",
        args: main({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "TCP" }] }),
        path: `${at}.containers[0].ports[1]`,
        says: "has the containerPort and protocol of item 0 too",
      },
    ]);
    itAccepts({
      "a port with two protocols": main({ ports: [{ containerPort: 53 }, { containerPort: 53, protocol: "UDP" }] }),
      "labels that are called like lists": template({
        metadata: { labels: { env: pulumi.output("prod"), ports: "a" }, annotations: { volumes: pulumi.output("b") } },
        spec: { nodeSelector: { claims: pulumi.output("c") } },
      }),
      "lists that say nothing": spec({ volumes: undefined, containers: [] }),
    });
  });

  describe("on labels and annotations", () =>
    itRefuses(
      [
        ["labels", "job-name"],
        ["labels", "batch.kubernetes.io/job-completion-index"],
        ["labels", "minicluster/services"],
        ["annotations", "minicluster/config-hash"],
      ].map(([map = "", key = ""]) => ({
        rule: `${key} among the ${map}`,
        args: template({ metadata: { [map]: { [key]: "x" } } }),
        path: `podTemplate.metadata.${map}["${key}"]`,
        says: ownLabel,
      })),
    ));

  describe("on what the brokers stand on", () => {
    const fields: [field: string, value: unknown, says: RegExp][] = [
      ["hostname", "x", /^a broker finds its rank by the host name/],
      ["hostnameOverride", "x", /^a broker finds its rank by the host name/],
      ["setHostnameAsFQDN", true, /^a broker finds its rank by its short host name/],
      ["hostNetwork", true, /^a pod on its node's network has the node's name/],
      ["subdomain", "x", /set network\.headlessName$/],
      ["restartPolicy", "Never", /set pod\.restartPolicy$/],
    ];
    itRefuses(
      fields.map(([field, value, says]) => ({
        rule: field,
        args: spec({ [field]: value }),
        path: `${at}.${field}`,
        says,
      })),
    );
    itRefuses(
      ["flux-view", "flux-view-image", "minicluster-config", "minicluster-curve", "minicluster-munge"].map((name) => ({
        rule: `the volume ${name}`,
        args: spec({ volumes: [{ name, emptyDir: {} }] }),
        path: `${at}.volumes[0].name`,
        says: "is one of the component's own volumes; choose another name",
      })),
    );
  });

  describe("on containers", () => {
    const run = (name: string, field: string): RuleCase => ({
      rule: `${field} of ${name}`,
      args: name === "demo" ? main({ [field]: ["x"] }) : init(name, { [field]: ["x"] }),
      path: `${at}.${name === "demo" ? "containers" : "initContainers"}[0].${field}`,
      says: ownRun,
    });
    const runs = { demo: ["command", "args", "startupProbe"], "flux-view": ["command", "args", "restartPolicy"] };
    itRefuses(
      Object.entries({ ...runs, side: ["restartPolicy"] }).flatMap(([name, own]) =>
        own.map((field) => run(name, field)),
      ),
    );
    itRefuses([
      {
        rule: "a container that is not there, and has no image",
        args: spec({ containers: [{ name: "dmeo", env: [] }] }),
        path: `${at}.containers[0].name`,
        says: 'the pods have no container "dmeo"; correct the name or give it an image',
      },
      {
        rule: "a sidecar among the containers",
        args: spec({ containers: [{ name: "side" }] }),
        path: `${at}.containers[0].name`,
        says: '"side" is in initContainers; move it there',
      },
      {
        rule: "the container that runs Flux among the init containers",
        args: init("demo", {}),
        path: `${at}.initContainers[0].name`,
        says: '"demo" is in containers; move it there',
      },
      {
        rule: "the view where there is none",
        args: spec({ initContainers: [{ name: "flux-view" }] }, { flux: { container: { disable: true } } }),
        path: `${at}.initContainers[0].name`,
        says: 'the pods have no container "flux-view"; correct the name or give it an image',
      },
      {
        rule: "a variable of the brokers",
        args: main({ env: [{ name: "MINICLUSTER_SIZE", value: "1" }] }),
        path: `${at}.containers[0].env[0].name`,
        says: "is set by the component or by Kubernetes; choose another name",
      },
    ]);
  });

  describe("on mounts", () => {
    const mount = (mountPath: string) => ({ volumeMounts: [{ name: "data", mountPath }] });
    const over: [mountPath: string, holder: string][] = [
      ["/etc/minicluster", "/etc/minicluster"],
      ["/etc/minicluster/curve", "/etc/minicluster"],
      ["/opt/software/x", "/opt/software"],
      ["/mnt/flux", "/mnt/flux"],
      ["/mnt/flux/view", "/mnt/flux"],
    ];
    itRefuses(
      over.map(([mountPath, holder]) => ({
        rule: `one at ${mountPath}`,
        args: main(mount(mountPath)),
        path: `${at}.containers[0].volumeMounts[0].mountPath`,
        says: `${holder} is mounted by the component; choose another directory`,
      })),
    );
    itRefuses([
      {
        rule: "one on the Flux volume, wherever it is, in a container of the user's own",
        args: spec(
          { containers: [{ name: "mine", image: "i", ...mount("/flux/x") }] },
          { flux: { container: { mountPath: "/flux" } } },
        ),
        path: `${at}.containers[0].volumeMounts[0].mountPath`,
        says: "/flux is mounted by the component; choose another directory",
      },
    ]);
  });

  itAccepts({
    "an empty template": template({}),
    "a template that says nothing": template({ metadata: undefined, spec: undefined }),
    "what a person may want": template({
      metadata: { labels: { app: pulumi.output("x") } },
      spec: {
        containers: [
          {
            name: "demo",
            livenessProbe: { exec: { command: ["true"] } },
            env: [{ name: "A", value: pulumi.output("a") }],
          },
          { name: "mine", image: pulumi.output("i"), command: ["serve"], restartPolicy: "Always" },
        ],
        initContainers: [
          { name: "flux-view", image: "other" },
          { name: "side", command: ["other"] },
        ],
        volumes: [{ name: "scratch", ephemeral: pulumi.output({}) }],
        affinity: pulumi.output({}),
        tolerations: [{ operator: "Exists" }, { operator: "Exists" }],
      },
    }),
  });

  it("name every problem at once, each in its own place", () => {
    const wrong = { kind: "Pod", metadata: { labels: { "job-name": "x" } }, spec: { hostname: "x", volumes: [{}] } };
    assert.deepEqual(
      problemsOf({ ...aMiniClusterArgs(), podTemplate: wrong }).map(({ propertyPath }) => propertyPath),
      [`${at}.volumes[0]`, "podTemplate.kind", 'podTemplate.metadata.labels["job-name"]', `${at}.hostname`],
    );
  });
});
