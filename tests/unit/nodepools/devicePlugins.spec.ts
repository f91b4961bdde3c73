import * as assert from "node:assert/strict";
import {
  buildDevicePlugin,
  chosenPlugin,
  type DeviceKind,
  rdmaResource,
} from "../../../provider/nodepools/devicePlugins";
import { schemaProblems } from "../../support/apiSchema";
import { matchGolden } from "../../support/golden";

const kinds: DeviceKind[] = ["nvidia", "efa", "rdma"];

/** The DaemonSet of a plugin as the pool "hpc" runs it. */
function daemonSet(kind: DeviceKind, staticCpu = false) {
  const [plugin = assert.fail(kind)] = chosenPlugin(kind, true);
  return buildDevicePlugin(plugin, { pool: "hpc", staticCpu });
}

describe("the device plugins", () => {
  it("are those of tests/golden/pools/devicePlugins.yaml", () =>
    matchGolden("pools/devicePlugins.yaml", {
      ...Object.fromEntries(kinds.map((kind) => [kind, daemonSet(kind)])),
      "nvidia under the static CPU policy": daemonSet("nvidia", true),
    }));

  it("are valid for the Kubernetes API, and come from a pinned image", () => {
    for (const kind of kinds) {
      assert.deepEqual(schemaProblems(daemonSet(kind), "inputs.apps.v1.DaemonSet", kind), []);
      assert.match(JSON.stringify(daemonSet(kind)), /"image":"[\w.-]+\/[\w./-]+:v\d+\.\d+\.\d+"/);
    }
  });

  it("change under the static CPU policy where they are NVIDIA's alone", () => {
    for (const kind of ["efa", "rdma"] as const) assert.deepEqual(daemonSet(kind, true), daemonSet(kind));
  });

  it("are not run where they are skipped or there is no device", () => {
    for (const kind of kinds)
      assert.deepEqual([...chosenPlugin(kind, true, { skip: true }), ...chosenPlugin(kind, false)], []);
  });

  it("count RDMA under the name that pods request", () =>
    // The plugin's own prefix is "rdma".
    assert.ok(
      JSON.stringify(daemonSet("rdma")).includes(rdmaResource.replace("rdma/", String.raw`resourceName\":\"`)),
    ));
});
