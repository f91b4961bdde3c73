import * as assert from "node:assert/strict";
import { MiniClusterAffinity, type MiniClusterArgs } from "../../../provider";
import { readAgentProblem, readUnusableHosts, restNotices, sizeReasons } from "../../../provider/autoscale/diagnostics";
import { movesNotices } from "../../../provider/bursting/diagnostics/moves";
import { aMiniCluster, aPool } from "../../support/fixtures";

const spec = aMiniCluster({ interactive: true, autoscale: { max: 4 } });
const deployment = "/apis/apps/v1/namespaces/default/deployments/demo-autoscale";
const job = "/apis/batch/v1/namespaces/default/jobs/demo";
const pods = "/api/v1/namespaces/default/pods";
const list = `${pods}?labelSelector=minicluster%2Fautoscale%3Ddemo`;
const log = `${pods}/agent-1/log?container=agent&tailLines=1`;

/** An API server that answers so, by path. */
const answering = (answers: Record<string, unknown>) => (path: string) =>
  path in answers ? Promise.resolve(answers[path]) : Promise.reject(new Error(`unexpected request for ${path}`));

/** The reason that is found at such an API server. */
const problemIn = (answers: Record<string, unknown>) => readAgentProblem(answering(answers), spec);

const created = "2026-01-31T09:00:00Z";
const pod = (status: object = {}) => ({ metadata: { name: "agent-1", creationTimestamp: created }, status });

/** The Job with the annotation of an agent. */
const jobWith = (state?: object) => ({
  metadata: { annotations: state === undefined ? {} : { "minicluster/autoscale-state": JSON.stringify(state) } },
});
const aState = (more: object = {}) => ({
  size: 1,
  reason: "noDemand",
  message: "size 1: the lead broker's pod does not serve the demand: no route",
  since: "2026-01-31T09:00:05Z",
  ...more,
});

/** The reason, with the state of the agent and the last line of its log. */
const problemOf = (state: object | undefined, line = "the last line") =>
  problemIn({ [deployment]: {}, [list]: { items: [pod()] }, [job]: jobWith(state), [log]: `${line}\n` });

