import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { BurstClusterArgs, MiniClusterArgs } from "../../../../provider";
import { aBursting, aContainer, aHome, aPlan, aPool, aRoot } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aBurstPod, aPod, type Pod, type ScriptOptions } from "../../../support/scripts/pod";
import { parseToml } from "../../../support/scripts/toml";

const rc = "/mnt/flux/config/etc/flux/rc";
/** What the Flux view says by itself. */
const ofTheView = "/mnt/flux/view/etc/flux/rc1.d";
const queues = `${rc}/rc1.d/queues`;
const config = "/mnt/flux/config/etc/flux/system/broker.toml";
const endpoint = "203.0.113.7:30850";

/** What is said of the root. */
const root = (args: Partial<MiniClusterArgs> = {}, bursting: Parameters<typeof aBursting>[0] = {}) => ({
  ...{ name: "home", size: 2, maxSize: 4, bursting: aBursting(bursting) },
  ...args,
});

const joining = (args?: Partial<BurstClusterArgs>) => aBurstPod(args);

async function run(pod: Pod, options: ScriptOptions = {}): Promise<string[]> {
  const ended = await pod.run(files.broker, options);
  assert.equal(ended.status, 0, ended.stderr);
  return (pod.calls("flux", "start")[0] ?? assert.fail("no broker was started")).words;
}

const join = (pod: Pod, options: ScriptOptions = {}) =>
  run(pod, { ...options, env: { MINICLUSTER_LEAD: endpoint, ...options.env } });

const extraOf = (pod: Pod) => pod.calls("flux", "start")[0]?.env["FLUX_RC_EXTRA"];

describe("the queues of an instance over clusters", () => {
  it("are started with the lead broker, by a file that Flux runs", async () => {
    const pod = aPod(root());
    await run(pod);
    assert.equal(fs.readFileSync(pod.at(queues), "utf8"), "#!/bin/sh\nexec flux queue start --all --quiet\n");
    assert.equal(fs.statSync(pod.at(queues)).mode & 0o777, 0o755);
    assert.equal(extraOf(pod), `${ofTheView}:${rc}`);
  });

  it("are started once again by a lead that comes again, in the same file", async () => {
    const pod = aPod(root());
    await run(pod);
    await run(pod);
    assert.equal(fs.readFileSync(pod.at(queues), "utf8").match(/flux queue/g)?.length, 1);
    assert.deepEqual(fs.readdirSync(pod.at(`${rc}/rc1.d`)), ["queues"]);
  });

  it("leave what the user has said of FLUX_RC_EXTRA, and stand behind it", async () => {
    const pod = aPod(root({ containers: [aContainer({ commands: { pre: "export FLUX_RC_EXTRA=/own:/other" } })] }));
    await run(pod);
    assert.equal(extraOf(pod), `/own:/other:${rc}`);
  });

  it("are started by a lead that waits for people, too", async () => {
    const pod = aPod(root({ interactive: true }));
    const ended = await pod.run(files.broker);
    assert.equal(ended.status, 0, ended.stderr);
    assert.equal(pod.calls("flux", "broker")[0]?.env["FLUX_RC_EXTRA"], `${ofTheView}:${rc}`);
    assert.ok(fs.existsSync(pod.at(queues)));
  });

  it("are all that is said where the image brings Flux itself", async () => {
    const pod = aPod({ ...root(), flux: { container: { disable: true } } });
    await run(pod);
    assert.equal(extraOf(pod), rc);
  });

  const without: [name: string, pod: () => Pod, start: (pod: Pod) => Promise<string[]>][] = [
    [
      "a follower of the root",
      () => aPod({ ...root(), flux: { completeWorkers: true } }),
      (pod) => run(pod, { rank: 1 }),
    ],
    ["a lead whose jobs span all clusters", () => aPod(root({}, { spanClusters: true })), run],
    ["a lead that nobody may join", () => aPod({ size: 2 }), run],
    ["a broker that joins", () => joining(), join],
  ];
  for (const [name, make, start] of without)
    it(`are not the matter of ${name}`, async () => {
      const pod = make();
      await start(pod);
      assert.ok(!fs.existsSync(pod.at(rc)));
      assert.equal(extraOf(pod), ofTheView);
    });
});

