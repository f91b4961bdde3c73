import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { agentProgram } from "../../../../provider/minicluster/flux/programs/agent";
import { demandProgram } from "../../../../provider/minicluster/flux/programs/demand";
import { metricsProgram } from "../../../../provider/minicluster/flux/programs/metrics";
import { casesOf, valueIn } from "../../../support/cases";
import { besideFlux, type Instance, someStats, withMetricsServer } from "../../../support/metricsServer";
import { installedByPip } from "../../../support/pip";

const names = path.resolve(__dirname, "../../../support/fluxPython/names.py");

/** A job of a queue: hosts or cores that it asks for, and the clusters that its constraint leaves, or the ranks that it has. */
interface Job {
  nodes?: number;
  cores?: number;
  gpus?: number;
  on?: string[];
  ranks?: string;
  held?: boolean;
}

interface Part {
  allocated: number;
  highestRank: number;
  running: number;
  drained: number;
  pending: { id: string; hosts: number }[];
}

/** Hosts of a cluster, cores and GPUs of each, and the most that it may have: nothing for its present size, which is 2. */
type Cluster = [name: string, hosts: number, cores: number, gpus: number, max: number | null];

const home: Cluster = ["home", 4, 2, 0, 4];
const cloud: Cluster = ["cloud", 4, 4, 0, 4];

/** The instance of these clusters with these jobs. */
function instanceOf(clusters: Cluster[], jobs: Job[], drained: number[]): Instance {
  const hosts = clusters.flatMap(([name, count, cores, gpus]) =>
    Array.from({ length: count }, (_, place) => ({ host: `${name}-${place}`, cores, gpus })),
  );
  const ranksOf = (text = "") => {
    const [first, last = first] = text.split("-").map(Number);
    return text === "" ? [] : hosts.flatMap((_, rank) => (rank >= first! && rank <= last! ? [rank] : []));
  };
  return {
    hosts: hosts.map(({ host }) => host),
    cores: hosts.map(({ cores }) => cores),
    gpus: hosts.map(({ gpus }) => gpus),
    online: hosts.map((_, rank) => rank),
    drained,
    allocated: Object.fromEntries(
      jobs.flatMap(({ ranks }) => ranksOf(ranks)).map((rank) => [rank, hosts[rank]?.cores ?? 0]),
    ),
    jobs: jobs.map(({ nodes, cores, gpus = 0, held, ...job }, place) => ({
      ...{ id: `f${place}`, state: job.ranks === undefined ? "SCHED" : "RUN", nnodes: nodes, ncores: cores },
      ...{ priority: held ? 0 : 16, resources: [{ type: "slot", count: 1, with: [{ type: "gpu", count: gpus }] }] },
      ...job,
    })),
    config: {},
    stats: { ...someStats(), queues: [] },
  };
}

/** Asks the program beside a stand-in of Flux's bindings, as the lines of Python after these do. */
const asked = `
import json
import agent, demand, flux
`;

