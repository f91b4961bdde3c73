import * as assert from "node:assert/strict";
import type { types } from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
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
  const [plugin] = chosenPlugin(kind, true, { skip: false, ...(image !== undefined && { image }) });
  assert.ok(plugin);
  return buildDevicePlugin(plugin, { pool: "hpc", staticCpu });
}

/** What the pods of a plugin are made of. */
function podOf(set: types.input.apps.v1.DaemonSet) {
  const spec = set.spec as types.input.apps.v1.DaemonSetSpec;
  return spec.template as { metadata: types.input.meta.v1.ObjectMeta; spec: types.input.core.v1.PodSpec };
}

const containerOf = (set: types.input.apps.v1.DaemonSet) =>
  (podOf(set).spec.containers as types.input.core.v1.Container[])[0]!;

/** A DaemonSet in full, from what is different between the kinds. */
function expected(kind: DeviceKind, pod: { metadata?: object; spec?: object }, container: object, volumes: object[]) {
  const labels = { "app.kubernetes.io/name": `${kind}-device-plugin`, "minicluster/pool": "hpc" };
  return {
    metadata: { name: `hpc-${kind}-device-plugin`, namespace: "kube-system", labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, ...pod.metadata },
        spec: {
          nodeSelector: { "minicluster/pool": "hpc" },
          tolerations: [{ operator: "Exists" }],
          priorityClassName: "system-node-critical",
          automountServiceAccountToken: false,
          ...pod.spec,
          containers: [{ name: "plugin", resources: { requests: { cpu: "10m", memory: "20Mi" } }, ...container }],
          volumes,
        },
      },
    },
  };
}

const kubelet = { name: "host-0", hostPath: { path: "/var/lib/kubelet/device-plugins", type: "Directory" } };
const kubeletMount = { name: "host-0", mountPath: "/var/lib/kubelet/device-plugins" };

// Network cards of Mellanox (PCI vendor 15b3) with an InfiniBand link: up to 63 pods of a node share all of them.
const rdmaConfig =
  '{"configList":[{"resourceName":"shared_ib","rdmaHcaMax":63,' +
  '"selectors":{"vendors":["15b3"],"linkTypes":["infiniband"]}}]}';

const whole: Record<DeviceKind, object> = {
  nvidia: expected(
    "nvidia",
    {},
    {
      image: "nvcr.io/nvidia/k8s-device-plugin:v0.20.0",
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
      volumeMounts: [kubeletMount],
    },
    [kubelet],
  ),
  efa: expected(
    "efa",
    { spec: { hostNetwork: true } },
    {
      image: "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/aws-efa-k8s-device-plugin:v0.5.20",
      securityContext: { privileged: true },
      volumeMounts: [
        kubeletMount,
        { name: "host-1", mountPath: "/dev/infiniband" },
        { name: "host-2", mountPath: "/opt/aws/neuron" },
      ],
    },
    [
      kubelet,
      { name: "host-1", hostPath: { path: "/dev/infiniband", type: "" } },
      { name: "host-2", hostPath: { path: "/opt/aws/neuron", type: "DirectoryOrCreate" } },
    ],
  ),
  rdma: expected(
    "rdma",
    {
      metadata: { annotations: { "minicluster/plugin-config": rdmaConfig } },
      spec: { hostNetwork: true },
    },
    {
      image: "ghcr.io/mellanox/k8s-rdma-shared-dev-plugin:v1.5.1",
      command: ["/bin/k8s-rdma-shared-dp", "--config-file", "/k8s-rdma-shared-dev-plugin/config.json"],
      securityContext: { privileged: true },
      volumeMounts: [
        kubeletMount,
        { name: "host-1", mountPath: "/var/lib/kubelet/plugins_registry" },
        { name: "host-2", mountPath: "/dev" },
        { name: "config", mountPath: "/k8s-rdma-shared-dev-plugin" },
      ],
    },
    [
      kubelet,
      { name: "host-1", hostPath: { path: "/var/lib/kubelet/plugins_registry", type: "DirectoryOrCreate" } },
      { name: "host-2", hostPath: { path: "/dev", type: "Directory" } },
      {
        name: "config",
        downwardAPI: {
          items: [
            { path: "config.json", fieldRef: { fieldPath: "metadata.annotations['minicluster/plugin-config']" } },
          ],
        },
      },
    ],
  ),
};