describe("the lead broker of an instance over clusters", () => {
  it("has a number for its quorum, that of its own cluster as it is now, and a flat tree", async () => {
    const words = await run(aPod(root()), { size: 3 });
    assert.ok(words.includes("-Sbroker.quorum=3"));
    assert.ok(words.includes("-Stbon.topo=kary:0"));
  });

  it("has minSize for its quorum, where it is said", async () =>
    assert.ok((await run(aPod(root({ minSize: 1 })))).includes("-Sbroker.quorum=1")));

  it("asks for the nodes of its own cluster", async () => {
    const words = await run(aPod(root({ tasks: 0 })));
    assert.deepEqual(words.slice(words.indexOf("-N"), words.indexOf("-N") + 2), ["-N", "2"]);
  });

  it("reads the configuration where it is mounted", async () =>
    assert.ok((await run(aPod(root()))).includes(`--config-path=/etc/minicluster/config/${files.brokerConfig}`)));
});

describe("a broker that joins", () => {
  for (const rank of [0, 1])
    it(`follows with index ${rank}, says no quorum, and reads its own configuration`, async () => {
      const words = await join(joining(), { rank });
      assert.ok(words.includes(`--config-path=${config}`));
      assert.ok(words.includes("-Stbon.topo=kary:0"));
      assert.ok(!words.some((word) => word.startsWith("-Sbroker.quorum")));
    });

  it("has the options of the root's own followers, but for the configuration's place", async () => {
    const own = await run(aPod({ ...root(), flux: { completeWorkers: true } }), { rank: 1 });
    const elsewhere = (words: string[]) => words.filter((word) => !word.startsWith("--config-path="));
    assert.deepEqual(elsewhere(await join(joining())), elsewhere(own));
  });

  const endpoints: Record<string, string> = {
    "of IPv4": endpoint,
    "with signs that mean something to a pattern": "[2001:db8::7]*.?:30850",
    "by name": "lead.example.com:1",
    "with signs that bash puts matches in for": "a&b\\&c/d:1",
    "with signs that bash would run": "$HOME`id`$(id)*:1",
    "with the mark that it replaces": "@LEAD_BROKER@:1",
  };
  for (const [name, given] of Object.entries(endpoints))
    it(`writes an endpoint ${name} where the configuration wants it, and nothing else`, async () => {
      const pod = joining();
      await join(pod, { env: { MINICLUSTER_LEAD: given } });
      const mounted = fs.readFileSync(pod.at(`/etc/minicluster/config/${files.brokerConfig}`), "utf8");
      assert.equal(mounted.split("@LEAD_BROKER@").length, 2);
      assert.equal(fs.readFileSync(pod.at(config), "utf8"), mounted.split("@LEAD_BROKER@").join(given));
    });

  it("has a configuration that leads rank 0, and it alone, to the endpoint", async () => {
    const pod = joining();
    await join(pod);
    const { bootstrap } = (await parseToml(fs.readFileSync(pod.at(config), "utf8"))) as {
      bootstrap: { hosts: object[] };
    };
    assert.deepEqual(bootstrap.hosts, [
      { host: "home-0", connect: `tcp://${endpoint}` },
      { host: "home-[1-3],cloud-[0-7]" },
    ]);
  });

  it("writes the configuration anew when it comes again and the endpoint is another", async () => {
    const pod = joining();
    await join(pod);
    await join(pod, { env: { MINICLUSTER_LEAD: "198.51.100.9:1" } });
    assert.match(fs.readFileSync(pod.at(config), "utf8"), /connect = "tcp:\/\/198\.51\.100\.9:1"/);
  });

  for (const [name, value] of [
    ["without an", undefined],
    ["with an empty", ""],
  ] as const)
    it(`does not start ${name} endpoint`, async () => {
      const pod = joining();
      const ended = await pod.run(files.broker, { env: { MINICLUSTER_LEAD: value } });
      assert.notEqual(ended.status, 0);
      assert.match(ended.stderr, /MINICLUSTER_LEAD: is set to the endpoint of the lead broker/);
      assert.deepEqual(pod.calls("flux", "start"), []);
    });

  it("keeps its endpoint from code of the user's that comes before", async () => {
    const pre = "toml=mine; printf '%s' x >/dev/null";
    const pod = joining({ containers: [aContainer({ command: undefined, commands: { pre } })] });
    await join(pod);
    assert.ok(fs.readFileSync(pod.at(config), "utf8").includes(endpoint));
  });

  it("tries again with any index, until it is told to end", async () => {
    const pod = aBurstPod({}, { restarts: true });
    const script = pod.start(files.broker, { env: { STUB_START: "1 0 stay:0", MINICLUSTER_LEAD: endpoint } });
    await pod.called(3, "flux", "start");
    script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.deepEqual(
      pod.calls("sleep").map(({ words }) => words[1]),
      ["1", "2"],
    );
  });

  it("runs the code for followers with index 0, and none for the lead", async () => {
    const commands = { pre: "task pre", brokerPre: "task broker", workerPre: "task worker", post: "task post" };
    const pod = joining({ containers: [aContainer({ command: undefined, commands })] });
    await join(pod);
    assert.deepEqual(
      pod.calls("task").map(({ words }) => words[1]),
      ["pre", "worker", "post"],
    );
  });
});

