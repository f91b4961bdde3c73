import assert from "node:assert/strict";

import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { realContainer } from "../clusters";
import { patience } from "../lab";
import { isBroker } from "../look";
import { rowWithCluster } from "../rows";

// Features that the stand-in of flux does not simulate: it does not support lost hosts.
describe("a real Flux", () => {
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  const test = rowWithCluster({ size: 4, interactive: true });

  test("lists each host by its name, and runs jobs on all of them and on each", async (instance) => {
    await instance.ready(4);
    await instance.hosts(4);
    assert.equal((await instance.flux("flux resource list -s up -n -o {nodelist}")).trim(), "demo-[0-3]");
    await instance.work(4);
    for (const host of ["demo-0", "demo-3"])
      assert.equal((await instance.flux(`flux run --requires=host:${host} hostname`)).trim(), host);
  });

  test("ends the jobs of a lost host alone; a job for all hosts waits until it is back", async (instance) => {
    await instance.hosts(4);
    const submit = async (host: string) =>
      (
        await instance.flux(`flux submit --requires=host:${host} bash -c 'until [[ -e /tmp/go ]]; do sleep 0.2; done'`)
      ).trim();
    const [staying, lost] = [await submit("demo-1"), await submit("demo-2")];
    for (const id of [staying, lost]) await instance.flux(`flux job wait-event -t 60 ${id} start`);
    // Without time for its jobs to end.
    const before = await instance.deletePod(2, 1);
    await instance.flux(`flux job wait-event -t 60 ${lost} exception`);
    const all = (await instance.flux("flux submit -N 4 hostname")).trim();
    await instance.successor(before);
    await instance.hosts(4);
    await instance.bash(1, "touch /tmp/go");
    await instance.flux(`flux job status ${staying} ${all}`);
    await instance.work(4);
  });

  const requeueing = rowWithCluster({ size: 3, interactive: true, requeue: {} });

  requeueing("submits a job again whose broker was killed, once, under a new id", async (instance) => {
    await instance.ready(3);
    await instance.hosts(3);
    const lines = "until [[ -e /tmp/go ]]; do sleep 0.2; done; hostname";
    const submit = `flux submit --setattr=requeue --requires=host:demo-1 bash -c '${lines}'`;
    const first = (await instance.flux(submit)).trim();
    await instance.flux(`flux job wait-event -t 60 ${first} start`);
    const broker = (await instance.processes(1)).find(isBroker);
    assert.ok(broker, "rank 1 has no broker");
    process.kill(broker.pid, "SIGKILL");

    const others = async () =>
      (await instance.flux("flux jobs -a -n -o {id}"))
        .trim()
        .split("\n")
        .filter((id) => id !== first);
    const [next] = await waitFor("the next job", async () => (await others()).length > 0 && others(), patience, 500);
    await instance.hosts(3);
    await instance.bash(1, "touch /tmp/go");
    assert.equal((await instance.flux(`flux job attach ${next}`)).trim(), "demo-1");
    assert.deepEqual(await others(), [next]);
    assert.equal((await instance.flux(`flux jobs -n -o {status_abbrev} ${first}`)).trim(), "F");
    const said = `job ${first} is requeued as ${next}, restart 1 of 3: a host was lost`;
    assert.ok((await instance.logs()).includes(said), said);
  });

  const schedulers: [name: string, scheduler: { simple?: boolean }, module: string][] = [
    ["Fluxion", {}, "sched-fluxion-qmanager"],
    ["the simple scheduler, where Fluxion is installed too", { simple: true }, "sched-simple"],
  ];
  for (const [name, scheduler, module] of schedulers)
    rowWithCluster({ size: 1, interactive: true, flux: { scheduler } })(`runs ${name}`, async (instance) => {
      await instance.ready(1);
      const loaded = await instance.flux("flux module list");
      assert.deepEqual(loaded.match(/sched-(?:simple|fluxion-qmanager)/g), [module]);
    });

  const pre = [
    'echo "Regenerated resources"',
    "flux R encode --hosts=${hosts} --cores=0 > ${viewroot}/etc/flux/system/R",
    "cat ${viewroot}/etc/flux/system/R",
  ].join("\n");
  const described = rowWithCluster({
    size: 2,
    maxSize: 4,
    interactive: true,
    retryCommand: false,
    logging: { strict: false },
    containers: [realContainer({ commands: { pre } })],
  });

  described("has the resources that a manifest's pre encodes, as under the operator", async (instance) => {
    await instance.ready(2);
    await instance.hosts(2);
    const list = (states: string) =>
      instance.flux(`flux resource list -s ${states} -n -o '{nnodes} {ncores} {nodelist}'`);
    assert.equal((await list("all")).trim(), "4 4 demo-[0-3]");
    assert.equal((await list("up")).trim(), "2 2 demo-[0-1]");
    await instance.work(2);
  });
});
