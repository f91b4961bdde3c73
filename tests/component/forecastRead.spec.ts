import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { readInstance } from "../../provider/forecast/diagnostics/read";
import { recordedReadings } from "../support/queueReading";
import {
  type Answer,
  exited,
  frame,
  leadPod,
  lines,
  message,
  podsAnswer,
  type Refusal,
  withStudyServer,
} from "../support/studyServer";

const [, reading] = recordedReadings().at(-1)!;
const whole: Answer = { chunks: [lines("Welcome to the image", reading), exited()], end: "close" };
const cluster = { namespace: "default", name: "demo", groups: [] };
const component = { getProvider: () => undefined } as unknown as pulumi.Resource;

interface Server {
  exec?: Answer | "none";
  /** The lists of pods: of the lead broker, and of all brokers. */
  pods?: [lead: Refusal | "none", brokers?: Refusal | "none"];
}

/** What a preview reads of an instance, and the paths of its requests. */
async function readFrom({ exec = whole, pods = [podsAnswer(leadPod)] }: Server) {
  const paths: string[] = [];
  let found: unknown;
  const answers = {
    exec(_: number, path: string): Answer | undefined {
      paths.push(path);
      return exec === "none" ? undefined : exec;
    },
    pods(request: number, path: string): Refusal | "none" {
      paths.push(path);
      return pods[request] ?? pods[0];
    },
  };
  await withStudyServer(answers, async ({ place }) => {
    pulumi.runtime.setAllConfig({ "kubernetes:kubeconfig": place.cluster.kubeconfig! });
    try {
      found = await readInstance(component, cluster);
    } finally {
      pulumi.runtime.setAllConfig({});
    }
  });
  return { found, paths };
}

const json = { "content-type": "application/json" };
const forbidden = (what: string): Refusal => ({
  status: 403,
  headers: json,
  body: JSON.stringify({ kind: "Status", message: `${what} is forbidden: User "reader" cannot` }),
});

/** A pod of a worker that was created and became Ready at these seconds. */
const worker = (rank: number, created: number, ready?: number) => {
  const at = (second: number) => new Date(second * 1000).toISOString();
  const condition = {
    type: "Ready",
    status: ready === undefined ? "False" : "True",
    lastTransitionTime: at(ready ?? 0),
  };
  return {
    metadata: { name: `demo-${rank}-abcde`, creationTimestamp: at(created) },
    status: { conditions: [condition] },
  };
};
const oldLead = {
  ...leadPod,
  ...worker(0, 1_000, 5_000),
  metadata: { ...worker(0, 1_000).metadata, ...leadPod.metadata },
};

