import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs, MiniClusterFluxArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files, podPath } from "../../../support/scripts/paths";
import { aPod, podCertificate } from "../../../support/scripts/pod";

/** The environment in which rank 0 starts its broker. */
async function brokerEnvironment(flux: MiniClusterFluxArgs, env: Record<string, string | undefined> = {}) {
  const pod = aPod({ flux });
  const run = await pod.run(files.broker, { env });
  assert.equal(run.status, 0, run.stderr);
  return pod.calls("flux", "start")[0]!.env;
}

describe("environment of the broker", () => {
  const modules = `${podPath.view}/lib/python3.11/site-packages`;
  const own = { PYTHONPATH: "/own/modules" };
  const cases: [name: string, flux: MiniClusterFluxArgs, given: typeof own | object, want: object][] = [
    [
      "has the view after what the image has",
      {},
      own,
      {
        PATH: `/bin:${podPath.view}/bin`,
        PYTHONPATH: `/own/modules:${modules}`,
        FLUX_RC_EXTRA: `${podPath.view}/etc/flux/rc1.d`,
      },
    ],
    ["has the view's Python modules", {}, {}, { PYTHONPATH: modules }],
    ["has no Fluxion with the simple scheduler", { scheduler: { simple: true } }, {}, { FLUX_RC_EXTRA: undefined }],
    ["has the modules at pythonPath", { container: { pythonPath: "/a b/it's" } }, {}, { PYTHONPATH: "/a b/it's" }],
    [
      "is the image's own where the view is disabled",
      { container: { disable: true } },
      {},
      { PATH: "/bin", PYTHONPATH: undefined, FLUX_RC_EXTRA: undefined },
    ],
    ["has a home where the container has none", {}, { HOME: undefined }, { HOME: podPath.home }],
    ["has a home where the container's is the root", {}, { HOME: "/" }, { HOME: podPath.home }],
    ["has the container's home", {}, {}, { HOME: "/home/user" }],
  ];
  for (const [name, flux, given, want] of cases)
    it(name, async () => {
      const env = await brokerEnvironment(flux, given as Record<string, string>);
      for (const [variable, value] of Object.entries(want)) assert.equal(env[variable], value, variable);
    });
});

describe("directory for the output of jobs", () => {
  const logs = "/shared/it's $OUT";
  const launches: [name: string, args: Partial<MiniClusterArgs>, rank: number, directory: string][] = [
    ["a submitted command", {}, 0, "/tmp/fluxout"],
    ["a launcher", { containers: [aContainer({ launcher: true, logs })] }, 0, logs],
    ["a batch job", { containers: [aContainer({ batch: true, logs })] }, 0, logs],
    ["a cluster with no command", { interactive: true }, 0, "/tmp/fluxout"],
    ["a follower", { size: 2, flux: { completeWorkers: true } }, 1, "/tmp/fluxout"],
  ];
  for (const [name, args, rank, directory] of launches)
    it(`is there for ${name}, and its name in the environment`, async () => {
      const pod = aPod(args);
      const run = await pod.run(files.broker, { rank, env: { STUB_SEEN: "FLUX_OUTPUT_DIR" } });
      assert.equal(run.status, 0, run.stderr);
      const [call] = [...pod.calls("flux", "start"), ...pod.calls("flux", "broker")];
      assert.equal(call?.env.FLUX_OUTPUT_DIR, directory);
      assert.ok(fs.statSync(pod.at(directory)).isDirectory());
    });

  it("stops a batch job where it cannot be made, and nothing else", async () => {
    for (const batch of [false, true]) {
      const pod = aPod({ containers: [aContainer({ batch, logs: "/file/out" })] });
      fs.writeFileSync(pod.at("/file"), "");
      assert.equal((await pod.run(files.broker)).status, batch ? 1 : 0);
    }
  });
});

