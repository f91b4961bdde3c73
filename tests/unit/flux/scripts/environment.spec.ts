import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs, MiniClusterFluxArgs, MiniClusterFluxContainerArgs } from "../../../../provider";
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
  const fluxion = `${podPath.view}/etc/flux/rc1.d`;

  it("has the view after what the image has", async () => {
    const env = await brokerEnvironment({}, { PYTHONPATH: "/own/modules" });
    assert.equal(env.PATH, `/bin:${podPath.view}/bin`);
    assert.equal(env.PYTHONPATH, `/own/modules:${modules}`);
    assert.equal(env.FLUX_RC_EXTRA, fluxion);
  });

  const cases: [string, MiniClusterFluxArgs, Record<string, string | undefined>][] = [
    ["has Fluxion and the view's Python modules", {}, { PYTHONPATH: modules, FLUX_RC_EXTRA: fluxion }],
    ["has no Fluxion with the simple scheduler", { scheduler: { simple: true } }, { FLUX_RC_EXTRA: undefined }],
    ["has the modules at pythonPath", { container: { pythonPath: "/a b/it's" } }, { PYTHONPATH: "/a b/it's" }],
    [
      "is the image's own where the view is disabled",
      { container: { disable: true } },
      { PATH: "/bin", PYTHONPATH: undefined, FLUX_RC_EXTRA: undefined },
    ],
  ];
  for (const [name, flux, expected] of cases)
    it(name, async () => {
      const env = await brokerEnvironment(flux);
      for (const [variable, value] of Object.entries(expected)) assert.equal(env[variable], value, variable);
    });

  const homes: [given: string | undefined, expected: string][] = [
    ["/home/user", "/home/user"],
    ["/", podPath.home],
    ["", podPath.home],
    [undefined, podPath.home],
  ];
  for (const [given, expected] of homes)
    it(`has the home ${expected} where the container's is ${JSON.stringify(given)}`, async () => {
      assert.equal((await brokerEnvironment({}, { HOME: given })).HOME, expected);
    });
});

