import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parse } from "yaml";
import packageJson from "../../../package.json";
import { placeholder } from "../../../sdk/generator/address";
import { archiveName, checksums, executableName, writeArchive } from "../../../sdk/release/archives";
import { releaseNotes, releaseProblems } from "../../../sdk/release/check";
import { writeNodeSdk } from "../../../sdk/release/nodeSdk";

const root = path.resolve(__dirname, "../../..");
const changelog = "# Changelog\n\n## 1.1.0, not yet released\n\n- b\n\n## 1.0.0, 2026-12-01\n\n### Added\n\n- a\n";

describe("a release", () => {
  const ready = { tag: "v1.0.0", version: "1.0.0", address: { owner: "acme" }, changelog };

  it("is let through when tag, address and changelog are there", () => assert.deepEqual(releaseProblems(ready), []));

  const refused: [name: string, change: object, says: RegExp][] = [
    ["of another tag", { tag: "v1.0.1" }, /the tag v1\.0\.1 is not v1\.0\.0/],
    ["without an owner", { address: { owner: placeholder } }, /npm run address -- https:\/\/github\.com\//],
    ["that is not dated", { tag: "v1.1.0", version: "1.1.0" }, /no section "## 1\.1\.0, <date>"/],
    ["without a section", { tag: "v2.0.0", version: "2.0.0" }, /no section "## 2\.0\.0, <date>"/],
  ];
  for (const [name, change, says] of refused)
    it(`is refused ${name}, and says what to change`, () => {
      const [problem, ...others] = releaseProblems({ ...ready, ...change });
      assert.deepEqual(others, []);
      assert.match(problem ?? "", says);
    });

  it("has the section of its version for notes", () => {
    assert.equal(releaseNotes(changelog, "1.0.0"), "### Added\n\n- a\n");
    assert.throws(() => releaseNotes(changelog, "3.0.0"), /no section for 3\.0\.0/);
  });
});

describe("the archive of the plugin", () => {
  let directory: string;
  beforeEach(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-release-"))));
  afterEach(() => fs.rmSync(directory, { recursive: true }));

  it("is named as Pulumi asks for it", () => {
    const names = (["linux", "darwin", "win32"] as const).flatMap((platform) =>
      ["x64", "arm64"].map((arch) => archiveName("1.0.0", platform, arch)),
    );
    assert.deepEqual(
      names,
      ["linux", "darwin", "windows"].flatMap((system) =>
        ["amd64", "arm64"].map((arch) => `pulumi-resource-minicluster-v1.0.0-${system}-${arch}.tar.gz`),
      ),
    );
    assert.throws(() => archiveName("1.0.0", "aix", "ppc64"), /no plugins for aix on ppc64/);
    assert.equal(executableName("win32"), "pulumi-resource-minicluster.exe");
  });

  it("has the executable at its root, and a checksum that sha256sum checks", () => {
    const executable = path.join(directory, executableName("linux"));
    fs.writeFileSync(executable, "#!/bin/sh\n", { mode: 0o755 });
    const folder = path.join(directory, "release");
    fs.mkdirSync(folder);
    const archive = path.join(folder, "a.tar.gz");
    writeArchive(archive, [executable, path.join(root, "LICENSE")]);
    const { stdout } = spawnSync("tar", ["-tvzf", archive], { encoding: "utf8" });
    const listed = stdout
      .trim()
      .split("\n")
      .map((line) => `${line.slice(0, 10)} ${line.split(" ").at(-1)}`);
    assert.deepEqual(listed, ["-rwxr-xr-x pulumi-resource-minicluster", "-rw-r--r-- LICENSE"]);
    const sum = createHash("sha256").update(fs.readFileSync(archive)).digest("hex");
    assert.equal(checksums(folder), `${sum}  a.tar.gz\n`);
  });
});

describe("the SDK for Node.js as npm gets it", function () {
  this.timeout(300_000);

  it("is compiled, with its types, and runs nothing when it is installed", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-sdk-"));
    try {
      writeNodeSdk(folder);
      const description = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) as Record<
        string,
        string
      >;
      assert.equal(description["scripts"], undefined);
      for (const key of ["main", "types"]) assert.ok(fs.existsSync(path.join(folder, description[key] ?? "?")), key);
      const sdk = `require(${JSON.stringify(path.join(folder, "bin"))}); console.log(Object.keys(sdk).length > 6)`;
      const env = { ...process.env, NODE_PATH: path.join(root, "node_modules") };
      const { stdout, stderr } = spawnSync(process.execPath, ["-e", `const sdk = ${sdk}`], { env, encoding: "utf8" });
      assert.deepEqual([stdout, stderr], ["true\n", ""]);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});

interface Workflow {
  on: { push?: { tags?: string[] } };
  jobs: Record<string, { strategy?: { matrix: { include?: { script: string }[] } }; steps: { run?: string }[] }>;
}

describe("the workflows", () => {
  const directory = path.join(root, ".github/workflows");
  const workflows = fs.readdirSync(directory).map((file) => [file, read(file)] as const);

  function read(file: string): Workflow {
    return parse(fs.readFileSync(path.join(directory, file), "utf8")) as Workflow;
  }

  it("release on a tag of a version", () => assert.deepEqual(read("release.yml").on.push?.tags, ["v*.*.*"]));

  for (const [file, { jobs }] of workflows)
    it(`run scripts that package.json has: ${file}`, () => {
      const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
      const scripts = commands.flatMap((text) =>
        [...text.matchAll(/npm (?:run (?:--silent )?)([\w:]+)/g)].map(([, name]) => name),
      );
      assert.ok(scripts.length > 0);
      assert.deepEqual(
        scripts.filter((name) => !Object.keys(packageJson.scripts).includes(name ?? "")),
        [],
      );
    });

  it("name files and folders that are there", () => {
    const jobs = workflows.flatMap(([, workflow]) => Object.values(workflow.jobs));
    const commands = jobs.flatMap(({ strategy, steps }) => {
      const scripts = strategy?.matrix.include?.map(({ script }) => script) ?? [""];
      return scripts.flatMap((script) => steps.map(({ run = "" }) => run.replaceAll("${{ matrix.script }}", script)));
    });
    // A name ends where the shell is to fill something in.
    const named = commands.flatMap((text) => text.match(/(?<![\w$./])(\.github|sdk|tests)\/[\w./-]*/g) ?? []);
    for (const wanted of [".github/kind/burst.sh", "sdk/schema.json", "tests/support/languages/java/pom.xml"])
      assert.ok(named.includes(wanted), wanted);
    assert.deepEqual(
      named.filter((name) => !fs.existsSync(path.join(root, name))),
      [],
    );
  });

  it("have steps of the release that the release knows", () => {
    const source = fs.readFileSync(path.join(root, "sdk/release/index.ts"), "utf8");
    const text = fs.readFileSync(path.join(directory, "release.yml"), "utf8");
    const steps = [...text.matchAll(/npm run (?:--silent )?release -- (\w+)/g)].map(([, step]) => step);
    assert.deepEqual([...new Set(steps)].sort(), ["archive", "check", "checksums", "notes", "npm"]);
    for (const step of steps) assert.match(source, new RegExp(`^  ${step}: \\(`, "m"));
  });
});
