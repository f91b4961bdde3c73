import assert from "node:assert/strict";
import { EksNodePool, type EksNodePoolArgs, GkeNodePool, MiniCluster, type MiniClusterArgs } from "../../provider";
import { waitFor } from "../sandbox/waiting";
import { type CloudStack, cloudOfSuite, startCloud, withCloudStack } from "../support/clouds";
import { isRefused, messages } from "../support/clusters";
import {
  allocatedIn,
  channel,
  efaOn,
  gpusOn,
  installComputeDomains,
  installDeviceClasses,
  makeChannelTemplate,
  publishDevices,
  rdmaOn,
} from "../support/devices";

const eks = {
  clusterName: "research",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  subnetIds: ["subnet-a1", "subnet-b1"],
  zones: ["us-east-1a"],
  fabric: "efa",
} satisfies Partial<EksNodePoolArgs>;
const p4d = { ...eks, machineTypes: ["p4d.24xlarge"], fabricBy: "claim", gpuBy: "claim" } satisfies EksNodePoolArgs;
const gb200: EksNodePoolArgs = {
  ...eks,
  machineTypes: ["p6e-gb200.36xlarge"],
  capacityType: "capacityBlock",
  reservationId: "cr-0a",
};
const sizes = { size: 2, maxSize: 4 };

type Cluster = Partial<MiniClusterArgs>;

const miniCluster = (namespace: string, scheduling: MiniClusterArgs["pool"], cluster: Cluster) =>
  new MiniCluster("demo", {
    namespace,
    waitTimeoutSeconds: 60,
    ...sizes,
    pool: scheduling,
    ...cluster,
    containers: [{ image: "ubuntu:noble", command: "sleep 600" }],
  });

/** A cluster on a pool of EKS. */
const onEks =
  (args: EksNodePoolArgs, cluster: Cluster = {}) =>
  (namespace: string) =>
  () => {
    miniCluster(namespace, new EksNodePool("hpc", { ...args, ...sizes }).scheduling, cluster);
  };

const onGke = (namespace: string) => () => {
  const { scheduling } = new GkeNodePool("hpc", {
    clusterName: "research",
    location: "us-central1",
    zones: ["us-central1-a"],
    machineType: "a3-ultragpu-8g",
    fabric: "rdma",
    fabricBy: "claim",
    ...sizes,
  });
  miniCluster(namespace, scheduling, {});
};