describe("environment of flux.environment", () => {
  const environment = { PLAIN: "a", HARD: `it's "$HOME" \`id\` \\ *\n\ttwo`, EMPTY: "", HOME: "/elsewhere" };
  const seen = { STUB_SEEN: Object.keys(environment).join(" ") };
  const side = { image: "i", name: "side", command: "task side" };
  const given = (env: Record<string, string> = {}) =>
    Object.fromEntries(Object.keys(environment).map((variable) => [variable, env[variable]]));

  for (const disable of [false, true])
    it(`reaches broker, command, user's code, sidecar and people as it was given, ${disable ? "without" : "with"} a view`, async () => {
      const pod = aPod({
        flux: { environment, container: { disable }, noWaitSocket: true },
        containers: [aContainer({ runFlux: true, commands: { pre: "task pre" } }), side],
      });
      const run = await pod.run(files.broker, { env: { ...seen, PLAIN: "from the image" } });
      assert.deepEqual([run.status, run.stderr], [0, ""]);
      assert.equal((await pod.run(files.connect, { env: seen })).status, 0);
      const script = pod.start(files.sidecar("side"), { env: seen });
      await pod.called(1, "sleep", "3600");
      script.terminate();
      assert.equal((await script.ended).stderr, "");
      for (const words of [
        ["flux", "start"],
        ["flux", "submit"],
        ["task", "pre"],
        ["flux", "proxy"],
        ["task", "side"],
      ])
        // prettier-ignore
        assert.deepEqual(given(pod.calls(...words)[0]?.env), environment, words.join(" "));
    });
});

describe("files of the broker", () => {
  it("hold the hosts' resources and a certificate for the owner alone, of any umask, and are made anew in the same pod", async () => {
    const pod = aPod({ containers: [aContainer({ commands: { init: "umask 0" } })] });
    for (let start = 0; start < 2; start++) {
      const run = await pod.run(files.broker);
      assert.equal(run.status, 0, run.stderr);
      assert.deepEqual(fs.readdirSync(pod.at(podPath.run)), []);
      assert.equal(fs.readFileSync(pod.at(podPath.resources), "utf8"), "resources of this host\n");
      assert.equal(fs.readFileSync(pod.at(podPath.certificate), "utf8"), podCertificate);
      assert.equal(fs.statSync(pod.at(podPath.certificate)).mode & 0o177, 0);
      assert.equal(fs.statSync(pod.at(podPath.run)).mode & 0o777, 0o700);
      for (const directory of [podPath.cron, podPath.state, podPath.home])
        assert.ok(fs.statSync(pod.at(directory)).isDirectory(), directory);
      fs.writeFileSync(pod.at(`${podPath.run}/local`), "a socket that nobody listens to");
      fs.mkdirSync(pod.at(`${podPath.run}/jobtmp-0`));
      fs.chmodSync(pod.at(podPath.certificate), 0o600);
      fs.writeFileSync(pod.at(podPath.certificate), "broken off");
    }
  });

  it("include those for people where no init container leaves them", async () => {
    const pod = aPod({ flux: { container: { disable: true } } });
    assert.equal((await pod.run(files.broker)).status, 0);
    const left = fs.readFileSync(pod.at(`/mnt/flux/${files.environment}`), "utf8");
    assert.equal(left, fs.readFileSync(pod.at(`/etc/minicluster/config/${files.environment}`), "utf8"));
    assert.ok(fs.existsSync(pod.at(`/mnt/flux/${files.connect}`)));
  });

  it("never appear in the output, not even when bash traces every command", async () => {
    // Every run of these tests looks for the key in what was printed.
    const pod = aPod({ containers: [aContainer({ commands: { init: "set -x" } })], logging: { debug: true } });
    assert.match((await pod.run(files.broker)).stderr, /cp .*curve\.cert/);
  });

  for (const missing of ["JOB_COMPLETION_INDEX", "MINICLUSTER_SIZE"])
    it(`are not touched without ${missing}, and the log says what is missing`, async () => {
      const pod = aPod();
      const run = await pod.run(files.broker, { env: { [missing]: undefined } });
      assert.notEqual(run.status, 0);
      assert.match(run.stderr, new RegExp(`${missing}: is set`));
      assert.ok(!fs.existsSync(pod.at(podPath.certificate)));
    });
});
