import * as assert from "node:assert/strict";
import { MiniClusterAffinity, type MiniClusterArgs } from "../../../provider";
import { readAgentProblem, readUnusableHosts, restNotices } from "../../../provider/autoscale/diagnostics";
import { movesNotices } from "../../../provider/bursting/diagnostics/moves";
import { aMiniCluster, aPool } from "../../support/fixtures";

const spec = aMiniCluster({ interactive: true, autoscale: { max: 4 } });
const deployment = "/apis/apps/v1/namespaces/default/deployments/demo-autoscale";
const pods = "/api/v1/namespaces/default/pods";
const list = `${pods}?labelSelector=minicluster%2Fautoscale%3Ddemo`;
const log = `${pods}/agent-1/log?container=agent&tailLines=1`;

/** An API server that answers so, by path. */
const answering = (answers: Record<string, unknown>) => (path: string) =>
  path in answers ? Promise.resolve(answers[path]) : Promise.reject(new Error(`unexpected request for ${path}`));

/** The reason that is found at such an API server. */
const problemIn = (answers: Record<string, unknown>) => readAgentProblem(answering(answers), spec);

const pod = (status: object = {}) => ({ metadata: { name: "agent-1" }, status });
const problemOf = (words: string) => problemIn({ [deployment]: {}, [list]: { items: [pod()] }, [log]: `${words}\n` });

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

  const causes: [title: string, words: string, problem: RegExp][] = [
    [
      "no way to the API server",
      'skipped this round: <urlopen error timed out> {"peer": "server", "code": "notReached"}',
      /^it does not reach the API server; check routes .* namespace default: its .* <urlopen error timed out>"$/,
    ],
    [
      "a network policy that drops what goes to the DNS",
      'skipped this round: <urlopen error [Errno -3]> {"peer": "server", "code": "nameNotResolved"}',
      /^it cannot resolve a name; check DNS, and network policies that close port 53: its log ends with "/,
    ],
    [
      "RBAC",
      'skipped this round: the API server answers with status 403: {no} {"peer": "server", "code": "rejected"}',
      /^the API server rejects its requests \(RBAC\); check Role and RoleBinding demo-autoscale: its log .*\{no\}"$/,
    ],
    [
      "no way to the lead broker's pod",
      'size 1: the lead broker\'s pod does not serve the demand: 403 {"peer": "lead", "code": "notReached"}',
      /^it does not reach the lead broker's pod; check TCP port 8060 .*, or .* of expose.demand: its log ends with "/,
    ],
    [
      "another key",
      'size 1: the lead broker\'s pod does not serve the demand {"peer": "lead", "code": "rejected"}',
      /^the lead broker's pod rejects its key, which belongs to another certificate: its log ends with "/,
    ],
    ["anything else", "Traceback: no route {1}", /^its log ends with "Traceback: no route \{1\}"$/],
    ["a log without a line", "", /^pod agent-1 has just started$/],
  ];
  for (const [title, words, problem] of causes)
    it(`is explained by the last line of its log: ${title}`, async () => {
      assert.match((await problemOf(words)) ?? "", problem);
    });

  it("brings no control characters of a log to a terminal, and no endless line", async () => {
    assert.equal(await problemOf("a\u001b[31mred\u0007"), 'its log ends with "a [31mred"');
    assert.ok(((await problemOf("x".repeat(10_000))) ?? "").length < 600);
  });
});

describe("hosts that Flux drained as they joined", () => {
  const lineOf = (words: string, items: object[] = [pod()]) =>
    readUnusableHosts(answering({ [list]: { items }, [log]: `${words}\n` }), spec);
  const drained = "0 running on 0 hosts, 1 pending for 4, 3 drained";

  it("are found in the last line of the agent's log", async () => {
    const line = `size 4: ${drained} as they joined, and not replaced: missing resources: core[2-3]`;
    assert.equal(await lineOf(`${line} {"code": "unusableHosts"}`), line);
  });

  it("exclude those that were drained later, and need an agent", async () => {
    assert.equal(await lineOf(`size 4: ${drained} as they joined`), undefined);
    assert.equal(await lineOf("", []), undefined);
  });
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
