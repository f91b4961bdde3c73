import * as assert from "node:assert/strict";
import type { MiniClusterArgs, MiniClusterCommandsArgs } from "../../../../provider";
import { renderConfigFiles, renderServiceFiles } from "../../../../provider/brokers/flux/configFiles";
import { files } from "../../../../provider/brokers/parse/paths";
import type { MiniClusterSpec } from "../../../../provider/brokers/parse/spec";
import { aBurstCluster, aBursting, aContainer, aHome, aMiniCluster, aPlan, aRoot } from "../../../support/fixtures";
import { isOfUser } from "../../../support/scripts/pod";
import { shellcheck } from "../../../support/scripts/shellcheck";

const pieces = { init: "a", pre: "b", post: "c", brokerPre: "d", workerPre: "e" };
const batch = [
  "task plain words",
  `task "it's" && echo $HOME | cat > 'a b' # why`,
  '-n 2 --job-name "my job" task `id` $(id)',
  "task ${x@P} \\\\ {a,b} ~ * [[ ]] ; ;; <<END",
].join("\n");
type Main = MiniClusterCommandsArgs & { launcher?: boolean; batch?: boolean; command?: string };
/** How a cluster starts, and the container that runs Flux. */
const mains: [Partial<MiniClusterArgs>, Main][] = [
  [{}, { prefix: "strace 'a b'" }],
  [{ tasks: 0 }, pieces],
  [{ tasks: 64, minSize: 1 }, { workerPre: "e" }],
  [{}, { launcher: true, command: "flow 'it''s' \\\n $HOME" }],
  [{ interactive: true }, pieces],
  [{}, { batch: true, command: batch }],
];
const sidecar = { image: "i", name: "side", command: "serve 'a'", commands: { servicePre: "a", post: "b" } };
const services = [
  { image: "i", name: "web", command: "serve $PORT", commands: { init: "a", servicePre: "b", post: "c" } },
  { image: "i", name: "cache", commands: { script: "a" } },
];

const manyClusters = [
  { name: "one", maxSize: 1, properties: ["$HOME", "a;b", "a\\b", "*"] },
  { name: "two", maxSize: 64, cores: 8, gpus: 1 },
];

/** Settings that are switched one by one, and all at once. */
const settings: Partial<MiniClusterArgs>[] = [
  {},
  ...(["quiet", "debug", "zeromq", "timed"] as const).map((flag) => ({ logging: { [flag]: true } })),
  { logging: { strict: false } },
  ...(["disableSocket", "noWaitSocket", "completeWorkers"] as const).map((flag) => ({ flux: { [flag]: true } })),
  { flux: { wrap: "strace,-o,a b", topology: "kary:2", optionFlags: "-o 'a\nb' \"it's\"", submitCommand: "flux run" } },
  { flux: { scheduler: { simple: true }, container: { pythonPath: "/a b" } } },
  { flux: { container: { disable: true } } },
  { flux: { container: { imageVolume: true } } },
  { flux: { container: { imageVolume: true, mountPath: "/mnt/it's" }, environment: { A: "it's\n$HOME", B: "" } } },
  { flux: { container: { disable: true }, environment: { A: "a" } } },
  { archive: { path: "/state/a.tar.gz" } },
  { archive: { path: "/state/it's $STATE/a.tar" }, logging: { strict: false, quiet: true } },
  { flux: { minimalService: true, connectTimeout: "" } },
  { flux: { bursting: { clusters: [{}, { size: 3 }] } } },
  { bursting: aBursting() },
  { bursting: aBursting({ spanClusters: true, clusters: manyClusters }) },
  { bursting: aBursting({ clusters: manyClusters }), flux: { container: { mountPath: "/mnt/it's a path" } } },
  { flux: { brokerConfig: '[bootstrap]\ncurve_cert = "/a b/c"\n[resource]\npath = "/it\'s/R"\n' } },
  { flux: { container: { mountPath: "/mnt/it's a path" } } },
  {
    maxSize: 64,
    logging: { quiet: true, debug: true, zeromq: true, timed: true, strict: false },
    flux: { disableSocket: true, noWaitSocket: true, completeWorkers: true, container: { disable: true } },
  },
];

function* specs(): Generator<MiniClusterSpec> {
  for (const [mode, { launcher, batch, command = "echo hello", ...commands }] of mains)
    for (const setting of settings) {
      const main = aContainer({ runFlux: true, launcher, batch, command, commands });
      yield aMiniCluster({ ...mode, ...setting, services, containers: [main, sidecar] });
    }
  for (const flux of [{}, { container: { mountPath: "/mnt/it's a path" } }])
    for (const clusters of [undefined, [{ name: "cloud", maxSize: 8, cores: 4 }, ...manyClusters]])
      for (const commands of [{}, pieces])
        yield aBurstCluster({
          root: aRoot({ plan: aPlan(aHome({ flux }, clusters && { clusters })) }),
          containers: [aContainer({ runFlux: true, command: undefined, commands }), sidecar],
        });
  const bursting = { leadBroker: { address: "a", name: "b", size: 2 }, clusters: [{ name: "demo" }] };
  for (const completeWorkers of [true, false])
    yield aMiniCluster({
      flux: { bursting, completeWorkers },
      containers: [aContainer({ command: undefined, commands: pieces })],
    });
}

/** The scripts that the component renders: the user's own pieces are his, but for those that it makes jobs of. */
function ownScripts(spec: MiniClusterSpec): string[] {
  const rendered = Object.entries({ ...renderConfigFiles(spec), ...renderServiceFiles(spec) });
  const isOwn = (name: string) => name.endsWith(".sh") && (!isOfUser(name) || name === files.batch("demo"));
  return rendered.flatMap(([name, text]) => (isOwn(name) ? [text] : []));
}

describe("rendered scripts", function () {
  // The first time shellcheck may have to be installed.
  this.timeout(420_000);

  it("leave nothing for shellcheck to say, in any mode and with any setting", () => {
    const scripts = [...new Set([...specs()].flatMap(ownScripts))];
    assert.ok(scripts.length > 100, `${scripts.length} scripts`);
    assert.equal(shellcheck(scripts), "");
    // Nor do they switch a check of it off.
    for (const text of scripts) {
      for (const [directive] of text.matchAll(/shellcheck .*/g)) assert.equal(directive, "shellcheck source=/dev/null");
      assert.match(text, /^#!\/bin\/bash\n[\s\S]*\S\n$/);
      assert.doesNotMatch(text, /[ \t]$/m);
    }
  });
});
