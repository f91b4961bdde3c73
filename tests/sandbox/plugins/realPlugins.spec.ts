import * as assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRealPlugin, installRealPlugin } from "./realPlugins";

describe("the search for real plugins", () => {
  let directory: string;
  const before = { ...process.env };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "plugins-"));
    Object.assign(process.env, { PULUMI_HOME: directory, MINICLUSTER_SANDBOX_CACHE: directory });
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
    for (const key of ["PATH", "PULUMI_HOME", "MINICLUSTER_SANDBOX_CACHE"]) {
      if (before[key] === undefined) delete process.env[key];
      else process.env[key] = before[key];
    }
  });

  function put(path: string, text = ""): string {
    const file = join(directory, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return join(file, "..");
  }

  it("finds one on PATH", () => {
    const path = put("bin/pulumi-resource-some");
    process.env.PATH = `${path}:${process.env.PATH}`;
    assert.deepEqual(findRealPlugin("some", "1.0.0"), { path, version: "on PATH" });
  });

  it("finds the newest that is installed, unless it is older than the SDK", () => {
    put("plugins/resource-some-v4.9.0/pulumi-resource-some");
    const path = put("plugins/resource-some-v4.10.0/pulumi-resource-some");
    put("plugins/resource-some-v4.11.0.partial/something-else");
    assert.deepEqual(findRealPlugin("some", "4.9.0"), { path, version: "4.10.0" });
    assert.equal(findRealPlugin("some", "4.11.0"), undefined);
  });

  it("installs it with the CLI when it can", async () => {
    const script = `#!/bin/sh\nd=$PULUMI_HOME/plugins/resource-$4-v$5\nmkdir -p $d\n: > $d/pulumi-resource-$4\n`;
    const pulumi = join(put("cli/pulumi", script), "pulumi");
    const installed = await installRealPlugin(pulumi, "some", "4.9.0");
    assert.deepEqual(installed, { path: join(directory, "plugins/resource-some-v4.9.0"), version: "4.9.0" });
  });

  it("does not try again on the same day", async () => {
    const calls = join(directory, "calls");
    const pulumi = join(put("cli/pulumi", `#!/bin/sh\necho "$@" >> ${calls}\nexit 1\n`), "pulumi");
    assert.equal(await installRealPlugin(pulumi, "some", "4.9.0"), undefined);
    assert.equal(await installRealPlugin(pulumi, "some", "4.9.0"), undefined);
    assert.equal(readFileSync(calls, "utf8"), "plugin install resource some 4.9.0\n");
  });

  it("says nothing about tomorrow when there is no CLI", async () => {
    assert.equal(await installRealPlugin(join(directory, "none"), "some", "4.9.0"), undefined);
    assert.ok(!existsSync(join(directory, "no-plugin-some-4.9.0")));
  });
});