describe("the reason why an agent is not Ready", () => {
  it("is what Kubernetes says where it makes no pod", async () => {
    const message = 'pods "agent-1" is forbidden: exceeded quota: small';
    const conditions = [
      { type: "Available", status: "False", message: "no minimum availability" },
      { type: "ReplicaFailure", status: "True", message },
    ];
    assert.equal(await problemIn({ [deployment]: { status: { conditions } }, [list]: { items: [] } }), message);
    assert.equal(await problemIn({ [deployment]: {}, [list]: { items: [] } }), "it has no pod yet");
  });

  it("is that of its pod, and not of one that goes", async () => {
    const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes" };
    const going = { metadata: { name: "agent-0", deletionTimestamp: "now" } };
    const items = [pod({ conditions: [unscheduled] }), going];
    assert.equal(await problemIn({ [deployment]: {}, [list]: { items } }), "pod agent-1: Unschedulable: 0/3 nodes");
  });

  const causes: [title: string, peer: string, code: string, problem: RegExp][] = [
    ["DNS", "leadPod", "nameNotResolved", /^it cannot resolve a name; check DNS, and .* that close port 53: size 1: /],
    [
      "no route to the lead broker's pod",
      "leadPod",
      "peerNotReached",
      /^it does not reach the lead broker's pod; check TCP port 8060 .*, or .* of expose.demand: size 1: .* no route$/,
    ],
    [
      "another key",
      "leadPod",
      "accessRejected",
      /^the lead broker's pod rejects its key, which belongs to another certificate: size 1: /,
    ],
    [
      "a policy that rejects the size",
      "apiServer",
      "accessRejected",
      /^the API server rejects its requests \(RBAC\); check Role and RoleBinding demo-autoscale: size 1: /,
    ],
    ["any other error", "leadPod", "otherError", /^size 1: the lead broker's pod does not serve the demand: no route$/],
  ];
  for (const [title, peer, code, problem] of causes)
    it(`is the problem in the state of the agent: ${title}`, async () => {
      assert.match((await problemOf(aState({ problem: { peer, code } }))) ?? "", problem);
    });

  const unwritten =
    "it has not written its state to the Job, so it does not reach the API server, or the API server rejects its " +
    "requests (RBAC); check Role and RoleBinding demo-autoscale, DNS, and routes and network policies for egress " +
    'from namespace default: its log ends with "status 403"';
  const absent: [title: string, state: object | undefined][] = [
    ["without a state", undefined],
    [
      "with the state of a former pod",
      aState({ since: "2026-01-31T08:59:59Z", problem: { peer: "leadPod", code: "peerNotReached" } }),
    ],
    ["with text of another client", { size: "1" }],
  ];
  for (const [title, state] of absent)
    it(`is the API server, which the agent needs to write its state, for a Job ${title}`, async () => {
      assert.equal(await problemOf(state, "status 403"), unwritten);
    });

  it("is the last line of the log for an agent whose state has no problem, and a new pod has no line", async () => {
    assert.equal(await problemOf(aState()), 'its log ends with "the last line"');
    assert.equal(await problemOf(undefined, ""), "pod agent-1 has just started");
  });

  it("brings no control characters of a log or a state to a terminal, and no endless line", async () => {
    assert.equal(await problemOf(aState(), "a\u001b[31mred\u0007"), 'its log ends with "a [31mred"');
    assert.ok(((await problemOf(aState(), "x".repeat(10_000))) ?? "").length < 600);
    const problem = { peer: "leadPod", code: "otherError" };
    assert.equal(await problemOf(aState({ message: "a\u001b[31mred\u0007", problem })), "a [31mred");
  });
});

describe("hosts that Flux drained as they joined", () => {
  const messageOf = (state: object) => readUnusableHosts(answering({ [job]: jobWith(state) }), spec);
  const message = "size 4: 3 drained as they joined, and not replaced: missing resources: core[2-3]";

  it("are found by the reason in the state of the agent, and not by the message", async () => {
    assert.equal(await messageOf(aState({ reason: "unusableHosts", message })), message);
    assert.equal(await messageOf(aState({ reason: "hostsNeeded", message })), undefined);
  });

  it("are those of each Job of a cluster with groups", async () => {
    const groups = { cpu: { autoscale: { max: 4 } }, gpu: { autoscale: { max: 4 } }, fixed: { size: 1 } };
    const jobs = ["cpu", "gpu"].map(
      (name) => [job.replace("demo", `demo-${name}`), { reason: "unusableHosts" }] as const,
    );
    const answers = Object.fromEntries(
      jobs.map(([path, state]) => [path, jobWith(aState({ ...state, message: "x" }))]),
    );
    const found = await readUnusableHosts(answering(answers), aMiniCluster({ interactive: true, groups }));
    assert.equal(found, "demo-cpu: x; demo-gpu: x");
  });
});

it("the reason for the size is a part of the message on a wait for the pods of a Job that is autoscaled", async () => {
  const read = answering({ [job]: jobWith(aState({ reason: "jobsPending", message: "size 1 => 4: x" })) });
  const want = "the agent has set the size (jobsPending since 2026-01-31T09:00:05Z): size 1 => 4: x";
  assert.deepEqual(await sizeReasons({ read, uid: "1" }, spec), [want]);
  assert.deepEqual(await sizeReasons({ read, uid: "1" }, aMiniCluster({ interactive: true, size: 2 })), []);
});

describe("the notice of what an elastic cluster holds at rest", () => {
  const pool = aPool({ machineType: "hpc7a.96xlarge", pricePerHour: 8 }, { cores: 192, vcpus: 192 });
  const notices = (args: Partial<MiniClusterArgs>) =>
    restNotices(aMiniCluster({ interactive: true, pool, ...args })).map(({ message }) => message);
  const capacity = (count: number) => `nodes ${count}, vCPUs ${count * 192}, GiB of memory ${count * 384}`;
  const nodes = (count: number) => `${capacity(count)}, price per hour ${count * 8}`;

  it("names the lead broker's node and how lead avoids it, and with lead the bounds of each group", () => {
    const bare = aPool({ pool: "plain" }, { cores: 192, vcpus: 192 });
    const of = "on pool hpc (hpc7a.96xlarge)";
    const way = "pod 0 runs the lead broker and remains: with lead, it has a separate pod of 1 CPU, and min may be 0";
    assert.deepEqual(notices({ autoscale: { max: 4 } }), [
      `demo ${of}: at rest ${nodes(1)}; at most ${nodes(4)}; ${way}`,
    ]);
    const others = "; the pods of the lead broker and the agent run on other nodes (lead.pool)";
    const [budget, limits] = [{ perDay: 90, perMonth: 900 }, "90 per day, 900 per month"];
    const groups = {
      cpu: { autoscale: { max: 4, budget } },
      plain: { pool: bare, autoscale: { max: 2 } },
      fixed: { size: 2 },
    };
    assert.deepEqual(notices({ groups }), [
      `demo-cpu ${of}: at rest nodes 0, price per hour 0; at most ${nodes(4)}, budget ${limits}${others}`,
      `demo-plain on pool plain: at rest nodes 0; at most ${capacity(2)}${others}`,
    ]);
  });

  it("is not given without a pool, for a fixed size, and where pods share nodes", () => {
    const network = { affinity: MiniClusterAffinity.None };
    for (const args of [{ autoscale: { max: 4 }, pool: undefined }, { size: 2 }, { autoscale: { max: 4 }, network }])
      assert.deepEqual(notices(args), []);
  });
});

it("the notice of place names the clusters to which jobs move, and the most that all nodes may cost", () => {
  const notices = (place: object | undefined, pool?: object) => {
    const clusters = ["near", "far"].map((name) => ({ name, maxSize: 2, pricePerHour: 4 }));
    const bursting = { clusters, expose: { endpoint: { address: "a" } }, place };
    return movesNotices(aMiniCluster({ interactive: true, size: 2, bursting, ...pool })).map(({ message }) => message);
  };
  assert.deepEqual(notices(undefined), []);
  assert.deepEqual(notices({}), ["jobs that wait 120 s in demo move to near or far"]);
  assert.deepEqual(notices({ afterSeconds: 60, clusters: ["far"] }, { pool: aPool({ pricePerHour: 8 }) }), [
    "jobs that wait 60 s in demo move to far; all nodes may cost 24 per hour",
  ]);
});
