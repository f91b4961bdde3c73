import * as assert from "node:assert/strict";
import type { NodePoolScheduling } from "../../../../provider";
import type { DevicePlugin } from "../../../../provider/clouds/nodes/parse/devicePlugins";
import { pool as poolFields } from "../../../../provider/clouds/nodes/parse/pool";
import type { Diagnostic } from "../../../../provider/diagnostics/hooks";
import { differences } from "../../../support/differences";
import { matchGolden } from "../../../support/golden";
import { expecting } from "../../../support/problems";

/** Objects that a pool is made of, and its scheduling output. */
type Made = Record<string, object | undefined> & { scheduling: NodePoolScheduling };

/** What pools of every cloud have: their scheduling, and the images of their device plugins. */
export const ofAnyCloud = (spec: { scheduling: NodePoolScheduling; devicePlugins?: DevicePlugin[] }) => ({
  scheduling: spec.scheduling,
  plugins: Object.fromEntries((spec.devicePlugins ?? []).map((one) => [one.kind, one.isDivided ? one : one.image])),
});

/**
 * Compares pools, by name and arguments, with tests/golden/pools. The file has the first of them as a whole, and the
 * differences of the others.
 */
export function itMakes<Args>(cloud: string, pools: Record<string, NoInfer<Args>>, make: (args: Args) => Made): void {
  it(`is made of what is in tests/golden/pools/${cloud}.yaml`, () => {
    const made = Object.entries(pools).map(([name, args]) => [name, asSent(make(args))] as const);
    for (const [name, { scheduling }] of made)
      assert.deepEqual(poolFields.parse(scheduling), scheduling, `${name}: a MiniCluster understands it word for word`);
    const [[, plain] = ["", {}]] = made;
    const others = made.slice(1).map(([name, pool]) => [name, differences(pool, plain)]);
    matchGolden(`pools/${cloud}.yaml`, Object.fromEntries([...made.slice(0, 1), ...others]));
  });
}

/** Tests of arguments by the diagnostics on them, each as `severity: message`. */
export function diagnosing<Args>(diagnose: (args: Args) => Diagnostic[]) {
  const tests = expecting((args: Args) => diagnose(args).map(({ severity, message }) => `${severity}: ${message}`));
  return { says: tests.one, saysAll: tests.all, saysNothing: tests.none };
}

/** One test for each rule that all machines of a table keep. It names those that break it. */
export function itHolds<Row extends { name: string }>(rows: Row[], rules: Record<string, (row: Row) => boolean>): void {
  for (const [rule, keeps] of Object.entries(rules))
    it(rule, () => {
      const broken = rows.filter((row) => !keeps(row));
      assert.deepEqual(names(broken), []);
    });
}

export const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

/** Inputs of a cloud's resource, as the engine has them. */
export const asInputs = (inputs: object) => inputs as Record<string, unknown>;

const asSent = (made: Made) => JSON.parse(JSON.stringify(made)) as Record<string, Record<string, unknown>>;
