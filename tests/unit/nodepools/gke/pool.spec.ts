import * as assert from "node:assert/strict";
import type { GkeNodePoolArgs } from "../../../../provider";
import { buildNodePool } from "../../../../provider/nodepools/gke/pool";
import { parseGkeNodePoolArgs } from "../../../../provider/nodepools/gke/parse";
import { aFalconPoolArgs, aGkePoolArgs, aRocePoolArgs } from "./fixtures";

const poolOf = (args: GkeNodePoolArgs) => buildNodePool(parseGkeNodePoolArgs("hpc", args));

/** The inputs of a pool called "hpc", but for what is said otherwise. */
const inputs = ({ nodeConfig, ...rest }: { nodeConfig: object; [key: string]: unknown }) => ({
  cluster: "flux",
  location: "us-central1",
  nodeLocations: ["us-central1-a"],
  management: { autoRepair: true, autoUpgrade: true },
  upgradeSettings: { strategy: "SURGE", maxSurge: 0, maxUnavailable: 1 },
  ...rest,
  nodeConfig: {
    imageType: "COS_CONTAINERD",
    gvnic: { enabled: true },
    diskSizeGb: 150,
    labels: { "minicluster/pool": "hpc" },
    ...nodeConfig,
  },
});
const upTo = (totalMaxNodeCount: number, totalMinNodeCount = 0) => ({
  autoscaling: { totalMinNodeCount, totalMaxNodeCount, locationPolicy: "ANY" },
});
const gpus = (type: string, count: number, gpuDriverVersion = "DEFAULT") => ({
  guestAccelerators: [{ type, count, gpuDriverInstallationConfig: { gpuDriverVersion } }],
});
const unreserved = { reservationAffinity: { consumeReservationType: "NO_RESERVATION" } };
const onRequest = { management: { autoRepair: false, autoUpgrade: true } };

const cases: [name: string, args: GkeNodePoolArgs, want: object][] = [
  [
    "CPUs close to each other, with Tier_1 bandwidth and one thread of each core",
    aGkePoolArgs({
      ...{ machineType: "c2d-standard-112", fabric: "tier1", placement: "compact", threadsPerCore: 1, size: 256 },
      ...{ project: "p", version: "1.34.1-gke.1829001", placementPolicyName: "close", staticCpu: true },
    }),
    inputs({
      project: "p",
      version: "1.34.1-gke.1829001",
      nodeCount: 256,
      management: { autoRepair: true, autoUpgrade: true },
      placementPolicy: { type: "COMPACT", policyName: "close" },
      networkConfig: { networkPerformanceConfig: { totalEgressBandwidthTier: "TIER_1" } },
      nodeConfig: {
        machineType: "c2d-standard-112",
        advancedMachineFeatures: { threadsPerCore: 1 },
        kubeletConfig: {
          cpuManagerPolicy: "static",
          topologyManager: { policy: "restricted" },
          memoryManager: { policy: "Static" },
        },
      },
    }),
  ],
  [
    "ARM processors, scaled by need, with everything that is the user's to choose",
    aGkePoolArgs({
      ...{ machineType: "c4a-standard-72", autoscale: { min: 1, max: 8 }, threadsPerCore: 1, name: "arm" },
      ...{ labels: { team: "hpc" }, tags: { cost: "42" }, networkTags: ["mpi"], serviceAccount: "me@p.example" },
      ...{ diskGib: 300, diskType: "hyperdisk-balanced", autoUpgrade: false, autoRepair: false },
      taints: [
        { key: "mine", effect: "NoExecute" },
        { key: "ours", value: "yes", effect: "PreferNoSchedule" },
      ],
    }),
    inputs({
      nodeCount: 1,
      ...upTo(8, 1),
      management: { autoRepair: false, autoUpgrade: false },
      nodeConfig: {
        machineType: "c4a-standard-72",
        diskSizeGb: 300,
        diskType: "hyperdisk-balanced",
        labels: { team: "hpc", "minicluster/pool": "arm" },
        resourceLabels: { cost: "42" },
        tags: ["mpi"],
        taints: [
          { key: "mine", value: "", effect: "NO_EXECUTE" },
          { key: "ours", value: "yes", effect: "PREFER_NO_SCHEDULE" },
        ],
        serviceAccount: "me@p.example",
        oauthScopes: ["https://www.googleapis.com/auth/cloud-platform"],
      },
    }),
  ],
  [
    "GPUs that the machine comes with, and the newest driver",
    aGkePoolArgs({ machineType: "g2-standard-96", gpuDriver: "latest" }),
    inputs({ nodeCount: 2, nodeConfig: { machineType: "g2-standard-96", ...gpus("nvidia-l4", 8, "LATEST") } }),
  ],
  [
    "GPUs that are added, beside CPUs whose NUMA nodes the kubelet does not know",
    aGkePoolArgs({ machineType: "n1-standard-32", gpus: { type: "nvidia-tesla-v100", count: 4 }, staticCpu: true }),
    inputs({
      nodeCount: 2,
      nodeConfig: {
        machineType: "n1-standard-32",
        ...gpus("nvidia-tesla-v100", 4),
        kubeletConfig: { cpuManagerPolicy: "static" },
      },
    }),
  ],
  [
    "RoCE between GPUs: the second gVNIC comes first",
    aRocePoolArgs(),
    inputs({
      nodeCount: 2,
      networkConfig: {
        additionalNodeNetworkConfigs: [
          { network: "vpc-gvnic", subnetwork: "subnet-gvnic" },
          ...[0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({ network: "vpc-rdma", subnetwork: `subnet-${index}` })),
        ],
      },
      nodeConfig: { machineType: "a3-ultragpu-8g", ...gpus("nvidia-h200-141gb", 8) },
    }),
  ],
  [
    "Falcon between CPUs",
    aFalconPoolArgs({ placement: "compact" }),
    inputs({
      nodeCount: 2,
      placementPolicy: { type: "COMPACT" },
      networkConfig: { additionalNodeNetworkConfigs: [{ network: "vpc-rdma", subnetwork: "subnet-0" }] },
      nodeConfig: { machineType: "h4d-highmem-192-lssd" },
    }),
  ],
  [
    "queued nodes, of which none is there at first",
    aGkePoolArgs({ capacity: "queued", pairedWith: { size: 4, maxSize: 8 }, maxRunSeconds: 3600, zones: [] }),
    {
      ...inputs({
        ...upTo(8),
        ...onRequest,
        queuedProvisioning: { enabled: true },
        nodeConfig: { machineType: "n4-standard-16", ...unreserved, flexStart: true, maxRunDuration: "3600s" },
      }),
      nodeLocations: undefined,
    },
  ],
  [
    "spot machines",
    aGkePoolArgs({ capacity: "spot" }),
    inputs({ nodeCount: 2, nodeConfig: { machineType: "n4-standard-16", ...unreserved, spot: true } }),
  ],
  [
    "a reservation",
    aGkePoolArgs({ capacity: "reservation", reservationName: "projects/p/reservations/r" }),
    inputs({
      nodeCount: 2,
      nodeConfig: {
        machineType: "n4-standard-16",
        reservationAffinity: {
          consumeReservationType: "SPECIFIC_RESERVATION",
          key: "compute.googleapis.com/reservation-name",
          values: ["projects/p/reservations/r"],
        },
      },
    }),
  ],
];

