import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { installedByPip } from "../support/pip";
import { withModules } from "../support/pythonPrograms";

const tests = fs
  .readdirSync(__dirname, { recursive: true, encoding: "utf8" })
  .filter((file) => /^test_\w+\.py$/.test(path.basename(file)))
  .sort();

/** Runs a file of tests with pytest. An error has its output. */
function runPytest(file: string): Promise<void> {
  const pytest = installedByPip("pytest-8.4.2", ["pytest==8.4.2"], { withDependencies: true });
  const support = path.resolve(__dirname, "../support");
  const env = { ...withModules, PYTHONPATH: `${withModules.PYTHONPATH}:${support}:${pytest}` };
  const flags = ["-q", "--no-header", "--import-mode=importlib", "-p", "no:cacheprovider"];
  const words = ["-m", "pytest", ...flags, path.join(__dirname, file)];
  return new Promise((resolve, reject) => {
    execFile("python3", words, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      error ? reject(new Error(`pytest fails:\n${stdout}${stderr}`)) : resolve(),
    );
  });
}

describe("the programs of the pods, tested in Python", function () {
  this.timeout(180_000);
  for (const file of tests) it(`pass ${file}`, () => runPytest(file));
});