describe("Device claims", () => {
  it("are refused by a server without resource.k8s.io/v1, with the reason, and a preview warns", async () => {
    const cloud = await startCloud({ withoutApis: ["resource.k8s.io/v1"] });
    try {
      const text = /cluster has no resource\.k8s\.io\/v1: .*\(Kubernetes 1\.34 or later\); upgrade the/;
      const body = async (it: CloudStack) => {
        await isRefused(it.stack, text);
        assert.deepEqual(await cloud.kube.podsOfJob(it.namespace, "demo"), []);
      };
      await withCloudStack(cloud, onEks(p4d), body, { reads: true });
    } finally {
      await cloud.cluster.stop();
    }
  });

  describe("in a cluster that has them", () => {
    const cloud = cloudOfSuite();

    const publish = (node: string, ...drivers: Parameters<typeof publishDevices>[2]) =>
      publishDevices(cloud.kube, node, drivers);
    const nodesOf = async (namespace: string) =>
      (await cloud.kube.podsOfJob(namespace, "demo")).map(({ node }) => node).sort();
    const [near, far] = [
      ["pci0000:10", "pci0000:20", "pci0000:90", "pci0000:a0"],
      ["pci0000:11", "pci0000:21", "pci0000:91", "pci0000:a1"],
    ];

    it("warn of a cluster whose drivers are missing, by their names, and are made all the same", () => {
      const body = async ({ stack }: CloudStack) => {
        await stack.preview();
        const said = messages(await stack.up()).join("\n");
        assert.match(said, /no DeviceClass gpu\.nvidia\.com: pods stay Pending; install NVIDIA's DRA driver/);
        assert.match(said, /no DeviceClass efa\.networking\.k8s\.aws: .* \(chart aws-dranet\)/);
      };
      return withCloudStack(cloud, onEks(p4d, { wait: "none" }), body, { reads: true });
    });

    describe("and its drivers", () => {
      before(() => installDeviceClasses(cloud.kube));

      it("bring pods where the devices are, each GPU with an interface near it, and nowhere else", () =>
        withCloudStack(cloud, onEks(p4d, { wait: "none" }), async ({ stack, namespace, addNodes }) => {
          const [one, other, apart] = (await addNodes(await stack.preview(), 4)) as [string, string, string];
          for (const node of [one, other]) await publish(node, gpusOn(near, 8), efaOn(near, 4));
          // As many devices, and none near another; the fourth node has none at all.
          await publish(apart, gpusOn(near, 8), efaOn(far, 4));
          await stack.up();
          await waitFor("two pods on nodes", async () =>
            (await nodesOf(namespace)).every((node) => node !== undefined),
          );
          assert.deepEqual(await nodesOf(namespace), [one, other].sort());

          const claims = await allocatedIn(cloud.kube, namespace);
          assert.equal(claims.length, 2 * 4);
          const rootOf = ({ driver, device }: { driver: string; device: string }) =>
            // The first device of the network driver is Ethernet.
            (Number(device.replace("device-", "")) - (driver === "dra.net" ? 1 : 0)) % near.length;
          for (const devices of claims) {
            assert.equal(
              devices
                .map(({ driver }) => driver)
                .sort()
                .join(),
              "dra.net,gpu.nvidia.com,gpu.nvidia.com",
            );
            assert.equal(new Set(devices.map(rootOf)).size, 1);
          }

          stack.program = onEks(p4d, { wait: "none", size: 3 })(namespace);
          await stack.up();
          const waiting = async () => {
            const pods = await cloud.kube.podsOfJob(namespace, "demo");
            return pods.flatMap(({ pod }) => unschedulable(pod)).join();
          };
          await waitFor("the third pod to find no devices", async () =>
            /cannot allocate all claims/.test(await waiting()),
          );
        }));

      it("bring pods to the interfaces of GKE's DRANET, beside GPUs that a plugin counts", () =>
        withCloudStack(cloud, onGke, async ({ stack, namespace, addNodes }) => {
          const nodes = await addNodes(await stack.preview(), 3);
          const [, ...withDevices] = nodes;
          for (const node of withDevices) await publish(node, rdmaOn(8));
          await stack.up();
          assert.deepEqual(await nodesOf(namespace), withDevices.sort());
        }));

      it("are refused on GB200 without NVIDIA's driver, whose ComputeDomain connects the pods", () => {
        const text = /no resource\.nvidia\.com\/v1beta1: .*install NVIDIA's DRA driver/;
        return withCloudStack(cloud, onEks(gb200), ({ stack }) => isRefused(stack, text), { reads: true });
      });

      describe("of NVLink domains as well", () => {
        before(() => installComputeDomains(cloud.kube));

        it("give each pod the channel of its cluster, and the domain goes with the cluster", () =>
          withCloudStack(cloud, onEks(gb200), async ({ stack, namespace, addNodes }) => {
            const domains = () =>
              cloud.kube.list({ apiVersion: "resource.nvidia.com/v1beta1", kind: "ComputeDomain", namespace });
            for (const node of await addNodes(await stack.preview(), 2)) await publish(node, channel);
            await makeChannelTemplate(cloud.kube, namespace, "demo");
            await stack.up();
            assert.deepEqual(
              (await domains()).map(({ metadata }) => metadata.name),
              ["demo"],
            );
            const claims = await allocatedIn(cloud.kube, namespace);
            assert.deepEqual(
              claims.map((devices) => devices.map(({ driver }) => driver)),
              [["compute-domain.nvidia.com"], ["compute-domain.nvidia.com"]],
            );
            await stack.destroy();
            assert.deepEqual(await domains(), []);
          }));
      });
    });
  });
});

/** The scheduler's reasons for which it finds no node for a pod. */
function unschedulable(pod: object): string[] {
  const { status } = pod as { status?: { conditions?: { reason?: string; message?: string }[] } };
  const conditions = status?.conditions ?? [];
  return conditions.filter(({ reason }) => reason === "Unschedulable").map(({ message = "" }) => message);
}
