import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";
import { isOnPath } from "../../../support/scripts/root";

// An instance of one broker needs no network of its own, so a real Flux can take the place of the stub.
const isReal = isOnPath("flux");

/** What lets the Flux at hand run a whole instance: a real one has to believe that it is on the cluster's first host. */
const env: Record<string, string | undefined> = isReal
  ? { PATH: process.env["PATH"], FLUX_FAKE_HOSTNAME: "demo-0" }
  : { STUB_SUBMIT: "run" };

/** A pod whose image brings Flux. */
const aPodWithFlux = (args: Partial<MiniClusterArgs>) =>
  aPod({ ...args, flux: { container: { disable: true }, scheduler: { simple: true } } });

describe(`an instance of one broker, by ${isReal ? "the Flux on PATH" : "the stub of flux"}`, () => {
  const commands: [command: string, status: number, stdout: string, launcher?: boolean][] = [
    ["stat --format %s /dev/null", 0, "0"],
    [`printf '%s' "it's "'$5'`, 0, "it's $5"],
    ["one=1\necho $((one + 1))\nexit 3", 3, "2"],
    ["exit 3", 3, "", true],
  ];
  for (const [command, status, stdout, launcher = false] of commands)
    it(`runs ${JSON.stringify(command)}${launcher ? " as a launcher" : ""}, and ends with its status`, async () => {
      const pod = aPodWithFlux({ logging: { quiet: true }, containers: [aContainer({ command, launcher })] });
      const run = await pod.run(files.broker, { env });
      assert.deepEqual([run.status, run.stdout.trim()], [status, stdout], run.stderr);
    });

  it("is ready when the broker runs, and leaves with a status that calls the rank back", async () => {
    const pod = aPodWithFlux({ interactive: true });
    const broker = pod.start(files.broker, { env: { ...env, STUB_START: "stay:0" } });
    const probe = () => pod.run(files.ready, { env: { ...env, STUB_UPTIME: " 07:13:39 run 1.2m,  owner root" } });
    if (!isReal) await pod.called(1, "flux", "broker");
    const deadline = Date.now() + 10_000; // A real broker takes a moment to form its instance.
    while ((await probe()).status !== 0) assert.ok(Date.now() < deadline, "the broker never ran");
    broker.terminate();
    assert.notEqual((await broker.ended).status, 0);
  });
});
