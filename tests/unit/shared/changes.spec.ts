import * as assert from "node:assert/strict";
import { mock } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { type Inputs, numberAt, remarkOnCreate, remarkOnUpdate, type Remark } from "../../../provider/shared/changes";
import { mockEngine } from "../../support/mocks";

// The SDK keeps this out of its declarations.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { getStore } = require("@pulumi/pulumi/runtime/state") as { getStore: () => { supportsResourceHooks: boolean } };

/**
 * Gives the engine's stand-in what a component asks for before it speaks, and takes it away again. The SDK still cannot
 * register there, and must not try: it would wait for ever.
 */
async function withHooks<T>(run: () => Promise<T>): Promise<T> {
  const monitor = MockMonitor.prototype as { registerResourceHook?: () => void };
  monitor.registerResourceHook = () => undefined;
  getStore().supportsResourceHooks = false;
  try {
    return await run();
  } finally {
    delete monitor.registerResourceHook;
  }
}

/** The one hook of a binding. Nobody takes it here, so that its registration fails. */
function hookIn(hooks: unknown): pulumi.ResourceHook {
  const [hook, ...others] = hooks as (pulumi.ResourceHook & { __registered: Promise<void> })[];
  assert.ok(hook && others.length === 0);
  hook.__registered.catch(() => undefined);
  return hook;
}

/** What a hook says to people. */
async function saidBy(hook: pulumi.ResourceHook, event: Partial<pulumi.ResourceHookArgs>, said: string[] = []) {
  const spies = (["log", "warn"] as const).map((method) =>
    mock.method(console, method, (text: string) => void said.push(`${method} ${text}`)),
  );
  try {
    await hook.callback(event as pulumi.ResourceHookArgs);
  } finally {
    for (const spy of spies) spy.mock.restore();
  }
  return said;
}

describe("remarks on a change", () => {
  let component: pulumi.ComponentResource;
  beforeEach(async () => {
    await mockEngine();
    component = new pulumi.ComponentResource("test:index:Pool", "pool");
  });

  const compare = (before: Inputs, after: Inputs): Remark[] => [
    { severity: "info", text: `from ${JSON.stringify(before)}` },
    { severity: "warning", text: `to ${JSON.stringify(after)}` },
  ];

  it("are bound to nothing where there is no engine that could call", () => {
    assert.deepEqual(remarkOnUpdate("a", component, compare), {});
    assert.deepEqual(remarkOnCreate("a", component, compare({}, {})), {});
  });

  it("are spoken before an update, in a preview too, each as loud as it is", () =>
    withHooks(async () => {
      const { beforeUpdate, ...others } = remarkOnUpdate("update", component, compare);
      const hook = hookIn(beforeUpdate);
      assert.deepEqual([others, hook.name, hook.opts], [{}, "update", { onDryRun: true }]);
      assert.deepEqual(await saidBy(hook, { oldInputs: { a: 1 }, newInputs: { a: 2 } }), [
        'log info: [runtime] from {"a":1}',
        'warn warning: [runtime] to {"a":2}',
      ]);
      assert.equal((await saidBy(hook, {})).length, 2);
    }));

  it("stop what they come before where they are errors, once everything else is said", () =>
    withHooks(async () => {
      const remarks = ["error: too few", "info: look", "error: too many"].map((line) => line.split(": "));
      const errors = remarks.map(([severity, text]) => ({ severity, text }) as Remark);
      const hook = hookIn(remarkOnUpdate("stop", component, () => errors).beforeUpdate);
      const said: string[] = [];
      const message = "too few\ntoo many";
      await assert.rejects(saidBy(hook, {}, said), { message, stack: message });
      assert.deepEqual(said, ["log info: [runtime] look"]);
    }));

  it("are spoken before something is made, if there are any", () =>
    withHooks(async () => {
      const { beforeCreate, ...others } = remarkOnCreate("create", component, [{ severity: "warning", text: "look" }]);
      assert.deepEqual(others, {});
      assert.deepEqual(await saidBy(hookIn(beforeCreate), {}), ["warn warning: [runtime] look"]);
      assert.deepEqual(remarkOnCreate("silent", component, []), {});
    }));

  it("have names of their own, since the engine refuses a second one of a name", () =>
    withHooks(() => {
      const names = [1, 2, 3].map(() => hookIn(remarkOnUpdate("same", component, compare).beforeUpdate).name);
      assert.deepEqual(names, ["same", "same:2", "same:3"]);
      return Promise.resolve();
    }));
});

it("a number in the inputs of a resource is found where it is one, and known", () => {
  const inputs = { spec: { completions: 4, text: "4", list: [7] }, size: pulumi.output(3) };
  const numbers = ["spec.completions", "spec.list.0"].map((path) => numberAt(inputs, ...path.split(".")));
  assert.deepEqual(numbers, [4, 7]);
  for (const path of ["spec.text", "spec", "spec.completions.more", "none.at.all", "size"])
    assert.equal(numberAt(inputs, ...path.split(".")), undefined, path);
  assert.equal(numberAt(undefined, "a"), undefined);
});
