import * as assert from "node:assert/strict";
import type { types } from "@pulumi/kubernetes";
import {
  buildDevicePlugin,
  chosenPlugin,
  type DeviceKind,
  pluginName,
  rdmaResource,
} from "../../../provider/nodepools/devicePlugins";
import { schemaProblems } from "../../support/apiSchema";

const kinds: DeviceKind[] = ["nvidia", "efa", "rdma"];

/** The DaemonSet of a plugin as the pool "hpc" runs it, from the pinned image unless another one is given. */
function daemonSet(kind: DeviceKind, { staticCpu = false, image }: { staticCpu?: boolean; image?: string } = {}) {
  const [plugin] = chosenPlugin(kind, true, image === undefined ? undefined : { image });
  return buildDevicePlugin(plugin ?? assert.fail(kind), { pool: "hpc", staticCpu });
}

interface Pod {
  metadata: { labels: object; annotations?: Record<string, string> };
  spec: Record<string, unknown> & {
    volumes: {
      name: string;
      hostPath?: { path: string };
      downwardAPI?: { items: { path: string; fieldRef: object }[] };
    }[];
    containers: [Container];
  };
}

interface Container extends Record<"image" | "securityContext" | "env", unknown> {
  command?: string[];
  volumeMounts: { name: string; mountPath: string }[];
}

const podOf = ({ spec }: types.input.apps.v1.DaemonSet) => (spec as unknown as { template: Pod }).template;
const containerOf = (set: types.input.apps.v1.DaemonSet) => podOf(set).spec.containers[0];

describe("the device plugins", () => {
  for (const kind of kinds) {
    it(`are valid for the Kubernetes API: ${kind}`, () => {
      for (const staticCpu of [false, true])
        assert.deepEqual(schemaProblems(daemonSet(kind, { staticCpu }), "inputs.apps.v1.DaemonSet", kind), []);
    });

    it(`run on the nodes of their own pool, whatever its taints: ${kind}`, () => {
      const set = daemonSet(kind);
      const { metadata, spec } = podOf(set);
      const labels = { "app.kubernetes.io/name": `${kind}-device-plugin`, "minicluster/pool": "hpc" };
      const name = `hpc-${kind}-device-plugin`;
      assert.deepEqual(set.metadata, { name, namespace: "kube-system", labels });
      assert.deepEqual(
        [(set.spec as { selector: object }).selector, metadata.labels],
        [{ matchLabels: labels }, labels],
      );
      assert.deepEqual(spec["nodeSelector"], { "minicluster/pool": "hpc" });
      assert.deepEqual(spec["tolerations"], [{ operator: "Exists" }]);
      assert.equal(spec["priorityClassName"], "system-node-critical");
      assert.notEqual(pluginName("other", kind), pluginName("hpc", kind));
    });

    it(`see each directory of the node at its own path, and reach the kubelet: ${kind}`, () => {
      const { volumes } = podOf(daemonSet(kind)).spec;
      const { volumeMounts } = containerOf(daemonSet(kind));
      assert.deepEqual(
        volumeMounts.map(({ name }) => name),
        volumes.map(({ name }) => name),
      );
      for (const [index, { hostPath }] of volumes.entries())
        if (hostPath) assert.equal(volumeMounts[index]?.mountPath, hostPath.path);
      assert.equal(volumeMounts[0]?.mountPath, "/var/lib/kubelet/device-plugins");
    });

    it(`come from a pinned image, or from another that is given: ${kind}`, () => {
      assert.match(String(containerOf(daemonSet(kind)).image), /^[\w.-]+\/[\w./-]+:v\d+\.\d+\.\d+$/);
      assert.equal(containerOf(daemonSet(kind, { image: "example.com/plugin:1" })).image, "example.com/plugin:1");
    });

    it(`are not run where they are skipped or there is no device: ${kind}`, () =>
      assert.deepEqual([...chosenPlugin(kind, true, { skip: true }), ...chosenPlugin(kind, false)], []));
  }

  it("have no more rights than they need", () => {
    const none = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
    assert.deepEqual(containerOf(daemonSet("nvidia")).securityContext, none);
    for (const kind of ["efa", "rdma"] as const) {
      assert.deepEqual(containerOf(daemonSet(kind)).securityContext, { privileged: true });
      assert.equal(podOf(daemonSet(kind)).spec["hostNetwork"], true);
    }
  });

  it("pass NVIDIA's devices one by one under the static CPU policy, and no other's", () => {
    const { env, securityContext } = containerOf(daemonSet("nvidia", { staticCpu: true }));
    assert.deepEqual(env, [{ name: "PASS_DEVICE_SPECS", value: "true" }]);
    assert.deepEqual(securityContext, { privileged: true });
    assert.equal(containerOf(daemonSet("nvidia")).env, undefined);
    for (const kind of ["efa", "rdma"] as const)
      assert.deepEqual(daemonSet(kind, { staticCpu: true }), daemonSet(kind));
  });

  it("give that of RDMA its file by an annotation, at the path of its command, which counts what pods ask for", () => {
    const { metadata, spec } = podOf(daemonSet("rdma"));
    const [[key, text] = assert.fail()] = Object.entries(metadata.annotations ?? {});
    const { downwardAPI, name } = spec.volumes.at(-1) ?? assert.fail();
    const fieldRef = { fieldPath: `metadata.annotations['${key}']` };
    assert.deepEqual(downwardAPI?.items, [{ path: "config.json", fieldRef }]);
    const { command, volumeMounts } = containerOf(daemonSet("rdma"));
    const directory = volumeMounts.find((mount) => mount.name === name)?.mountPath;
    assert.deepEqual(command?.slice(1), ["--config-file", `${directory}/config.json`]);
    const { configList } = JSON.parse(text) as { configList: { resourceName: string; selectors: object }[] };
    // The plugin's own prefix is "rdma"; Mellanox is PCI vendor 15b3.
    assert.equal(`rdma/${configList[0]?.resourceName}`, rdmaResource);
    assert.deepEqual(configList[0]?.selectors, { vendors: ["15b3"], linkTypes: ["infiniband"] });
  });
});
