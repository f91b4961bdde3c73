import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import type { MiniClusterArgs, MiniClusterFluxArgs } from "../../../../../provider";
import { aContainer, aPool } from "../../../../support/fixtures";
import { files, podPath } from "../../../../support/scripts/paths";
import { aPod, type Pod, podCertificate } from "../../../../support/scripts/pod";

const mounted = "/etc/minicluster/config";

describe("environment of the broker", () => {
  const modules = `${podPath.view}/lib/python3.11/site-packages`;
  const PATH = `/bin:${podPath.view}/bin`;
  const none = { PATH: "/bin", PYTHONPATH: undefined };
  const cases: [name: string, flux: MiniClusterFluxArgs, given: object, want: object][] = [
    ["has the view's Python modules", {}, {}, { PYTHONPATH: modules, HOME: "/home/user" }],
    ["has the view after what the image has", {}, { PYTHONPATH: "/own" }, { PATH, PYTHONPATH: `/own:${modules}` }],
    ["has the modules at pythonPath", { container: { pythonPath: "/a b/it's" } }, {}, { PYTHONPATH: "/a b/it's" }],
    ["is the image's own where the view is disabled", { container: { disable: true } }, {}, none],
    ["has a home where the container has none", {}, { HOME: undefined }, { HOME: podPath.home }],
    ["has a home where the container's is the root", {}, { HOME: "/" }, { HOME: podPath.home }],
  ];
  for (const [name, flux, given, want] of cases)
    it(name, async () => {
      const { env } = await aPod({ flux }).broker({ env: given as Record<string, string> });
      assert.deepEqual(Object.fromEntries(Object.keys(want).map((key) => [key, env[key]])), want);
    });
});

describe("Fluxion", () => {
  const seen = { STUB_SEEN: "FLUX_MODULE_PATH FLUX_MODPROBE_PATH_APPEND" };
  /** Directory of modules in a prefix, and the prefixes that a broker gets beside its own. */
  const modulesOf = (prefix: string) => `${prefix}/lib/flux/modules`;
  const withFluxion = (flux: MiniClusterFluxArgs, ...prefixes: string[]) => {
    const pod = aPod({ flux });
    for (const prefix of prefixes) {
      fs.mkdirSync(pod.at(modulesOf(prefix)), { recursive: true });
      fs.writeFileSync(pod.at(`${modulesOf(prefix)}/sched-fluxion-qmanager.so`), "");
    }
    return pod;
  };
  const added = async (pod: Pod, rank = 0) => {
    const { env } = await pod.broker({ rank, env: seen });
    return [env.FLUX_MODULE_PATH, env.FLUX_MODPROBE_PATH_APPEND, env.FLUX_RC_EXTRA];
  };
  const nothing = [undefined, undefined, undefined];
  const pathsOf = (prefix: string) => [modulesOf(prefix), `${prefix}/etc/flux/modprobe`, `${prefix}/etc/flux`];

  for (const prefix of ["flux-sched-0.40", "gcc-12/flux-sched-0.40", "linux-rocky9-x86_64/gcc-11.4.1/flux-sched-0.40"])
    it(`is found in a separate prefix, as Spack installs it: ${prefix}`, async () =>
      assert.deepEqual(await added(withFluxion({}, `/opt/software/${prefix}`)), pathsOf(`/opt/software/${prefix}`)));

  it("is found in the view where Flux has another prefix", async () => {
    const pod = withFluxion({}, podPath.view, "/opt/software/flux-sched-0.40");
    const flux = `${podPath.view}/bin/flux`;
    fs.mkdirSync(pod.at("/opt/software/flux-core-0.7/bin"), { recursive: true });
    fs.renameSync(pod.at(flux), pod.at("/opt/software/flux-core-0.7/bin/flux"));
    fs.symlinkSync(pod.at("/opt/software/flux-core-0.7/bin/flux"), pod.at(flux));
    assert.deepEqual(await added(pod), pathsOf(podPath.view));
  });

  it("is left to Flux inside of its prefix, and without an interpreter", async () => {
    assert.deepEqual(await added(withFluxion({}, podPath.view, "/opt/software/flux-sched-0.40")), nothing);
    assert.deepEqual(await added(withFluxion({})), nothing);
  });

  it("is not added for the simple scheduler, nor to the image's own Flux", async () => {
    const software = "/opt/software/flux-sched-0.40";
    assert.deepEqual(await added(withFluxion({ scheduler: { simple: true } }, software)), nothing);
    const pod = withFluxion({}, software);
    fs.copyFileSync(pod.at(`${podPath.view}/bin/flux`), pod.at("/bin/flux"));
    assert.deepEqual(await added(pod), nothing);
  });
});