describe("a GKE node pool", () => {
  for (const [name, args, want] of cases)
    it(`has, for ${name}, these inputs`, () => assert.deepEqual(poolOf(args), JSON.parse(JSON.stringify(want))));

  it("names the driver and the threads of a core that the user chooses", () => {
    const configOf = (args: Partial<GkeNodePoolArgs>) =>
      poolOf(aGkePoolArgs(args)).nodeConfig as { guestAccelerators: object[]; advancedMachineFeatures?: object };
    assert.deepEqual(
      configOf({ machineType: "a2-highgpu-8g", gpuDriver: "none" }).guestAccelerators,
      gpus("nvidia-tesla-a100", 8, "INSTALLATION_DISABLED").guestAccelerators,
    );
    assert.equal(configOf({ threadsPerCore: 2 }).advancedMachineFeatures, undefined);
  });
});

describe("the number of nodes of a GKE node pool", () => {
  const zones = ["us-central1-a", "us-central1-b", "us-central1-c"];
  const counts: [name: string, args: Partial<GkeNodePoolArgs>, nodeCount: number | undefined, limits: object][] = [
    ["a fixed size, shared out between zones", { size: 6 }, 2, {}],
    ["no node at all", { size: 0 }, 0, {}],
    ["what a cluster needs, rounded up", { pairedWith: { size: 4, maxSize: 9 } }, 2, upTo(9)],
    ["no more than the limit, rounded down", { pairedWith: { size: 4, maxSize: 5 } }, 1, upTo(5)],
    ["the least number of nodes", { autoscale: { min: 3, max: 9 } }, 1, upTo(9, 3)],
    ["none before they are needed", { autoscale: { max: 9 } }, undefined, upTo(9)],
    ["none where the zones are not known", { zones: [], pairedWith: { size: 4 } }, undefined, upTo(4)],
  ];
  for (const [name, args, perZone, limits] of counts)
    it(`is ${name}`, () => {
      const { nodeCount, autoscaling, initialNodeCount } = poolOf(aGkePoolArgs({ zones, ...args }));
      const { autoscaling: wanted } = limits as { autoscaling?: object };
      assert.deepEqual({ nodeCount, autoscaling }, { nodeCount: perZone, autoscaling: wanted });
      assert.equal(initialNodeCount, undefined);
    });
});
