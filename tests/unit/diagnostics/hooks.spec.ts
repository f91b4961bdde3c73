import * as assert from "node:assert/strict";
import { mock } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import {
  afterUpdate,
  beforeCreate,
  beforeUpdate,
  type Diagnostic,
  type Inputs,
  hookMillis,
  mergeHooks,
  onError,
} from "../../../provider/diagnostics/hooks";
import { mockEngine } from "../../support/mocks";

// The SDK keeps this out of its declarations.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { getStore } = require("@pulumi/pulumi/runtime/state") as { getStore: () => { supportsResourceHooks: boolean } };

/**
 * Lets the engine's stand-in call back while `run` runs. The SDK still cannot register a hook there, and must not try:
 * it would wait for ever.
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

/** The one hook of a binding. The stand-in does not take it, so that its registration fails. */
function hookIn(hooks: unknown): pulumi.ResourceHook {
  const [hook, ...more] = hooks as (pulumi.ResourceHook & { __registered: Promise<void> })[];
  assert.ok(hook && more.length === 0);
  hook.__registered.catch(() => undefined);
  return hook;
}

/** The lines that a hook logs. */
async function loggedBy(hook: pulumi.ResourceHook, event: Partial<pulumi.ResourceHookArgs>, lines: string[] = []) {
  const spies = (["log", "warn"] as const).map((method) =>
    mock.method(console, method, (text: string) => void lines.push(`${method} ${text}`)),
  );
  try {
    await hook.callback(event as pulumi.ResourceHookArgs);
  } finally {
    for (const spy of spies) spy.mock.restore();
  }
  return lines;
}

describe("the hooks with diagnostics", () => {
  let component: pulumi.ComponentResource;
  beforeEach(async () => {
    await mockEngine();
    component = new pulumi.ComponentResource("test:index:Pool", "pool");
  });

  const compare = (before: Inputs, after: Inputs): Diagnostic[] => [
    { severity: "info", message: `from ${JSON.stringify(before)}` },
    { severity: "warning", message: `to ${JSON.stringify(after)}` },
  ];

  it("are left out where the engine cannot call back", () => {
    assert.deepEqual(beforeUpdate("a", component, compare), {});
    assert.deepEqual(
      beforeCreate("a", component, () => compare({}, {})),
      {},
    );
  });

  it("log before an update, in a preview too, each diagnostic with its severity", () =>
    withHooks(async () => {
      const binding = beforeUpdate("update", component, compare);
      const hook = hookIn(binding.beforeUpdate);
      assert.deepEqual([Object.keys(binding), hook.name, hook.opts], [["beforeUpdate"], "update", { onDryRun: true }]);
      assert.deepEqual(await loggedBy(hook, { oldInputs: { a: 1 }, newInputs: { a: 2 } }), [
        'log info: [runtime] from {"a":1}',
        'warn warning: [runtime] to {"a":2}',
      ]);
      assert.equal((await loggedBy(hook, {})).length, 2);
    }));

  it("stop the operation on errors, after all other diagnostics are logged", () =>
    withHooks(async () => {
      const lines = ["error: too few", "info: look", "error: too many"].map((line) => line.split(": "));
      const diagnostics = lines.map(([severity, message]) => ({ severity, message }) as Diagnostic);
      const hook = hookIn(beforeUpdate("stop", component, () => diagnostics).beforeUpdate);
      const logged: string[] = [];
      const message = "too few\ntoo many";
      await assert.rejects(loggedBy(hook, {}, logged), { message, stack: message });
      assert.deepEqual(logged, ["log info: [runtime] look"]);
    }));

  it("log before a resource is created", () =>
    withHooks(async () => {
      const binding = beforeCreate("create", component, () => [{ severity: "warning", message: "look" }]);
      assert.deepEqual(Object.keys(binding), ["beforeCreate"]);
      assert.deepEqual(await loggedBy(hookIn(binding.beforeCreate), {}), ["warn warning: [runtime] look"]);
    }));

  it("log the result of an update after it, and not in a preview, which has none", () =>
    withHooks(async () => {
      const hook = hookIn(afterUpdate("after", component, compare).afterUpdate);
      assert.deepEqual(hook.opts, { onDryRun: false });
      assert.equal((await loggedBy(hook, { oldInputs: { a: 1 }, newInputs: { a: 2 } })).length, 2);
    }));

  describe("that wait for what never comes", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
    afterEach(() => mock.timers.reset());
    const never = () => new Promise<Diagnostic[]>(() => undefined);

    it("let the engine go on when their time is over", () =>
      withHooks(async () => {
        const before = loggedBy(hookIn(beforeCreate("before", component, never).beforeCreate), {});
        mock.timers.tick(hookMillis.before);
        assert.deepEqual(await before, []);
        const [hook] = onError("error", component, never).onError ?? [];
        const after = hook?.callback({ errors: ["timed out"] } as unknown as pulumi.ErrorHookArgs);
        mock.timers.tick(hookMillis.onError);
        assert.equal(await after, false);
      }));
  });

  it("give no reason for an operation that the user has interrupted", () =>
    withHooks(async () => {
      const said: string[] = [];
      const [hook] = onError("error", component, (errors) => {
        said.push(...errors);
        return Promise.resolve([]);
      }).onError as pulumi.ErrorHook[];
      for (const error of ["context canceled", 'Resource operation was cancelled for "demo"', "no such kind"])
        await hook?.callback({ errors: [error, "context canceled"] } as unknown as pulumi.ErrorHookArgs);
      assert.deepEqual(said, ["no such kind", "context canceled"]);
    }));

  it("have unique names, since the engine rejects a second hook of one name", () =>
    withHooks(() => {
      const names = [1, 2, 3].map(() => hookIn(beforeUpdate("same", component, compare).beforeUpdate).name);
      assert.deepEqual(names, ["same", "same:2", "same:3"]);
      return Promise.resolve();
    }));

  it("are merged in order, for every event of the engine", () => {
    const events = [
      ...(["beforeCreate", "afterCreate", "beforeUpdate", "afterUpdate"] as const),
      ...(["beforeDelete", "afterDelete", "onError"] as const),
    ];
    const bindings = ["first", "second"].map(
      (hook) => Object.fromEntries(events.map((event) => [event, [hook]])) as pulumi.ResourceHookBinding,
    );
    assert.deepEqual(
      mergeHooks(...bindings, {}),
      Object.fromEntries(events.map((event) => [event, ["first", "second"]])),
    );
  });
});
