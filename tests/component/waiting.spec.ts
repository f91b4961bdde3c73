import * as assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type * as pulumi from "@pulumi/pulumi";
import { MiniCluster, type MiniClusterArgs, MiniClusterResize, MiniClusterWait } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type MockOptions, valueOf, withWarnings } from "../support/mocks";

/** What a cluster comes to: its job name or an error, and what was said meanwhile. */
async function run(args: Partial<MiniClusterArgs>, options: MockOptions, linger = 20) {
  // The engine's own process ends with an error where an output fails; here nothing listens to that.
  const listeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => undefined);
  try {
    return await withWarnings(async (warnings) => {
      await mockEngine(options);
      const cluster = new MiniCluster("demo", aMiniClusterArgs(args));
      const jobName = await valueOf(cluster.jobName).catch((error: Error) => error);
      await sleep(linger);
      return { jobName, warnings: warnings() };
    });
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  }
}

const waits = (type: string) => type.endsWith(":JobPatch");
const withCondition = (condition: object) => (resource: pulumi.runtime.MockResourceArgs) =>
  waits(resource.type) || resource.type.endsWith(":Job") ? { status: { conditions: [condition] } } : {};
const failed = { type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: "too many" };
const diagnosis = "kubectl describe job,pod --namespace default --selector job-name=demo";

describe("a Job that has failed", function () {
  this.timeout(20_000);

  for (const resize of Object.values(MiniClusterResize)) {
    it(`is an error that says how to look into it, with resize by ${resize}`, async () => {
      const { jobName, warnings } = await run({ resize }, { state: withCondition(failed) });
      assert.ok(jobName instanceof Error);
      assert.match(jobName.message, /the Job default\/demo has failed \(BackoffLimitExceeded: too many\)/);
      assert.ok(jobName.message.includes(diagnosis));
      assert.match(jobName.message, /pulumi up --replace 'urn:pulumi:\S+::demo'/);
      assert.deepEqual(warnings, []);
    });

    it(`is a warning in a preview, with resize by ${resize}, so that the mending change can be seen`, async () => {
      const { jobName, warnings } = await run({ resize }, { preview: true, state: withCondition(failed) });
      assert.equal(jobName, "demo");
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /the Job default\/demo has failed \(BackoffLimitExceeded: too many\)/);
    });
  }

  it("is not one whose failure is over", async () => {
    const { jobName, warnings } = await run({}, { state: withCondition({ ...failed, status: "False" }) });
    assert.deepEqual([jobName, warnings], ["demo", []]);
  });
});

describe("pods that are slow to come up", function () {
  this.timeout(20_000);

  const slow = (milliseconds: number, isSlow = waits) => ({
    state: async ({ type }: pulumi.runtime.MockResourceArgs) => (isSlow(type) ? sleep(milliseconds, {}) : {}),
  });
  const hint = `warning: [runtime] still waiting for the pods of demo; to see more, run: ${diagnosis}`;

  for (const [resize, isSlow] of [
    [MiniClusterResize.Patch, waits],
    [MiniClusterResize.Manifest, (type: string) => type.endsWith(":Job")],
  ] as const)
    it(`bring a hint when half of the time has passed, with resize by ${resize}`, async () => {
      const { jobName, warnings } = await run({ waitTimeoutSeconds: 1, resize }, slow(700, isSlow));
      assert.deepEqual([jobName, warnings], ["demo", [hint]]);
    });

  it("cause no warning when they start in time", async () => {
    const { warnings } = await run({ waitTimeoutSeconds: 1 }, slow(50), 500);
    assert.deepEqual(warnings, []);
  });

  it("cause no warning in a preview, nor where nothing is waited for", async () => {
    assert.deepEqual((await run({ waitTimeoutSeconds: 1 }, { preview: true, ...slow(600) })).warnings, []);
    assert.deepEqual((await run({ waitTimeoutSeconds: 1, wait: MiniClusterWait.None }, slow(600))).warnings, []);
  });
});