describe("the device plugins", () => {
  for (const kind of kinds) {
    it(`are run as their makers do: ${kind}`, () => assert.deepEqual(daemonSet(kind), whole[kind]));

    for (const staticCpu of [false, true])
      it(`are known to the Kubernetes API: ${kind}${staticCpu ? " with static CPUs" : ""}`, () =>
        assert.deepEqual(schemaProblems(daemonSet(kind, { staticCpu }), "inputs.apps.v1.DaemonSet", kind), []));

    it(`come to the nodes of their own pool, whatever its taints: ${kind}`, () => {
      const { nodeSelector, tolerations, priorityClassName } = podOf(daemonSet(kind)).spec;
      assert.deepEqual(nodeSelector, { "minicluster/pool": "hpc" });
      assert.deepEqual(tolerations, [{ operator: "Exists" }]);
      assert.equal(priorityClassName, "system-node-critical");
    });

    it(`have one name for each pool and kind: ${kind}`, () => {
      assert.equal(pluginName("hpc", kind), `hpc-${kind}-device-plugin`);
      assert.notEqual(pluginName("other", kind), pluginName("hpc", kind));
    });

    it(`come from another image when one is given: ${kind}`, () =>
      assert.equal(containerOf(daemonSet(kind, { image: "example.com/plugin:1" })).image, "example.com/plugin:1"));

    it(`are not run where they are left out or there is no device: ${kind}`, () => {
      assert.deepEqual(chosenPlugin(kind, true, { skip: true, image: "a" }), []);
      assert.deepEqual(chosenPlugin(kind, false, { skip: false, image: "a" }), []);
    });
  }

  it("take an image that is only known later as it is", () => {
    const image = pulumi.output("example.com/plugin:1");
    assert.equal(chosenPlugin("rdma", true, { skip: false, image })[0]?.image, image);
  });

  it("pass NVIDIA's devices one by one under the static CPU policy", () => {
    const { env, securityContext } = containerOf(daemonSet("nvidia", { staticCpu: true }));
    assert.deepEqual(env, [{ name: "PASS_DEVICE_SPECS", value: "true" }]);
    assert.deepEqual(securityContext, { privileged: true });
  });

  for (const kind of ["efa", "rdma"] as const)
    it(`do not change with the static CPU policy: ${kind}`, () =>
      assert.deepEqual(daemonSet(kind, { staticCpu: true }), whole[kind]));
});

describe("the file of the RDMA plugin", () => {
  const { metadata, spec } = podOf(daemonSet("rdma"));
  const annotations = metadata.annotations as Record<string, string>;

  it("reaches it as an annotation of its pods, at the path that its command names", () => {
    const volumes = spec.volumes as types.input.core.v1.Volume[];
    const { downwardAPI, name } = volumes.find((volume) => "downwardAPI" in volume)!;
    const [item] = (downwardAPI as { items: { path: string; fieldRef: { fieldPath: string } }[] }).items;
    const key = /^metadata\.annotations\['(.+)'\]$/.exec(item!.fieldRef.fieldPath)?.[1] ?? "";
    assert.ok(key in annotations, key);
    const { command, volumeMounts } = containerOf(daemonSet("rdma"));
    const mounts = volumeMounts as types.input.core.v1.VolumeMount[];
    const mount = mounts.find((each) => each.name === name);
    assert.equal((command as string[]).at(-1), `${mount?.mountPath as string}/${item!.path}`);
  });

  it("counts InfiniBand by the name that pods ask for", () => {
    const [text] = Object.values(annotations);
    const { configList } = JSON.parse(text!) as { configList: { resourcePrefix?: string; resourceName: string }[] };
    // The plugin's own prefix is "rdma".
    assert.deepEqual(
      configList.map(({ resourcePrefix = "rdma", resourceName }) => `${resourcePrefix}/${resourceName}`),
      [rdmaResource],
    );
  });
});
