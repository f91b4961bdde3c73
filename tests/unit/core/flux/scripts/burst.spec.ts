import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs } from "../../../../../provider";
import { aBursting, aContainer, aHome, aPlan, aPool, aRoot, operatorFlux } from "../../../../support/fixtures";
import { files } from "../../../../support/scripts/paths";
import { aBurstPod, aPod, type Pod, type ScriptOptions } from "../../../../support/scripts/pod";

const rc = "/mnt/flux/config/etc/flux/rc";
/** What the Flux view says by itself. */
const config = "/mnt/flux/config/etc/flux/system/broker.toml";
const endpoint = "203.0.113.7:30850";

type Args = Partial<MiniClusterArgs>;

/** A pod of the root. */
const aRootPod = ({ flux, ...args }: Args = {}, bursting: Parameters<typeof aBursting>[0] = {}) =>
  aPod({
    name: "home",
    size: 2,
    maxSize: 4,
    bursting: aBursting(bursting),
    flux: { completeWorkers: true, ...flux },
    ...args,
  });

const join = (pod: Pod, { env, ...options }: ScriptOptions = {}) =>
  pod.broker({ ...options, env: { MINICLUSTER_LEAD: endpoint, ...env } });

describe("the queues of an instance over clusters", () => {
  const own = [aContainer({ commands: { pre: "export FLUX_RC_EXTRA=/own:/other" } })];
  const leads: [name: string, args: Args, extra: string][] = [
    ["a lead that waits for people", { interactive: true }, rc],
    ["a lead after the user's own FLUX_RC_EXTRA", { containers: own }, `/own:/other:${rc}`],
    ["a lead whose image brings Flux itself", { flux: { container: { disable: true } } }, rc],
  ];
  for (const [name, args, extra] of leads)
    it(`are started by ${name}, by one file that Flux runs, however often it comes`, async () => {
      const pod = aRootPod(args);
      await pod.broker();
      const { env } = await pod.broker();
      const queues = pod.at(`${rc}/rc1.d/queues`);
      assert.equal(fs.readFileSync(queues, "utf8"), "#!/bin/sh\nexec flux queue start --all --quiet\n");
      assert.equal(fs.statSync(queues).mode & 0o777, 0o755);
      assert.equal(env["FLUX_RC_EXTRA"], extra);
    });

  const without: [name: string, pod: () => Pod, rank?: number][] = [
    ["a follower of the root", () => aRootPod(), 1],
    ["a lead whose jobs span all clusters", () => aRootPod({}, { spanClusters: true })],
    ["a lead without bursting", () => aPod({ size: 2 })],
    ["a broker that joins", () => aBurstPod()],
  ];
  for (const [name, make, rank] of without)
    it(`are not the matter of ${name}`, async () => {
      const pod = make();
      assert.equal((await join(pod, { rank })).env["FLUX_RC_EXTRA"], undefined);
      assert.ok(!fs.existsSync(pod.at(rc)));
    });
});

describe("the command of a cluster that others may join", () => {
  const batch = { containers: [aContainer({ batch: true })] };
  const launcher = { containers: [aContainer({ launcher: true, command: "task flow.py" })] };
  const flags = (optionFlags: string) => ({ flux: { optionFlags } });
  const script = "--output=kvs /etc/minicluster/config/home.batch.sh";
  const hello = "--quiet --watch echo hello world";
  const cases: [name: string, args: Args, want: string, spanClusters?: boolean][] = [
    ["stays on the hosts of the lead broker's cluster", {}, `-N 2 --requires=home ${hello}`],
    ["stays there as a batch job as well", batch, `-N 2 --requires=home ${script}`],
    ["has the user's options behind that", flags("-g 1"), `-N 2 --requires=home -g 1 ${hello}`],
    ["goes where the user wants it, said in two words", flags("--requires cloud"), `-N 2 --requires cloud ${hello}`],
    ["goes there as a batch job", { ...batch, ...flags("-g 1 --requires=a|b") }, `-N 2 -g 1 --requires=a|b ${script}`],
    ["is kept there by its queue alone, where there are queues", {}, `-N 2 ${hello}`, false],
    ["has no option for it where it launches jobs itself", launcher, "task flow.py"],
  ];
  for (const [name, args, want, spanClusters = true] of cases)
    it(name, async () => {
      const { words } = await aRootPod(args, { spanClusters }).broker();
      // From its numbers on.
      assert.equal(words.slice(words.findIndex((word) => /^(-N|task)$/.test(word))).join(" "), want);
    });
});

