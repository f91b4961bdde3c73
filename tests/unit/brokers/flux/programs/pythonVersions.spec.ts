import * as assert from "node:assert/strict";
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { waitFor } from "../../../../sandbox/waiting";
import { request, submit, textOf, withConsole } from "../../../../support/consoleServer";

/** A version of Python, on PATH or as pyenv installs it. */
function findPython(version: string): string | undefined {
  const { PYENV_ROOT = path.join(os.homedir(), ".pyenv") } = process.env;
  const folder = path.join(PYENV_ROOT, "versions");
  const installed = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const own = installed.filter((name) => name.startsWith(`${version}.`));
  const found = [`python${version}`, ...own.map((name) => path.join(folder, name, "bin/python3"))];
  return found.find((program) => spawnSync(program, ["-c", ""]).status === 0);
}

describe("the programs of the pods with other versions of Python", function () {
  this.timeout(180_000);

  it("serves events and output on the oldest version of Python that is supported", function () {
    const python = findPython("3.8");
    if (python === undefined) {
      console.log("      no Python 3.8 on this machine");
      this.skip();
    }
    return withConsole(
      async (server) => {
        const [events, line] = await request(server, "guest", "/v1/events");
        assert.equal(line, "HTTP/1.1 200 -");
        const job = await submit(server, { command: ["echo", "there"] });
        assert.equal(await textOf(server, `/v1/jobs/${job}/output/stream`), "there\n");
        let text = "";
        events.on("data", (piece: Buffer) => (text += piece.toString()));
        await submit(server, { command: ["true"] });
        await waitFor("the events of a job", () => Promise.resolve(text.includes("event: jobs")), 30_000);
        events.destroy();
      },
      {},
      python,
    );
  });

  it("ends each program with a sentence on a Python that is too old", function () {
    const python = findPython("3.6") ?? findPython("3.7");
    if (python === undefined) {
      console.log("      no Python before 3.8 on this machine");
      this.skip();
    }
    const folder = path.join(__dirname, "../../../../../provider/brokers/flux/programs");
    const PYTHONPATH = path.join(__dirname, "../../../../support/fluxPython");
    for (const program of ["console.py", "demand.py", "agent.py", "../../../study/flux/study.py"]) {
      const env = { ...process.env, PYTHONPATH, FLUX_STAND_IN: "/dev/null" };
      const words = ["-B", path.join(folder, program)];
      const { status, stderr }: SpawnSyncReturns<string> = spawnSync(python, words, { env, encoding: "utf8" });
      assert.equal(status, 1, program);
      assert.match(stderr, /^minicluster: this program requires Python 3\.8 or later, and here is 3\.[67]\.\d+\n$/);
    }
  });
});