describe("directory for the output of jobs", () => {
  const logs = "/shared/it's $OUT";
  const launches: [name: string, args: Partial<MiniClusterArgs>, rank: number, directory: string][] = [
    ["a launcher", { containers: [aContainer({ launcher: true, logs })] }, 0, logs],
    ["a batch job", { containers: [aContainer({ batch: true, logs })] }, 0, logs],
    ["a cluster with no command", { interactive: true }, 0, "/tmp/fluxout"],
    ["a follower", { size: 2, flux: { completeWorkers: true } }, 1, "/tmp/fluxout"],
  ];
  for (const [name, args, rank, directory] of launches)
    it(`is there for ${name}, and its name in the environment`, async () => {
      const pod = aPod(args);
      const { env } = await pod.broker({ rank, env: { STUB_SEEN: "FLUX_OUTPUT_DIR" } });
      assert.equal(env.FLUX_OUTPUT_DIR, directory);
      assert.ok(fs.statSync(pod.at(directory)).isDirectory());
    });

  it("fails only a batch job if the directory cannot be created", async () => {
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

  for (const disable of [false, true])
    it(`reaches broker, command, user's code, sidecar and people, ${disable ? "without" : "with"} a view`, async () => {
      const pod = aPod({
        flux: { environment, container: { disable }, noWaitSocket: true },
        containers: [aContainer({ runFlux: true, commands: { pre: "task pre" } }), side],
      });
      await pod.broker({ env: { ...seen, PLAIN: "from the image" } });
      assert.equal((await pod.run(files.connect, { env: seen })).status, 0);
      await pod.leave(files.sidecar("side"), { env: seen }, 1, "sleep", "3600");
      for (const words of ["flux start", "flux submit", "task pre", "flux proxy", "task side"]) {
        const env = pod.calls(...words.split(" "))[0]?.env ?? {};
        assert.deepEqual({ ...env, ...environment }, env, words);
      }
    });
});

describe("files of the broker", () => {
  it("hold the hosts' resources and a certificate for the owner alone, with any umask, at each start", async () => {
    const pod = aPod({ containers: [aContainer({ commands: { init: "umask 0" } })] });
    for (let start = 0; start < 2; start++) {
      await pod.broker();
      assert.deepEqual(fs.readdirSync(pod.at(podPath.run)), []);
      assert.equal(fs.readFileSync(pod.at(podPath.resources), "utf8"), "resources of this host\n");
      assert.equal(fs.readFileSync(pod.at(podPath.certificate), "utf8"), podCertificate);
      assert.equal(fs.statSync(pod.at(podPath.certificate)).mode & 0o177, 0);
      assert.equal(fs.statSync(pod.at(podPath.run)).mode & 0o777, 0o700);
      for (const directory of [podPath.cron, podPath.state, podPath.home])
        assert.ok(fs.statSync(pod.at(directory)).isDirectory(), directory);
      fs.writeFileSync(pod.at(`${podPath.run}/local`), "a socket without a listener");
      fs.mkdirSync(pod.at(`${podPath.run}/jobtmp-0`));
      fs.chmodSync(pod.at(podPath.certificate), 0o600);
      fs.writeFileSync(pod.at(podPath.certificate), "broken off");
    }
  });

  for (const file of ["/mnt/flux/config/curve/curve.cert", undefined])
    it(`hold no certificate on the volume that all containers share, with ${file ?? "no path"}`, async () => {
      const flux = file === undefined ? {} : { brokerConfig: `[bootstrap]\ncurve_cert = "${file}"\n` };
      const pod = aPod({ flux });
      await pod.broker();
      const shared = fs.readdirSync(pod.at("/mnt/flux"), { recursive: true, withFileTypes: true });
      for (const entry of shared.filter((found) => found.isFile()))
        assert.ok(!fs.readFileSync(path.join(entry.parentPath, entry.name), "utf8").includes(podCertificate));
      if (file !== undefined) assert.equal(fs.readlinkSync(pod.at(file)), pod.at(podPath.certificate));
    });

  it("writes the files for users if no init container writes them", async () => {
    const pod = aPod({ flux: { container: { disable: true } } });
    await pod.broker();
    for (const file of [files.environment, files.connect])
      assert.deepEqual(fs.readFileSync(pod.at(`/mnt/flux/${file}`)), fs.readFileSync(pod.at(`${mounted}/${file}`)));
  });

  it("never appear in the output, not even when bash traces every command", async () => {
    // Every run of these tests looks for the key in what was printed.
    const pod = aPod({ containers: [aContainer({ commands: { init: "set -x" } })], logging: { debug: true } });
    assert.match((await pod.run(files.broker)).stderr, /cp .*curve\.cert/);
  });

  for (const missing of ["JOB_COMPLETION_INDEX", "MINICLUSTER_SIZE"])
    it(`are not touched without ${missing}, which the log names`, async () => {
      const pod = aPod();
      const run = await pod.run(files.broker, { env: { [missing]: undefined } });
      assert.notEqual(run.status, 0);
      assert.match(run.stderr, new RegExp(`${missing}: is set`));
      assert.ok(!fs.existsSync(pod.at(podPath.certificate)));
    });
});

describe("broker with a configuration of the user's", () => {
  const certificate = "/own/the run's $KEYS/curve/own.cert";
  const resources = "/own/R dir/R.json";
  const toml =
    `# with its comment \\ and 'quotes'\n[bootstrap]\ncurve_cert = "${certificate}"\n` +
    `[resource]\npath = "${resources}"`;

  for (const rank of [0, 1])
    it(`reads the given text, and finds certificate and resources at its paths, on rank ${rank}`, async () => {
      const pod = aPod({ size: 2, pool: aPool(), flux: { brokerConfig: toml, completeWorkers: true } });
      const text = fs.readFileSync(pod.at(`${mounted}/${files.brokerConfig}`), "utf8");
      assert.equal(text.replaceAll(pod.at("/"), ""), `${toml}\n`);
      for (let start = 0; start < 2; start++) {
        await pod.broker({ rank });
        assert.equal(fs.readFileSync(pod.at(certificate), "utf8"), podCertificate);
        assert.equal(fs.statSync(pod.at(certificate)).mode & 0o177, 0);
        assert.equal(fs.readFileSync(pod.at(resources), "utf8"), "resources of this host\n");
      }
      assert.ok(!fs.existsSync(pod.at(podPath.resources)));
      for (const directory of [podPath.cron, podPath.state]) assert.ok(fs.existsSync(pod.at(directory)), directory);
    });

  it("finds them at the default paths otherwise, and has no fan-out, which would override its topology", async () => {
    const pod = aPod({ flux: { brokerConfig: '[tbon]\ntopo = "binomial"\n' } });
    const { words } = await pod.broker();
    for (const usual of [podPath.certificate, podPath.resources]) assert.ok(fs.existsSync(pod.at(usual)), usual);
    assert.ok(words.includes(`--config-path=${mounted}/broker.toml`));
    assert.ok(!words.some((word) => word.startsWith("-Stbon.")));
  });
});
