import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as path from "node:path";
import packageJson from "../../package.json";
import { programsOf, resizesInPlace } from "../support/languages/exampleTests";
import { installExample, type InstalledProgram } from "../support/languages/npmPackage";

describe("The packed npm package, installed in an empty folder", () => {
  let installed: InstalledProgram;

  before(function () {
    // npm may have to fetch what the package depends on.
    this.timeout(600_000);
    installed = installExample("lammps");
  });

  after(() => installed.remove());

  it("brings a cluster up for a TypeScript program, previews its resize, and destroys it", () =>
    programsOf(installed.host)(installed.folder, resizesInPlace));

  it("depends on no SDK of a cloud: a program installs those of its node pools", () => {
    const brought = fs.readdirSync(path.join(installed.folder, "node_modules/@pulumi"));
    assert.deepEqual(brought.sort(), ["kubernetes", "pulumi", "random"]);
    for (const name of Object.keys(packageJson.peerDependencies))
      assert.deepEqual(packageJson.peerDependenciesMeta[name as keyof typeof packageJson.peerDependencies], {
        optional: true,
      });
  });

  it("has the types of its arguments, for old and new ways to find them", () => {
    const wrong =
      'import { MiniCluster } from "pulumi-minicluster";\nnew MiniCluster("a", { containers: [], sise: 1 });\n';
    fs.writeFileSync(path.join(installed.folder, "wrong.ts"), wrong);
    for (const options of [
      ["--module", "node16", "--moduleResolution", "node16"],
      ["--module", "commonjs", "--moduleResolution", "node"],
    ]) {
      const compile = () => installed.npx("tsc", "--noEmit", "--skipLibCheck", "--strict", ...options, "wrong.ts");
      assert.throws(compile, /TS2353: .*'sise' does not exist/);
    }
  });

  it("holds the library, the plugin with its licences, the documents, the examples, and nothing else", () => {
    const folder = path.join(installed.folder, "node_modules/pulumi-minicluster");
    const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    const library = /^bin\/provider\/.*\.(js|d\.ts|py|sh|html|json)$/;
    // The README and its pages lead to these.
    const documents = /^(docs\/[\w/.-]+\.(md|svg|png|json)|examples\/[\w.-]+(\/[\w.-]+)?)$/;
    assert.deepEqual(files.filter((file) => !library.test(file) && !documents.test(file)).sort(), [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "bin/THIRD-PARTY-LICENCES.txt",
      "bin/pulumi-resource-minicluster",
      "package.json",
    ]);
    // Each file of the library is there for a source of it, and each has its types.
    const sources = files.filter((file) => library.test(file) && file.endsWith(".js"));
    for (const file of sources) {
      assert.ok(files.includes(file.replace(/\.js$/, ".d.ts")), file);
      const source = path.join(__dirname, "../..", file.replace(/^bin\/(.*)\.js$/, "$1.ts"));
      assert.ok(fs.existsSync(source), `${file} is left over from a source that is gone`);
    }
    assert.ok(sources.includes(packageJson.exports["."].default.slice("./".length)));
    const licences = fs.readFileSync(path.join(folder, "bin/THIRD-PARTY-LICENCES.txt"), "utf8");
    for (const name of [
      "@grpc/grpc-js",
      "@pulumi/kubernetes",
      "@pulumi/pulumi",
      "google-protobuf",
      "preact",
      "uplot",
      "zod",
    ])
      assert.match(licences, new RegExp(`^(.*, )?${name} \\d`, "m"));
    // One package has two licences, and binary forms have to repeat this notice.
    assert.match(licences, /Copyright .*Google Inc\./);
  });

  it("has the plugin as a command, which needs no package beside it", async () => {
    const command = path.join(installed.folder, "node_modules/.bin/pulumi-resource-minicluster");
    const alone = path.join(installed.folder, "alone");
    fs.mkdirSync(alone);
    fs.copyFileSync(command, path.join(alone, "pulumi-resource-minicluster"));
    fs.rmSync(path.join(installed.folder, "node_modules"), { recursive: true });
    const plugin = spawn(path.join(alone, "pulumi-resource-minicluster"), ["127.0.0.1:1"]);
    try {
      const [port] = (await once(plugin.stdout, "data")) as [Buffer];
      assert.match(port.toString(), /^\d+\n$/);
    } finally {
      plugin.kill();
    }
  });
});
