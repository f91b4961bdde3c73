import * as assert from "node:assert/strict";
import { mock } from "node:test";
import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { uidOf, waitDiagnostics } from "../../../../provider/core/diagnostics/waiting";
import features from "../../../../provider/minicluster/features";
import { within } from "../../../../provider/shared/deferred";
import { aMiniCluster } from "../../../support/fixtures";
import { mockEngine } from "../../../support/mocks";

// The SDK keeps this out of its declarations.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { getStore } = require("@pulumi/pulumi/runtime/state") as { getStore: () => { supportsErrorHooks: boolean } };

/** A Job whose own update fails: its outputs never get values. */
const failing = { metadata: pulumi.output(new Promise<never>(() => undefined)) } as unknown as Job;

describe("the hook on a wait that has timed out", () => {
  let component: pulumi.ComponentResource;
  const monitor = MockMonitor.prototype as { registerResourceHook?: () => void };
  beforeEach(async () => {
    await mockEngine();
    component = new pulumi.ComponentResource("test:index:Cluster", "cluster");
    monitor.registerResourceHook = () => undefined;
    getStore().supportsErrorHooks = false;
  });
  afterEach(() => delete monitor.registerResourceHook);

  /** The errors that the hook logs for an error of the engine. */
  async function loggedFor(error: string): Promise<string[]> {
    const cluster = { component, uid: uidOf(failing), features };
    const [hook] = waitDiagnostics("demo", aMiniCluster(), cluster).onError as (pulumi.ErrorHook & {
      __registered: Promise<void>;
    })[];
    hook?.__registered.catch(() => undefined);
    const lines: string[] = [];
    const spy = mock.method(console, "error", (text: string) => void lines.push(text));
    const isOver = hook?.callback({ errors: [error] } as unknown as pulumi.ErrorHookArgs);
    // It ends: nothing else keeps this process awake.
    const alive = setInterval(() => undefined, 100);
    try {
      assert.equal(await isOver, false);
    } finally {
      clearInterval(alive);
      spy.mock.restore();
    }
    return lines;
  }

  it("reports its reason if the update of the Job fails at the same time", async () => {
    const [line, ...more] = await loggedFor(
      "failed to fully initialize or become live: timed out waiting for the condition",
    );
    assert.match(line ?? "", /the pods of demo have not all become Ready in time; to see more, run: kubectl describe/);
    assert.deepEqual(more, []);
  }).timeout(30_000);

  it("is silent about an error that is its own reason", async () => {
    assert.deepEqual(await loggedFor("jobs.batch demo is forbidden: rejected by a policy"), []);
  });
});

describe("a value that may never be known", () => {
  it("is replaced after its time, and used before", async () => {
    const alive = setInterval(() => undefined, 100);
    assert.equal(await within(10, new Promise(() => undefined), "none"), "none");
    clearInterval(alive);
    assert.equal(await within(10_000, Promise.resolve("one"), "none"), "one");
    await assert.rejects(within(10_000, Promise.reject(new Error("broken")), "none"), /broken/);
  });
});
