import * as pulumi from "@pulumi/pulumi";
import { validating } from "../../support/problems";
import { aBroker, aBursting, aLeadBroker, aSidecar, withBroker, operatorFlux } from "../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

const following = { interactive: true, autoscale: { max: 4 } };
const joining = {
  name: "burst",
  containers: [{ image: "i" }],
  flux: operatorFlux({ bursting: { leadBroker: aLeadBroker(), clusters: [{ name: "burst", size: 2 }] } }),
};

describe("the rules of a size that follows the queue", () => {
  const max = { autoscale: { max: 4 } };
  rejects({
    "autoscale.min: min 5 is above max 4; lower min or raise max": { interactive: true, autoscale: { min: 5, max: 4 } },
    "autoscale.max: max 5 is above maxSize 4…": { interactive: true, maxSize: 4, autoscale: { max: 5 } },
    "autoscale: the submitted command requests the hosts once…": [
      { ...max, ...withBroker() },
      { ...max, ...withBroker({ batch: true }) },
    ],
    "autoscale: the operator's form of bursting does not assign the hosts…": {
      ...following,
      flux: operatorFlux({ bursting: { clusters: [{ name: "other" }] } }),
    },
    "flux.minimalService: forwards only to the brokers' port…": {
      ...following,
      flux: operatorFlux({ minimalService: true }),
    },
  });
  rejectsAll({ ...following, size: 2, minSize: 1, resize: "manifest" }, [
    "size: is set by autoscale, between its min and max; remove one of them",
    "resize: the agent resizes the live Job, which YAML in files would undo…",
    "minSize: is autoscale.min, which is the quorum; remove it",
  ]);
  accepts({
    "a launcher": { ...max, ...withBroker({ launcher: true }) },
    "the entrypoint of an image": { ...max, containers: [{ image: "i" }] },
    "a cluster that others may join": { ...following, bursting: aBursting() },
    "restricted pods, a policy and equal limits": {
      interactive: true,
      maxSize: 8,
      podSecurity: "restricted",
      network: { policy: "pods" },
      autoscale: { min: 4, max: 4, maxStep: 1 },
    },
  });
});

describe("the rules of metrics", () => {
  const pods = { network: { policy: "pods" as const } };
  rejects({
    "metrics.port: 8050 is the port of the brokers; choose another port": { metrics: { port: 8050 } },
    "metrics.port: 8060 is the port that serves the demand; choose another port": { metrics: { port: 8060 } },
    "metrics.port: 1023 must be an integer from 1024 to 65535": { metrics: { port: 1023 } },
    "containers[1].ports[1]: 8061 is the port of metrics, in the same pod; choose another port": {
      metrics: {},
      containers: [aBroker({ ports: [80] }), aSidecar({ ports: [9090, 8061] })],
    },
    "containers[0].ports[0]: 8060 is the port of autoscale…": { ...following, ...withBroker({ ports: [8060] }) },
    "metrics: are set for the whole instance, in the cluster with the lead broker…": { metrics: {}, ...joining },
    'metrics.fromNamespace: requires network.policy "pods"…': { metrics: { fromNamespace: "monitoring" } },
  });
  const podMonitor = { labels: { "job-name": "a" }, intervalSeconds: 0 };
  rejectsAll({ metrics: { fromNamespace: "Monitoring", podMonitor }, ...pods }, [
    'metrics.fromNamespace: "Monitoring" must be a lowercase DNS label…',
    "metrics.podMonitor.intervalSeconds: 0 must be an integer from 1 to 86400",
    'metrics.podMonitor.labels["job-name"]: is set by Kubernetes or by the component itself; choose another key',
  ]);
  accepts({
    "another port, and that of the demand without autoscale": {
      metrics: { port: 9100 },
      ...withBroker({ ports: [8060] }),
    },
    "the port of the demand in a service, which has another pod": {
      metrics: {},
      services: [{ image: "s", name: "store", ports: [8060] }],
    },
    "the default port in a container, beside metrics at another port": {
      ...following,
      metrics: { port: 9100 },
      ...withBroker({ ports: [8061] }),
    },
    "metrics beside bursting": { metrics: {}, bursting: aBursting() },
    "metrics beside minimalService and restricted pods": {
      metrics: {},
      flux: operatorFlux({ minimalService: true }),
      podSecurity: "restricted",
    },
    "a namespace that is known later": { metrics: { fromNamespace: pulumi.output("monitoring") }, ...pods },
  });
});

describe("the rules of the console", () => {
  const users = ["ann"];
  rejects({
    "console: requires a user: add a name to users, viewers or admins": { console: {} },
    "console.port: 8050 is the port of the brokers; choose another port": { console: { users, port: 8050 } },
    "console.port: 8061 is the port of metrics; choose another port": { console: { users, port: 8061 }, metrics: {} },
    "containers[0].ports[0]: 8062 is the port of console, in the same pod; choose another port": {
      console: { users },
      ...withBroker({ ports: [8062] }),
    },
    "console.tokens.bob: is not a user of the console; add it to users, viewers or admins": {
      console: { users, tokens: { bob: "long-enough" } },
    },
    "console.tokens.constructor: is not a user of the console; add it to users, viewers or admins": {
      console: { users, tokens: { constructor: "long-enough" } },
    },
    'console.fromNamespace: requires network.policy "pods"…': { console: { users, fromNamespace: "ingress" } },
    "console: is set for the whole instance, in the cluster with the lead broker…": { console: { users }, ...joining },
  });
  const tokens = { ann: "short", root: "with a space in it" };
  rejectsAll({ console: { users: ["ann", "a b"], viewers: ["ann"], admins: ["root"], tokens, secretKey: "" } }, [
    `console.users[1]: "a b" must be a user's name: 1 to 64 letters, digits, -, _, . and @`,
    'console.tokens.ann: "short" must be 8 to 512 characters of ASCII without spaces',
    'console.tokens.root: "with a space in it" must be 8 to 512 characters of ASCII without spaces',
    'console.secretKey: "" must be 8 to 512 characters of ASCII without spaces',
  ]);
  rejectsAll({ console: { users: ["ann", "ann"], viewers: ["ann"], admins: ["root"] } }, [
    "console.users[1]: ann is also in console.users; remove one of them",
    "console.viewers[0]: ann is also in console.users; remove one of them",
  ]);
  accepts({
    "users whose tokens are known later": {
      console: { users, tokens: { ann: pulumi.secret("t") }, secretKey: pulumi.output("k") },
    },
    "a user beside metrics, autoscale and a policy": {
      ...following,
      metrics: {},
      console: { viewers: users, fromNamespace: "ingress" },
      network: { policy: "pods" },
    },
  });
});

describe("the rules of requeue", () => {
  rejects({
    "requeue: is a setting of the lead broker, which runs in another cluster; set it there": {
      requeue: {},
      ...joining,
    },
    "requeue.graceSeconds: 31 s is longer than drainTimeoutSeconds (30)…": { requeue: { graceSeconds: 31 } },
    "requeue.graceSeconds: 20 s is longer than drainTimeoutSeconds (0)…": {
      requeue: { graceSeconds: 20 },
      drainTimeoutSeconds: 0,
    },
    "requeue.restarts: -1 must be an integer from 0 to 1000": { requeue: { restarts: -1 } },
  });
  accepts({
    "as much time as the drain has": { requeue: { graceSeconds: 120, signal: "TERM" }, drainTimeoutSeconds: 120 },
    "no time and no restart": { requeue: { graceSeconds: 0, restarts: 0 }, drainTimeoutSeconds: 0 },
  });
});