describe("a broker that joins", () => {
  it("has the options of the root's own followers with every index, but for the configuration's place", async () => {
    const { words } = await aRootPod().broker({ rank: 1 });
    const elsewhere = words.map((word) => word.replace(/^(--config-path=).*/, `$1${config}`));
    assert.ok(words.includes("-Stbon.topo=kary:0"));
    for (const rank of [0, 1]) assert.deepEqual((await join(aBurstPod(), { rank })).words, elsewhere);
  });

  it("has them in the operator's form as well", async () => {
    const clusters = [{ name: "burst", size: 3 }];
    const leadBroker = { address: "203.0.113.7", name: "demo", size: 2 };
    const commands = { pre: "task pre", brokerPre: "task broker", workerPre: "task worker", post: "task post" };
    const side = (bursting: object, args: Args) =>
      aPod({ flux: operatorFlux({ bursting, completeWorkers: true }), size: 2, ...args });
    const { words } = await side({ clusters }, {}).broker({ rank: 1 });
    for (const rank of [0, 1]) {
      const joining = { name: "burst", maxSize: 3, containers: [{ image: "i", commands }] };
      const pod = side({ leadBroker, clusters }, joining);
      assert.deepEqual((await pod.broker({ rank })).words, words);
      assert.deepEqual(pod.wordsOf("task"), ["pre", "worker", "post"]);
    }
  });

  it("tries again with index 0 as well, until SIGTERM", async () => {
    const pod = aBurstPod({}, { restarts: true });
    const env = { STUB_START: "1 0 stay:0", MINICLUSTER_LEAD: endpoint };
    await pod.leave(files.broker, { rank: 0, env }, 3, "flux", "start");
    assert.deepEqual(pod.wordsOf("sleep"), ["1", "2"]);
  });

  // What means something to a pattern, what bash puts matches in for or would run, and the mark that it replaces.
  for (const given of [endpoint, "[2001:db8::7]*.?:30850", "a&b\\&c/d:1", "$HOME`id`$(id)*:1", "@LEAD_BROKER@:1"])
    it(`writes the endpoint ${given} into the configuration at each start, and nothing else`, async () => {
      const commands = { pre: "toml=mine; printf '%s' x >/dev/null" };
      const pod = aBurstPod({ containers: [aContainer({ command: undefined, commands })] });
      const mounted = fs.readFileSync(pod.at(`/etc/minicluster/config/${files.brokerConfig}`), "utf8");
      assert.equal(mounted.split("@LEAD_BROKER@").length, 2);
      for (const lead of ["198.51.100.9:1", given]) {
        await join(pod, { env: { MINICLUSTER_LEAD: lead } });
        assert.equal(fs.readFileSync(pod.at(config), "utf8"), mounted.split("@LEAD_BROKER@").join(lead));
      }
    });

  for (const lead of [undefined, ""])
    it(`does not start with the endpoint ${JSON.stringify(lead)}`, async () => {
      const pod = aBurstPod();
      const ended = await pod.run(files.broker, { env: { MINICLUSTER_LEAD: lead } });
      assert.notEqual(ended.status, 0);
      assert.match(ended.stderr, /MINICLUSTER_LEAD: is set to the endpoint of the lead broker/);
      assert.deepEqual(pod.calls("flux", "start"), []);
    });
});

describe("the description of the hosts of an instance over clusters", () => {
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

  it("is one for each cluster at the ranks of its hosts, with and without queues, and where brokers join", async () => {
    const joining = aBurstPod({ root: aRoot({ plan: aPlan(aHome({}, { clusters })) }) });
    for (const pod of [aRootPod({}, { clusters }), aRootPod({}, { clusters, spanClusters: true }), joining]) {
      await join(pod);
      // Those of a pipe run at once.
      assert.deepEqual(pod.wordsOf("flux", "R").sort(), want);
      assert.equal(fs.readFileSync(pod.at("/mnt/flux/config/etc/flux/system/R"), "utf8"), "5 together\n");
    }
  });

  it("starts no broker where one of them fails, and is not needed where all of them are known", async () => {
    const pod = aRootPod({}, { clusters });
    assert.notEqual((await pod.run(files.broker, { env: { STUB_R: "1" } })).status, 0);
    assert.deepEqual(pod.calls("flux", "start"), []);
    const known = aRootPod({ pool: aPool() }, { clusters });
    await known.broker();
    assert.deepEqual(known.wordsOf("flux", "R"), []);
  });
});