describe("environment of a container", () => {
  it("goes through the scripts to the jobs, variables that no shell can name included", async () => {
    const container = aContainer({ batch: true, batchRaw: true, command: "/usr/bin/env" });
    const run = await aPod({ containers: [container] }).run(files.broker, {
      env: { STUB_ATTACH: "run", "a-b.c": "1", " 2 ": "it's two" },
    });
    assert.match(run.stdout, /^a-b\.c=1$/m);
    assert.match(run.stdout, /^ 2 =it's two$/m);
  });
});

describe("directory for the output of jobs", () => {
  const launches: [name: string, args: Partial<MiniClusterArgs>, rank: number][] = [
    ["a submitted command", {}, 0],
    ["a launcher", { containers: [aContainer({ launcher: true })] }, 0],
    ["a cluster with no command", { interactive: true }, 0],
    ["a follower", { size: 2, flux: { completeWorkers: true } }, 1],
  ];
  for (const [name, args, rank] of launches)
    it(`is there for ${name}, and its name in the environment`, async () => {
      const pod = aPod(args);
      const run = await pod.run(files.broker, { rank, env: { STUB_SEEN: "FLUX_OUTPUT_DIR" } });
      assert.equal(run.status, 0, run.stderr);
      const [call] = [...pod.calls("flux", "start"), ...pod.calls("flux", "broker")];
      assert.equal(call?.env.FLUX_OUTPUT_DIR, "/tmp/fluxout");
      assert.ok(fs.statSync(pod.at("/tmp/fluxout")).isDirectory());
    });

  it("is where logs says", async () => {
    const pod = aPod({ containers: [aContainer({ logs: "/shared/it's out" })] });
    await pod.run(files.broker, { env: { STUB_SEEN: "FLUX_OUTPUT_DIR" } });
    assert.equal(pod.calls("flux", "start")[0]?.env.FLUX_OUTPUT_DIR, "/shared/it's out");
    assert.ok(fs.statSync(pod.at("/shared/it's out")).isDirectory());
  });

  for (const [batch, status] of [
    [false, 0],
    [true, 1],
  ] as const)
    // prettier-ignore
    it(`${batch ? "stops a batch job" : "stops nothing but a batch job"} where it cannot be made`, async () => {
      const pod = aPod({ containers: [aContainer({ batch, logs: "/file/out" })] });
      fs.writeFileSync(pod.at("/file"), "");
      assert.equal((await pod.run(files.broker)).status, status);
    });
});

describe("environment of flux.environment", () => {
  const environment = { PLAIN: "a", HARD: `it's "$HOME" \`id\` \\ *\n\ttwo`, EMPTY: "", HOME: "/elsewhere" };
  const seen = { STUB_SEEN: Object.keys(environment).join(" ") };
  const side = { image: "i", name: "side", command: "task side" };
  const views: [name: string, container: MiniClusterFluxContainerArgs][] = [
    ["a view", {}],
    ["no view", { disable: true }],
  ];
  for (const [name, container] of views) {
    const aClusterPod = () =>
      aPod({
        flux: { environment, container, noWaitSocket: true },
        containers: [aContainer({ runFlux: true, commands: { pre: "task pre" } }), side],
      });
    const given = (env: Record<string, string>) =>
      Object.fromEntries(Object.keys(environment).map((variable) => [variable, env[variable]]));

    it(`reaches the broker and the user's code, as it was given, with ${name}`, async () => {
      const pod = aClusterPod();
      const run = await pod.run(files.broker, { env: { ...seen, PLAIN: "from the image" } });
      assert.deepEqual([run.status, run.stderr], [0, ""]);
      for (const call of [pod.calls("flux", "start"), pod.calls("flux", "submit"), pod.calls("task", "pre")])
        assert.deepEqual(given(call[0]!.env), environment);
    });

    it(`reaches a sidecar with ${name}`, async () => {
      const pod = aClusterPod();
      const script = pod.start(files.sidecar("side"), { env: seen });
      await pod.called(1, "sleep", "3600");
      script.terminate();
      assert.equal((await script.ended).stderr, "");
      assert.deepEqual(given(pod.calls("task", "side")[0]!.env), environment);
    });

    it(`reaches whoever sources flux-view.sh or connects with ${name}`, async () => {
      const pod = aClusterPod();
      assert.equal((await pod.run(files.connect, { env: seen })).status, 0);
      assert.deepEqual(given(pod.calls("flux", "proxy")[0]!.env), environment);
    });
  }

  it("takes the place of what the view sets", async () => {
    const env = await brokerEnvironment({ environment: { FLUX_RC_EXTRA: "/own/rc" } });
    assert.equal(env.FLUX_RC_EXTRA, "/own/rc");
  });
});

describe("files of the broker", () => {
  it("hold the hosts' resources and a certificate for the owner alone, of any user and umask", async () => {
    const pod = aPod({ containers: [aContainer({ commands: { init: "umask 0" } })] });
    const run = await pod.run(files.broker);
    assert.equal(run.status, 0, run.stderr);
    assert.equal(fs.readFileSync(pod.at(podPath.resources), "utf8"), "resources of this host\n");
    assert.equal(fs.readFileSync(pod.at(podPath.certificate), "utf8"), podCertificate);
    assert.equal(fs.statSync(pod.at(podPath.certificate)).mode & 0o177, 0);
    assert.equal(fs.statSync(pod.at(podPath.run)).mode & 0o777, 0o700);
    for (const directory of [podPath.cron, podPath.state, podPath.home])
      assert.ok(fs.statSync(pod.at(directory)).isDirectory(), directory);
  });

  it("are made anew when the container starts again in its pod", async () => {
    const pod = aPod();
    assert.equal((await pod.run(files.broker)).status, 0);
    fs.writeFileSync(pod.at(`${podPath.run}/local`), "a socket that nobody listens to");
    fs.mkdirSync(pod.at(`${podPath.run}/jobtmp-0`));
    fs.chmodSync(pod.at(podPath.certificate), 0o600);
    fs.writeFileSync(pod.at(podPath.certificate), "broken off");
    const again = await pod.run(files.broker);
    assert.equal(again.status, 0, again.stderr);
    assert.deepEqual(fs.readdirSync(pod.at(podPath.run)), []);
    assert.equal(fs.readFileSync(pod.at(podPath.certificate), "utf8"), podCertificate);
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
