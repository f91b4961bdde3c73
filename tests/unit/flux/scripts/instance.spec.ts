import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";
import { isOnPath } from "../../../support/scripts/root";

// An instance of one broker needs no network of its own, so a real Flux can take the place of the stub.
const isReal = isOnPath("flux");

/** What lets the Flux at hand run a whole instance: a real one has to believe that it is on the cluster's first host. */
const flux: Record<string, string | undefined> = isReal
  ? { PATH: process.env["PATH"], FLUX_FAKE_HOSTNAME: "demo-0" }
  : { STUB_SUBMIT: "run" };

const imageWithFlux = (args: Partial<MiniClusterArgs>): Partial<MiniClusterArgs> => ({
  ...args,
  flux: { container: { disable: true }, scheduler: { simple: true } },
});

describe(`an instance of one broker, by ${isReal ? "the Flux on PATH" : "the stub of flux"}`, () => {
  const commands = [
    { name: "plain words", command: "stat --format %s /dev/null", stdout: "0" },
    { name: "quotes and dollars", command: `printf '%s' "it's "'$5'`, stdout: "it's $5" },
    { name: "several lines", command: "one=1\necho $((one + 1))\n", stdout: "2" },
  ];
  for (const { name, command, stdout } of commands)
    it(`runs a command of ${name}`, async () => {
      const pod = aPod(imageWithFlux({ logging: { quiet: true }, containers: [aContainer({ command })] }));
      const run = await pod.run(files.broker, { env: flux });
      assert.equal(run.status, 0, run.stderr);
      assert.equal(run.stdout.trim(), stdout);
    });

  for (const launcher of [false, true])
    it(`ends with the status of the command${launcher ? " of a launcher" : ""}`, async () => {
      const pod = aPod(imageWithFlux({ containers: [aContainer({ command: "exit 3", launcher })] }));
      assert.equal((await pod.run(files.broker, { env: flux })).status, 3);
    });

  it("is ready when the broker runs, and leaves with a status that calls the rank back", async () => {
    const pod = aPod(imageWithFlux({ interactive: true }));
    const broker = pod.start(files.broker, { env: { ...flux, STUB_START: "stay:0" } });
    const probe = () => pod.run(files.ready, { env: { ...flux, STUB_UPTIME: " 07:13:39 run 1.2m,  owner root" } });
    if (!isReal) await pod.called(1, "flux", "broker");
    const deadline = Date.now() + 10_000; // A real broker takes a moment to form its instance.
    while ((await probe()).status !== 0) assert.ok(Date.now() < deadline, "the broker never ran");
    broker.terminate();
    assert.notEqual((await broker.ended).status, 0);
  });
});
