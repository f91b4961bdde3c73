import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { programArchive, programsVersion, programTexts } from "../../../../provider/core/programs";
import { version } from "../../../../provider/shared/version";
import { zipOf } from "../../../../provider/shared/zip";
import { manifestsOf } from "../../../support/manifests";
import { programs, pythonSources } from "../../../support/pythonPrograms";

const names = ["agent", "console", "lead"] as const;

/** Modules of the programs by their paths below `provider`. */
const modules = fs
  .readdirSync(pythonSources, { recursive: true, encoding: "utf8" })
  .filter((file) => /^\w+\/programs\/\w+\.py$/.test(file));

/** Rooms whose modules a room imports, beside those of core; the composition imports all. */
const below: Record<string, string[]> = { autoscale: ["budget"], console: ["budget", "forecast"] };

describe("the archives of the programs", () => {
  it("have each module of the package, and no program has the modules of another feature", () => {
    const all = names.flatMap((name) => Object.keys(programTexts(programs[name])));
    assert.deepEqual(
      // The program of a study is sent by itself.
      modules.filter((file) => !all.includes(file)),
      ["study/programs/study.py"],
    );
    const agent = Object.keys(programTexts(programs.agent)).filter((file) => modules.includes(file));
    const own = ["agent", "deciding", "reporting"].map((name) => `autoscale/programs/${name}.py`);
    const shared = ["contract", "files", "signing"].map((name) => `core/programs/${name}.py`);
    assert.deepEqual(agent.sort(), [...own, "budget/programs/budget.py", ...shared]);
  });

  it("are equal in each process, in any time zone", () => {
    const text = `
      const { programArchive } = require("./provider/core/programs");
      const { leadProgram } = require("./provider/minicluster/register/leadProgram");
      process.stdout.write(programArchive(leadProgram));`;
    const words = ["--require", "tsx/cjs", "--eval", text];
    for (const TZ of ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"]) {
      const options = { cwd: path.join(pythonSources, ".."), env: { ...process.env, TZ } };
      assert.ok(execFileSync("node", words, options).equals(programArchive(programs.lead)), TZ);
    }
  });

  it("depend on the version alone: other features are other settings", () => {
    const few = manifestsOf({ metrics: {} }).programs;
    const many = manifestsOf({ metrics: {}, requeue: {}, flux: {} }).programs;
    assert.deepEqual(many?.binaryData, few?.binaryData);
    assert.deepEqual(many?.metadata, few?.metadata);
    assert.notDeepEqual(many?.data, few?.data);
  });

  it("are named by the version of the package and their hash, which changes with any of them", () => {
    const texts = [["lead"], ["agent"], ["agent", "lead"]] as const;
    const found = texts.map((some) => programsVersion(some.map((name) => programs[name])));
    for (const text of found) assert.match(text, new RegExp(`^${version.replaceAll(".", "\\.")} sha256:[0-9a-f]{12}$`));
    assert.equal(new Set(found).size, 3);
    assert.ok(!zipOf({ "a.py": "1" }).equals(zipOf({ "a.py": "2" })));
  });

  it("import in one direction: core, the features, and the program that composes them", () => {
    const wrong = modules.flatMap((file) => {
      const room = file.split("/")[0] ?? "";
      const text = fs.readFileSync(path.join(pythonSources, file), "utf8");
      const imported = [...text.matchAll(/^ *(?:from|import) (\w+)\.programs/gm)].map(([, other = ""]) => other);
      const allowed = [room, "core", ...(below[room] ?? [])];
      return room === "minicluster" ? [] : imported.filter((other) => !allowed.includes(other)).map((to) => [file, to]);
    });
    assert.deepEqual(wrong, []);
  });
});
