import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { placeholder } from "../../../sdk/generator/address";
import { archiveName, checksums, executableName, writeArchive } from "../../../sdk/release/archives";
import { releaseNotes, releaseProblems } from "../../../sdk/release/check";

const root = path.resolve(__dirname, "../../..");
const changelog = "# Changelog\n\n## 1.1.0, not yet released\n\n- b\n\n## 1.0.0, 2026-12-01\n\n### Added\n\n- a\n";

describe("a release", () => {
  const ready = { tag: "v1.0.0", version: "1.0.0", address: { owner: "acme" }, changelog };

  const cases: [name: string, change: object, says?: RegExp][] = [
    ["let through when tag, address and changelog are there", {}],
    ["refused of another tag", { tag: "v1.0.1" }, /the tag v1\.0\.1 is not v1\.0\.0/],
    ["refused without an owner", { address: { owner: placeholder } }, /npm run address -- https:\/\/github\.com\//],
    ["refused without a date", { tag: "v1.1.0", version: "1.1.0" }, /no section "## 1\.1\.0, <date>"/],
    ["refused without a section", { tag: "v2.0.0", version: "2.0.0" }, /no section "## 2\.0\.0, <date>"/],
  ];
  for (const [name, change, says] of cases)
    it(`is ${name}`, () => {
      const problems = releaseProblems({ ...ready, ...change });
      assert.equal(problems.length, says ? 1 : 0);
      if (says) assert.match(problems[0] ?? "", says);
    });

  it("has the section of its version for notes", () => {
    assert.equal(releaseNotes(changelog, "1.0.0"), "### Added\n\n- a\n");
    assert.throws(() => releaseNotes(changelog, "3.0.0"), /no section for 3\.0\.0/);
  });
});

describe("what is released", function () {
  this.timeout(300_000);

  let directory: string;
  beforeEach(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-release-"))));
  afterEach(() => fs.rmSync(directory, { recursive: true }));

  it("is an archive of the plugin with the name that Pulumi requests", () => {
    const names = (["linux", "darwin", "win32"] as const).flatMap((platform) =>
      ["x64", "arm64"].map((arch) => archiveName("1.0.0", platform, arch)),
    );
    const systems = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"];
    assert.deepEqual(
      names,
      systems.map((system) => `pulumi-resource-minicluster-v1.0.0-${system}.tar.gz`),
    );
    assert.throws(() => archiveName("1.0.0", "aix", "ppc64"), /no plugins for aix on ppc64/);
    assert.equal(executableName("win32"), "pulumi-resource-minicluster.exe");
  });

  it("is an archive with the executable at its root, and a checksum that sha256sum checks", () => {
    const executable = path.join(directory, executableName("linux"));
    fs.writeFileSync(executable, "#!/bin/sh\n", { mode: 0o755 });
    const folder = path.join(directory, "release");
    fs.mkdirSync(folder);
    const archive = path.join(folder, "a.tar.gz");
    writeArchive(archive, [executable, path.join(root, "LICENSE")]);
    const { stdout } = spawnSync("tar", ["-tvzf", archive], { encoding: "utf8" });
    const listed = stdout.trim().split("\n");
    assert.deepEqual(
      listed.map((line) => `${line.slice(0, 10)} ${line.split(" ").at(-1)}`),
      ["-rwxr-xr-x pulumi-resource-minicluster", "-rw-r--r-- LICENSE"],
    );
    const sum = createHash("sha256").update(fs.readFileSync(archive)).digest("hex");
    assert.equal(checksums(folder), `${sum}  a.tar.gz\n`);
  });
});