describe("the description of the hosts of an instance over clusters", () => {
  /** The calls of flux R, in the order of their ranks. Those of a pipe run at once. */
  const described = (pod: Pod) =>
    pod
      .calls("flux", "R")
      .map(({ words }) => words.slice(2).join(" "))
      .sort();
  const clusters = [
    { name: "cloud", maxSize: 8 },
    { name: "one", maxSize: 1, properties: ["dear", "a;b"] },
    { name: "gpus", maxSize: 2, cores: 8, gpus: 2 },
    { name: "bare", maxSize: 1, cores: 1 },
  ];
  const want = [
    "append",
    "encode --ranks=0-3 --hosts=home-[0-3] --local --property=home",
    "encode --ranks=12 --hosts=one-0 --local --property=one --property=dear --property=a;b",
    "encode --ranks=13-14 --hosts=gpus-[0-1] --cores=0-7 --gpus=0-1 --property=gpus",
    "encode --ranks=15 --hosts=bare-0 --cores=0 --property=bare",
    "encode --ranks=4-11 --hosts=cloud-[0-7] --local --property=cloud",
  ];

  for (const spanClusters of [false, true])
    it(`is one for each cluster at the ranks of its hosts${spanClusters ? ", without queues as well" : ""}`, async () => {
      const pod = aPod(root({}, { clusters, spanClusters }));
      await run(pod);
      assert.deepEqual(described(pod), want);
      const written = fs.readFileSync(pod.at("/mnt/flux/config/etc/flux/system/R"), "utf8");
      assert.equal(written, "5 together\n");
    });

  it("is the same where brokers join", async () => {
    const pod = joining({ root: aRoot({ plan: aPlan(aHome({}, { clusters })) }) });
    await join(pod);
    assert.deepEqual(described(pod), want);
  });

  it("starts no broker where one of them fails", async () => {
    const pod = aPod(root({}, { clusters }));
    assert.notEqual((await pod.run(files.broker, { env: { STUB_R: "1" } })).status, 0);
    assert.deepEqual(pod.calls("flux", "start"), []);
  });

  it("is not needed where all of them are known", async () => {
    const pod = aPod(root({ pool: aPool() }, { clusters }));
    await run(pod);
    assert.deepEqual(described(pod), []);
  });
});
