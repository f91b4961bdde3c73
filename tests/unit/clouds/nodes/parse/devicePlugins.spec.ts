import * as assert from "node:assert/strict";
import { buildDevicePlugin } from "../../../../../provider/clouds/nodes/objects";
import { chosenPlugin, type DeviceKind } from "../../../../../provider/clouds/nodes/parse/devicePlugins";
import { matchGolden } from "../../../../support/golden";

const kinds: DeviceKind[] = ["nvidia", "efa", "rdma", "modules", "gib"];

/** The DaemonSet of a plugin as the pool "hpc" runs it. */
function daemonSet(kind: DeviceKind, staticCpu = false, isDivided = false) {
  const [plugin = assert.fail(kind)] = chosenPlugin(kind, true);
  return buildDevicePlugin({ ...plugin, isDivided }, { pool: "hpc", staticCpu });
}

describe("the device plugins", () => {
  it("are those of tests/golden/pools/devicePlugins.yaml", () =>
    matchGolden("pools/devicePlugins.yaml", {
      ...Object.fromEntries(kinds.map((kind) => [kind, daemonSet(kind)])),
      "nvidia under the static CPU policy": daemonSet("nvidia", true),
      "nvidia for divided GPUs": daemonSet("nvidia", false, true),
    }));

  for (const kind of kinds)
    it(`are of a pinned image and run only where they are wanted: ${kind}`, () => {
      const set = daemonSet(kind);
      assert.match(JSON.stringify(set), /"image":"[\w.-]+\/[\w./-]+:(v\d+\.\d+\.\d+|24\.04)"/);
      assert.deepEqual([...chosenPlugin(kind, true, { skip: true }), ...chosenPlugin(kind, false)], []);
      // The static CPU policy and parts of GPUs concern NVIDIA's alone.
      if (kind !== "nvidia") assert.deepEqual(daemonSet(kind, true), set);
    });
});
