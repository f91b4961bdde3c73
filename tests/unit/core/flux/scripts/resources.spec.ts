import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { renderBrokerConfig } from "../../../../../provider/core/flux/brokerConfig";
import { parseMiniClusterArgs } from "../../../../support/specs";
import { aContainer, aPool } from "../../../../support/fixtures";
import { aManifest, readOne } from "../../../../support/manifestTexts";
import { files } from "../../../../support/scripts/paths";
import { aPod, type Pod } from "../../../../support/scripts/pod";

const resources = "/mnt/flux/config/etc/flux/system/R";
const inView = "/mnt/flux/view/etc/flux/system/R";

/** What the brokers find of their resources. */
const left = (pod: Pod) => fs.readFileSync(pod.at(resources), "utf8");

const encode = (rest: string, file = "${viewroot}/etc/flux/system/R") =>
  `flux R encode --hosts=\${hosts} ${rest} > ${file}`;

const gpus = encode("--cores=0-15 --gpu=0-7");
const echoed = 'echo "Regenerated resources"';
const shown = "cat ${viewroot}/etc/flux/system/R";
const spack = ". /etc/profile.d/z10_spack_environment.sh";

/** The forms in which public manifests set their resources, each with the number of cores that it encodes. */
const publicForms: [pre: string[], encoded: string | undefined][] = [
  [[echoed, gpus, shown, "export CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7"], "--cores=0-15 --gpu=0-7"],
  [[spack, echoed, encode("--local"), shown], undefined],
  [[spack, echoed, gpus, shown, "export FI_EFA_FORK_SAFE=1"], "--cores=0-15 --gpu=0-7"],
  [['echo "ulimit -l unlimited" >> /tmp/.bashrc', 'export PATH="$PATH"', spack, encode("--local"), shown], undefined],
  [
    ["procs=$(echo 4); procs=$((procs - 1))", encode("--cores=0-${procs} --gpu=0"), `${shown} || true`],
    "--cores=0-3 --gpu=0",
  ],
  [['if [[ "${hosts}" == "" ]]; then', "    hosts=$(hostname)", "fi", encode("--cores=0-3")], "--cores=0-3"],
  [[encode("--cores=0-3", "/mnt/flux/config/etc/flux/system/R")], "--cores=0-3"],
  [[encode("--cores=0-3", "${configroot}/etc/flux/system/R")], "--cores=0-3"],
  [[encode("--cores=0-3", "/tmp/R"), "mv /tmp/R ${viewroot}/etc/flux/system/R"], "--cores=0-3"],
];

const manifest = (pre: string[], piece = "pre", more = "") =>
  aManifest(
    ["size: 2", more, "containers:", "  - image: a", "    command: hostname", "    commands:", `      ${piece}: |`]
      .concat(pre.map((line) => `        ${line}`))
      .join("\n"),
  );

describe("resources that a manifest sets in pre", () => {
  for (const [pre, encoded] of publicForms)
    for (const strict of [false, true])
      it(`are those of the brokers${strict ? ", in strict mode" : ""}: ${pre.join("; ")}`, async () => {
        const moved = pre.map((line) =>
          line.replaceAll("/mnt/flux/config", "${configroot}").replaceAll("/tmp/", "$PWD/"),
        );
        const own = strict ? moved.filter((line) => line !== spack) : moved;
        const { args } = readOne(manifest(own, "pre", `logging: {strict: ${strict}}`));
        const pod = aPod(args);
        await pod.broker({ env: { STUB_R_WORDS: "1", STUB_NODES: "2" } });
        const text = encoded === undefined ? "resources of this host" : `encode --hosts=demo-[0-1] ${encoded}`;
        assert.equal(left(pod), `${text}\n`);
      });

  it("are those of brokerPre on the lead, and of workerPre on the others", async () => {
    for (const [rank, piece] of ["brokerPre", "workerPre"].entries()) {
      const { args } = readOne(manifest([gpus], piece, "flux: {completeWorkers: true}"));
      const pod = aPod(args);
      await pod.broker({ rank, env: { STUB_R_WORDS: "1", STUB_NODES: "2" } });
      assert.match(left(pod), /--cores=0-15/);
    }
  });

  it("are there before pre, which may read and change them, and the hosts beside them", async () => {
    const pre = ["task before $(<${viewroot}/etc/flux/system/R)", "task $(<${configroot}/etc/flux/system/hostlist)"];
    const pod = aPod(readOne(manifest(pre)).args);
    await pod.broker();
    assert.deepEqual(pod.wordsOf("task"), ["before resources of this host", "demo-[0-1]"]);
  });

  it("are described after pre where only that brings Flux onto the path", async () => {
    const pod = aPod({
      flux: { container: { disable: true } },
      containers: [aContainer({ commands: { pre: 'PATH="$PATH:/elsewhere"; own_flux' } })],
    });
    fs.mkdirSync(pod.at("/own"));
    fs.renameSync(pod.at("/bin/flux"), pod.at("/own/flux"));
    pod.change(files.user("demo", "pre"), () => `PATH="$PATH:${pod.at("/own")}"\n`);
    await pod.broker();
    assert.equal(left(pod), "resources of this host\n");
  });

  it("are described again where a container is started again in its pod", async () => {
    const pod = aPod(readOne(manifest(["mv $PWD/R ${viewroot}/etc/flux/system/R"])).args);
    fs.writeFileSync(pod.at("/job/R"), "mine\n");
    await pod.broker();
    assert.equal(left(pod), "mine\n");
    await pod.run(files.broker);
    assert.equal(left(pod), "resources of this host\n");
  });

  it("take the place of those of a pool", () => {
    const args = { pool: aPool(), containers: [aContainer({ commands: { pre: gpus } })] };
    const toml = renderBrokerConfig(parseMiniClusterArgs("demo", args));
    assert.match(toml, /\[resource\]\npath = "\/mnt\/flux\/config\/etc\/flux\/system\/R"/);
    assert.doesNotMatch(toml, /\[\[resource\.config\]\]/);
  });

  it("of another number of hosts than the instance are reported, also by a quiet cluster", async () => {
    const { args } = readOne(manifest([gpus], "pre", "maxSize: 4\nlogging: {quiet: true}"));
    for (const count of ["2", "5"]) {
      const { stderr } = await aPod(args).run(files.broker, { env: { STUB_NODES: count, STUB_START: "1" } });
      const problem = `R describes ${count} hosts, and the instance has 4: no broker starts`;
      assert.ok(stderr.includes(`${problem}; encode every host of demo-[0-3]`), stderr);
    }
    assert.equal((await aPod(args).run(files.broker, { env: { STUB_NODES: "4" } })).stderr, "");
  });

  it("are left alone in a read-only view", async () => {
    const pod = aPod({ containers: [aContainer({ commands: { pre: ":" } })] });
    fs.writeFileSync(pod.at("/mnt/flux/view/etc"), "");
    await pod.broker();
    assert.ok(!fs.existsSync(pod.at(inView)));
    assert.equal(left(pod), "resources of this host\n");
  });
});