describe("the demand", () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "demand-"));
  const file = (name: string) => path.join(directory, name);
  const files = {
    ...{ "agent.py": agentProgram, "demand.py": demandProgram, "metrics.py": metricsProgram },
    size: "2",
  };
  before(() => Object.entries(files).forEach(([name, text]) => fs.writeFileSync(file(name), text)));
  after(() => fs.rmSync(directory, { recursive: true }));

  function run(lines: string, clusters: Cluster[], jobs: Job[], drained: number[] = []): unknown {
    const settings = { clusters: clusters.map(([name, hosts, , , max]) => ({ name, hosts, max })) };
    fs.writeFileSync(file("demand.json"), JSON.stringify(settings));
    fs.writeFileSync(file("instance.json"), JSON.stringify(instanceOf(clusters, jobs, drained)));
    const env = besideFlux(file("instance.json"));
    return JSON.parse(execFileSync("python3", ["-B", "-c", asked + lines], { cwd: directory, env, encoding: "utf8" }));
  }

  /** What each cluster is told of these jobs. */
  function told(jobs: Job[], clusters: Cluster[], drained: number[] = []): Record<string, Part> {
    const lines = `
known = demand.read_clusters(json.load(open("demand.json")), "size")
print(json.dumps(demand.read_demand(flux.Flux(), known)["clusters"]))
`;
    return run(lines, clusters, jobs, drained) as Record<string, Part>;
  }

  // Hosts that each cluster is asked for, job by job, below the jobs: four hosts of 2 cores at home, and of 4 in the cloud.
  const demands = `
# The only cluster is asked for whole hosts or for shares of them.
{clusters: [[home, 4, 2, 0, 4]], jobs: [{nodes: 3}, {cores: 1}, {cores: 5}, {nodes: 9}]}
  [[3, 0.5, 2.5, 9]]
{clusters: [[home, 4, 8, 4, 4]], jobs: [{cores: 1, gpus: 6}]}
  [[1.5]]
# The one is asked that a queue or a constraint leaves.
{jobs: [{nodes: 3, on: [cloud]}, {nodes: 1, on: [home]}, {cores: 2, on: [cloud]}]}
  [[1], [3, 0.5]]
# Home is asked first, and the next cluster for what home has no room for.
{jobs: [{nodes: 3}]}
  [[3], []]
{jobs: [{nodes: 3}, {nodes: 3}]}
  [[3, 1], [2]]
{jobs: [{ranks: 0-2, nodes: 3}, {nodes: 2}]}
  [[1], [1]]
# Half of the cores that it asks for are on the four hosts of home.
{jobs: [{cores: 16}]}
  [[4], [2]]
# Home has two hosts, unless somebody gives it more.
{clusters: [[home, 4, 2, 0, null], [cloud, 4, 4, 0, 4]], jobs: [{nodes: 3}]}
  [[2], [1]]
# A job that no cluster has room for, ever, is told of in whole, and takes no room from another.
{jobs: [{nodes: 9}, {nodes: 4}]}
  [[9, 4], [9]]
# What waits for something else than hosts is left out.
{jobs: [{nodes: 3, held: true}]}
  [[], []]
`;
  for (const { title, given, want } of casesOf(demands))
    it(`asks for ${want[0]}: ${title}`, () => {
      const { clusters = [home, cloud], jobs } = valueIn(given) as { clusters?: Cluster[]; jobs: Job[] };
      const hosts = Object.values(told(jobs, clusters)).map(({ pending }) => pending.map((job) => job.hosts));
      assert.deepEqual(hosts, JSON.parse(want[0] ?? ""));
    });

  it("tells each cluster of its own ranks", () => {
    const jobs = [{ ranks: "1" }, { ranks: "3-5" }, { nodes: 1 }];
    const parts = Object.values(told(jobs, [home, cloud], [7]));
    assert.deepEqual(
      parts.map(({ pending: _pending, ...counts }) => counts),
      [
        { running: 2, allocated: 2, highestRank: 3, drained: 0 },
        { running: 1, allocated: 2, highestRank: 1, drained: 1 },
      ],
    );
  });

  it("is told to whoever has the key, and to nobody else", () => {
    const jobs = [{ nodes: 2, on: ["cloud"] }];
    return withMetricsServer(
      instanceOf([home, cloud], jobs, []),
      async ({ demandUrl }) => {
        const lines = `
import signal
signal.signal(signal.SIGALRM, agent.too_slow)

def ask(path, key=b"certificate"):
    derived = demand.hmac.new(key, b"demand", "sha256").digest()
    try:
        return agent.Lead("${demandUrl}" + path, lambda: derived).ask(2)["pending"]
    except (OSError, ValueError) as error:
        return str(error)

print(json.dumps([ask("/demand/cloud"), ask("/demand/other"), ask("/demand/cloud", b"another")]))
`;
        const [unknown, refused] = [404, 403].map((status) => `it answers with status ${status}`);
        assert.deepEqual(run(lines, [home, cloud], jobs), [[{ id: "f0", hosts: 2 }], unknown, refused]);
        for (const path of ["/demand/cloud", "/metrics"]) assert.equal((await fetch(demandUrl + path)).status, 403);
      },
      { clusters: { home: 4, cloud: 4 }, hasAgent: true },
    );
  });

  it("calls nothing in Flux's bindings that they do not have", function () {
    this.timeout(180_000);
    const wheel = ["--only-binary=:all:", "--python-version=3.11", "--platform=manylinux_2_17_x86_64"];
    const bindings = installedByPip("flux-python", ...wheel, "flux-python==0.88.0");
    const wrongIn = (program: string, readers = ["jobspec_of", "need_of", "needs_of", "read_demand"]) => {
      fs.writeFileSync(file("judged.py"), program);
      const judge = [names, bindings, file("judged.py"), ...readers];
      return execFileSync("python3", ["-B", ...judge], { encoding: "utf8" }).trim();
    };
    assert.equal(wrongIn(demandProgram), "");
    assert.equal(wrongIn(metricsProgram, ["ranks_by_cluster", "host_families"]), "");
    // It would find a name that is wrong.
    const wrong = demandProgram.replace("max_entries", "most_entries");
    assert.equal(wrongIn(wrong), "JobList takes no most_entries");
  });
});
