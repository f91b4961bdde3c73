import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { MiniClusterArgs } from "../../../../provider";
import { renderConfigFiles, renderServiceFiles } from "../../../../provider/core/flux/configFiles";
import { renderEnvironment, renderSettings } from "../../../../provider/core/flux/settingsFile";
import { aBursting, aContainer, aMiniCluster, aPool } from "../../../support/fixtures";

/** What bash has after it has included a text. */
const evaluated = (text: string, print: string) =>
  execFileSync("bash", ["--norc", "-c", `set -eu\n${text}\n${print}`], { encoding: "utf8", env: {}, cwd: "/" })
    .split("\0")
    .slice(0, -1);

const hostile = [
  "",
  "it's",
  '"$HOME"',
  "`id`",
  "$(id)",
  "a\nb",
  "c\r\nd",
  "\\",
  "; exit 1 #",
  "* ~ {a,b} !x",
  "é 🚀",
  ")",
];

describe("settings of the scripts", () => {
  it("have in bash exactly the given values", () => {
    for (const value of hostile)
      assert.deepEqual(evaluated(renderSettings({ VALUE: value }), `printf '%s\\0' "$MINICLUSTER_VALUE"`), [value]);
    const list = renderSettings({ LIST: hostile, NONE: [] });
    assert.deepEqual(evaluated(list, `printf '%s\\0' "\${MINICLUSTER_LIST[@]}" "\${#MINICLUSTER_NONE[@]}"`), [
      ...hostile,
      "0",
    ]);
  });

  it("are empty for false", () => {
    const text = renderSettings({ NO: false, YES: true, ZERO: 0 });
    const print = `printf '%s\\0' "$MINICLUSTER_NO" "$MINICLUSTER_YES" "$MINICLUSTER_ZERO"`;
    assert.deepEqual(evaluated(text, print), ["", "yes", "0"]);
  });

  it("export the variables of flux.environment as they are given", () => {
    const environment = Object.fromEntries(hostile.map((value, index) => [`V${index}`, value]));
    const print = `for name in ${Object.keys(environment).join(" ")}; do printf '%s\\0' "\${!name}"; done`;
    assert.deepEqual(evaluated(renderEnvironment(environment), print), hostile);
  });
});

describe("files of the ConfigMap", () => {
  const names = (args: Partial<MiniClusterArgs>) => {
    const spec = aMiniCluster(args);
    return Object.keys({ ...renderConfigFiles(spec), ...renderServiceFiles(spec) });
  };
  const usual = names({});
  const beside = { image: "i", name: "side", command: "serve" };
  const features: { name: string; args: Partial<MiniClusterArgs>; more: string[]; less?: string[] }[] = [
    { name: "archive", args: { archive: { path: "/state/a.tar" } }, more: ["archive.sh"] },
    { name: "flux.environment", args: { flux: { environment: { A: "a" } } }, more: ["environment.sh"] },
    { name: "batch", args: { containers: [aContainer({ batch: true })] }, more: ["demo.batch.sh", "watch.sh"] },
    {
      name: "code of the user's",
      args: { containers: [aContainer({ commands: { pre: "a" } })] },
      more: ["demo.pre.sh", "later-variables.sh", "variables.sh"],
    },
    {
      name: "a sidecar",
      args: { containers: [aContainer({ runFlux: true }), beside] },
      more: ["command.sh", "side.settings.sh", "side.start.sh"],
    },
    { name: "a service", args: { services: [beside] }, more: ["command.sh", "side.settings.sh", "side.start.sh"] },
    { name: "no drain", args: { drainTimeoutSeconds: 0 }, more: [], less: ["drain.sh", "undrain.sh"] },
    { name: "a pool", args: { pool: aPool() }, more: [], less: ["resources.sh"] },
    {
      name: "Flux in the image",
      args: { flux: { container: { disable: true } } },
      more: [],
      less: ["fluxion.sh", "view.sh"],
    },
    {
      name: "a view as a volume, without strict mode",
      args: { flux: { container: { imageVolume: true } }, logging: { strict: false } },
      more: [],
      less: ["strict.sh", "view.sh"],
    },
    { name: "queues", args: { bursting: aBursting() }, more: [] },
  ];
  for (const { name, args, more, less = [] } of features)
    it(`are those that a cluster with ${name} needs`, () => {
      const found = names(args);
      assert.deepEqual(found.filter((file) => !usual.includes(file)).sort(), more);
      assert.deepEqual(usual.filter((file) => !found.includes(file)).sort(), less);
    });
});
