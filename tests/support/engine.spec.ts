import * as assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import * as pulumi from "@pulumi/pulumi";

import { createStack, OperationError, type TestStack } from "./engine";

// A resource that lives in the state alone, so that these tests need neither a provider nor a cluster.
const stash = (input: unknown) => () => {
  const kept = new pulumi.Stash("kept", { input });
  return Promise.resolve({ kept: kept.output });
};

describe("the engine harness", function () {
  this.timeout(60_000);
  let stack: TestStack;

  before(async () => {
    stack = await createStack({ program: stash({ size: 4, queues: ["debug"] }) });
  });

  after(() => stack.dispose());

  it("previews what it would create, without creating it", async () => {
    const { changedSteps, summary, stdout } = await stack.preview();
    assert.deepEqual(changedSteps.map((step) => [step.op, step.name]).sort(), [
      ["create", "kept"],
      ["create", `minicluster-tests-${stack.name}`],
    ]);
    assert.deepEqual(summary, { create: 2 });
    assert.match(stdout, /2 to create/);
    assert.equal((await stack.exportState()).resources, undefined);
  });

  it("creates, and says what it kept", async () => {
    assert.deepEqual((await stack.up()).summary, { create: 2 });
    assert.deepEqual((await stack.outputs()).kept?.value, { size: 4, queues: ["debug"] });
    assert.ok(stack.stateSize > 0);
  });

  it("shows the old and the new value of each property that a new program changes", async () => {
    stack.program = stash({ size: 6, queues: ["debug", "batch"] });
    const { changedSteps } = await stack.preview();
    assert.deepEqual(
      changedSteps.map((step) => step.changes),
      [
        [
          { path: "input.queues[1]", kind: "add", old: undefined, new: "batch" },
          { path: "input.size", kind: "update", old: 4, new: 6 },
        ],
      ],
    );
  });

  it("raises an error that carries the diagnostics when a program fails, and works again after it", async () => {
    stack.program = () => Promise.reject(new Error("no such machine family"));
    await assert.rejects(stack.up(), (error: OperationError) => {
      assert.ok(error.result.diagnostics.some((d) => d.severity === "error" && /no such machine/.test(d.message)));
      return error instanceof OperationError;
    });
    stack.program = stash({ size: 6 });
    assert.deepEqual((await stack.up()).summary, { same: 1, update: 1 });
    assert.deepEqual((await stack.refresh()).summary, { same: 2 });
  });

  it("kills an operation midway, and the next one completes it", async () => {
    const registered = new Promise<void>((resolve) => {
      stack.program = async () => {
        const kept = new pulumi.Stash("kept", { input: 8 });
        kept.output.apply(() => resolve());
        await sleep(1_000);
      };
    });
    const operation = stack.start("up");
    operation.result.catch(() => undefined);
    await registered;
    await operation.kill();
    await assert.rejects(operation.result, OperationError);
    stack.program = stash(8);
    assert.deepEqual((await stack.up()).changedSteps, []);
  });

  it("interrupts an operation, which then ends in order", async () => {
    const program = stack.program;
    const started = new Promise<void>((resolve) => {
      stack.program = () => {
        resolve();
        return sleep(1_000);
      };
    });
    const operation = stack.start("up");
    operation.result.catch(() => undefined);
    await started;
    assert.match((await operation.interrupt()).stdout, /update canceled/);
    stack.program = program;
    assert.deepEqual((await stack.up()).changedSteps, []);
  });

  it("destroys what it created", async () => {
    assert.deepEqual((await stack.destroy()).summary, { delete: 2 });
    assert.equal((await stack.exportState()).resources, undefined);
  });
});