describe("the reading of an instance in a preview", function () {
  this.timeout(30_000);

  it("is the line of the program that is one", async () => assert.deepEqual((await readFrom({})).found, { reading }));

  it("has the only command that an account needs, without standard input", async () => {
    const { paths } = await readFrom({});
    const url = new URL(
      paths.find((path) => path.includes("/exec?"))!,
      "http://localhost",
    );
    assert.deepEqual(url.searchParams.getAll("command"), ["bash", "/etc/minicluster/config/queue.sh"]);
    assert.equal(url.searchParams.get("stdin"), null);
    assert.ok(paths.every((path) => !path.includes("/pods?") || path.includes("labelSelector=")));
  });

  it("ends with its line, also if the server leaves the connection open", async () =>
    assert.deepEqual((await readFrom({ exec: { chunks: [lines(reading)] } })).found, { reading }));

  const silent: [title: string, server: Server][] = [
    ["the API server does not answer the list of pods", { pods: ["none"] }],
    ["the API server does not end the list of pods", { pods: [{ ...podsAnswer(leadPod), isOpen: true }] }],
    ["the API server does not answer the command", { exec: "none" }],
    ["the program prints nothing", { exec: { chunks: [] } }],
    ["the program prints half a line", { exec: { chunks: [message(1, JSON.stringify(reading))] } }],
    [
      "the connection ends in the middle of the line",
      { exec: { chunks: [lines(reading).subarray(0, 90)], end: "destroy" } },
    ],
    ["the connection has bytes of no protocol", { exec: { chunks: [frame(Buffer.from("a"), 3)] } }],
    ["the program prints other JSON", { exec: { chunks: [lines({ version: 2 }, [], "{"), exited()], end: "close" } }],
    ["the cluster has no such program", { exec: { chunks: [message(2, "No such file"), exited(127)], end: "close" } }],
    ["the list of pods is none", { pods: [{ status: 200, headers: json, body: '{"items":7}' }] }],
    ["the list of pods is no JSON", { pods: [{ status: 200, headers: json, body: '{"items":' }] }],
    ["there is no pod of the lead broker", { pods: [podsAnswer()] }],
    ["the pod of the lead broker is not Ready", { pods: [podsAnswer({ ...leadPod, ...worker(0, 1_000) })] }],
    ["the API server fails", { pods: [{ status: 500, body: "broken" }] }],
    ["the kubelet fails", { exec: { status: 500, body: "broken" } }],
    ["the account has no valid credentials", { pods: [{ status: 401, body: "who?" }] }],
  ];
  for (const [title, server] of silent)
    it(`is nothing, without an error, if ${title}`, async () =>
      assert.equal((await readFrom(server)).found, undefined));

  it("is nothing without a kubeconfig", async () => {
    pulumi.runtime.setAllConfig({ "kubernetes:kubeconfig": "no kubeconfig" });
    try {
      assert.equal(await readInstance(component, cluster), undefined);
    } finally {
      pulumi.runtime.setAllConfig({});
    }
  });

  it("is nothing for a provider that writes files", async () => {
    pulumi.runtime.setAllConfig({ "kubernetes:renderYamlToDirectory": "out" });
    try {
      assert.equal(await readInstance(component, cluster), undefined);
    } finally {
      pulumi.runtime.setAllConfig({});
    }
  });

  const needed = 'grant it list on pods, and get and create on pods/exec, in the namespace "default"';
  const refused: [title: string, server: Server, what: string][] = [
    ["list pods", { pods: [forbidden("pods")] }, "pods"],
    ["run commands in pods", { exec: forbidden('pods "demo-0"') }, 'pods "demo-0"'],
  ];
  for (const [title, server, what] of refused)
    it(`names what to grant an account that may not ${title}`, async () =>
      assert.deepEqual((await readFrom(server)).found, {
        refused:
          `the API server refuses the user of the Kubernetes provider: ${what} is forbidden: User "reader" cannot; ` +
          needed,
      }));

  const arrivals: [title: string, brokers: Refusal | "none", seconds: number | undefined][] = [
    ["the pods that were created last", podsAnswer(oldLead, worker(1, 2_000, 2_500), worker(2, 3_000, 3_080)), 80],
    ["the slowest pod of the last growth", podsAnswer(worker(1, 3_000, 3_200), worker(2, 3_060, 3_070)), 200],
    ["the last growth whose pods are Ready", podsAnswer(worker(1, 3_000, 3_090), worker(2, 9_000)), 90],
    ["nothing if the lead broker runs alone", podsAnswer(oldLead), undefined],
    [
      "nothing if no time is one",
      podsAnswer({ ...worker(1, 1, 2), metadata: { name: "a", creationTimestamp: "?" } }),
      undefined,
    ],
    ["nothing if Ready comes before the creation", podsAnswer(worker(1, 3_000, 2_000)), undefined],
    ["nothing if the list is none", { status: 200, headers: json, body: "[]" }, undefined],
    ["nothing if the list is refused", { status: 500, body: "broken" }, undefined],
  ];
  for (const [title, brokers, seconds] of arrivals)
    it(`has the time that a growth took from ${title}`, async () => {
      const { found } = await readFrom({ pods: [podsAnswer(leadPod), brokers] });
      assert.deepEqual(found, { reading, ...(seconds !== undefined && { arrivalSeconds: seconds }) });
    });
});
