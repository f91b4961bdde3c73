import * as assert from "node:assert/strict";
import type { EksNodePoolArgs, NodePoolScheduling } from "../../../provider";
import { eksMachineTypes } from "../../../provider/nodepools/eks/machineTypes";
import { buildLaunchTemplate, buildNodeGroup } from "../../../provider/nodepools/eks/pool";
import { buildNodePool } from "../../../provider/nodepools/gke/pool";
import { buildKarpenterPool, buildNodeClass } from "../../../provider/nodepools/karpenter/objects";
import { aksArgs, aksPool, aksProblems } from "./aks/fixtures";
import { itJudges } from "../../support/cases";
import { anEfaPoolArgs, anEksPool, anEksPoolArgs, eksProblemsOf } from "./eks/fixtures";
import { aGkePool, aGkePoolArgs, gkeProblemsOf } from "./gke/fixtures";
import { aKarpenterEfaArgs, aKarpenterEfaPool, karpenterProblemsOf } from "./karpenter/fixtures";

const both = { fabricBy: "claim", gpuBy: "claim" } as const;
const block = { capacity: "capacityBlock", reservationId: "cr-1" } as const;
const claimsIn = ({ claims, claimSets, matchAttributes, resources }: NodePoolScheduling) => ({
  claims: claims?.map(({ name, deviceClass, count }) => `${count} ${name} of ${deviceClass}`),
  ...{ claimSets, matchAttributes, counted: Object.keys(resources ?? {}) },
});
const [gpu, efa, rdma] = ["gpu of gpu.nvidia.com", "efa of efa.networking.k8s.aws", "rdma of mrdma.google.com"];
const near = { matchAttributes: ["resource.kubernetes.io/pcieRoot"] };
const alone = { claimSets: 1, matchAttributes: [] };
const pages = "hugepages-2Mi";
const a4x = { machineType: "a4x-highgpu-4g", fabric: "rdma" } as const;
const metal = {
  machineType: "a4x-maxgpu-4g-metal",
  fabric: "rdma",
  capacity: "reservation",
  reservationName: "r",
} as const;
const ultra = { machineType: "a3-ultragpu-8g", fabric: "rdma" } as const;
const anEfaPool = (type: string, args: Partial<EksNodePoolArgs> = {}) => anEksPool(anEfaPoolArgs(type, args));
const aks = (args: object) => aksPool({ machineType: "Standard_ND96isr_H100_v5", ...args });

describe("the claims of a pool", () => {
  const cases: [name: string, pool: { scheduling: NodePoolScheduling }, want: object][] = [
    [
      "EFA alone",
      anEfaPool("hpc7g.16xlarge", { fabricBy: "claim" }),
      { claims: [`1 ${efa}`], ...alone, counted: [pages] },
    ],
    [
      "GPUs alone",
      anEfaPool("p5.48xlarge", { gpuBy: "claim" }),
      { claims: [`8 ${gpu}`], ...alone, counted: ["vpc.amazonaws.com/efa", pages] },
    ],
    [
      "each GPU of p5 with the four interfaces near it",
      anEfaPool("p5.48xlarge", both),
      { claims: [`1 ${gpu}`, `4 ${efa}`], claimSets: 8, ...near, counted: [pages] },
    ],
    [
      "each two GPUs of p4d with the interface near them",
      anEfaPool("p4d.24xlarge", both),
      { claims: [`2 ${gpu}`, `1 ${efa}`], claimSets: 4, ...near, counted: [pages] },
    ],
    [
      "GPUs and interfaces of which nobody says where they are",
      anEfaPool("p5en.48xlarge", both),
      { claims: [`1 ${gpu}`, `2 ${efa}`], claimSets: 8, matchAttributes: [], counted: [pages] },
    ],
    [
      "Karpenter, without huge pages",
      aKarpenterEfaPool("p5.48xlarge", both),
      { claims: [`1 ${gpu}`, `4 ${efa}`], claimSets: 8, ...near, counted: [] },
    ],
    ["RDMA of A4X in every case", aGkePool(a4x), { claims: [`4 ${rdma}`], ...alone, counted: ["nvidia.com/gpu"] }],
    ["RDMA of A4X Max", aGkePool(metal), { claims: [`8 ${rdma}`], ...alone, counted: ["nvidia.com/gpu"] }],
    [
      "GPUs and RDMA on GKE",
      aGkePool({ ...ultra, ...both }),
      { claims: [`1 ${gpu}`, `1 ${rdma}`], claimSets: 8, matchAttributes: [], counted: [] },
    ],
    ["GPUs on AKS", aks({ gpuBy: "claim" }), { claims: [`8 ${gpu}`], ...alone, counted: [] }],
  ];
  for (const [name, { scheduling }, want] of cases)
    it(`are these for ${name}`, () => assert.deepEqual(claimsIn(scheduling), want));

  it("never go beyond the devices that one claim may have, whatever the machine", () => {
    for (const [type, { accelerator, efaInterfaces, hasDriver }] of Object.entries(eksMachineTypes)) {
      if (accelerator?.kind !== "nvidia" || efaInterfaces === 0 || !hasDriver) continue;
      const { claims = [], claimSets = 0 } = anEfaPool(type, {
        ...both,
        ...(type.startsWith("p6e") && block),
      }).scheduling;
      const [gpus, interfaces] = claims.map(({ count = 0 }) => count * claimSets);
      assert.deepEqual([gpus, interfaces], [accelerator.count, efaInterfaces], type);
      assert.ok(claims.map(({ count = 0 }) => count).reduce((sum, count) => sum + count, 0) <= 32, type);
    }
  });

  it("come with a domain of NVLink where GPUs of several nodes are in one, and in no other case", () => {
    const gb200 = anEfaPool("p6e-gb200.36xlarge", block).scheduling;
    assert.equal(gb200.computeDomain, true);
    assert.deepEqual(claimsIn(gb200), {
      ...{ claims: [], ...alone },
      counted: ["nvidia.com/gpu", "vpc.amazonaws.com/efa", pages],
    });
    for (const args of [a4x, metal]) assert.equal(aGkePool(args).scheduling.computeDomain, true);
    assert.equal(aks({ machineType: "Standard_ND128isr_GB300_v6" }).scheduling.computeDomain, true);
    assert.equal(anEfaPool("p6-b200.48xlarge").scheduling.computeDomain, false);
  });
});

describe("a pool whose pods claim devices", () => {
  const kindsOf = ({ devicePlugins }: { devicePlugins: { kind: string }[] }) => devicePlugins.map(({ kind }) => kind);

  it("runs no plugin for them", () => {
    assert.deepEqual(kindsOf(anEfaPool("p5.48xlarge", both)), []);
    assert.deepEqual(kindsOf(anEfaPool("p5.48xlarge", { gpuBy: "claim" })), ["efa"]);
    assert.deepEqual(kindsOf(aKarpenterEfaPool("p5.48xlarge", { fabricBy: "claim" })), ["nvidia"]);
    assert.deepEqual(kindsOf(aks({ gpuBy: "claim", fabric: "infiniband" })), ["rdma"]);
  });

  it("has the labels by which NVIDIA's driver finds its nodes, and none that waits for a plugin", () => {
    const present = { "nvidia.com/gpu.present": "true" };
    const labelsOf = (pool: ReturnType<typeof anEksPool>) =>
      buildNodeGroup(pool, { subnetIds: [], launchTemplate: { id: "lt-1", version: "1" } }).labels;
    const autoscaled = { machineTypes: ["p5.48xlarge"], autoscale: { max: 4 } };
    const own = { "minicluster/pool": "hpc" };
    assert.deepEqual(labelsOf(anEksPool({ ...autoscaled, gpuBy: "claim" })), { ...own, ...present });
    assert.deepEqual(labelsOf(anEksPool(autoscaled)), { ...own, "k8s.amazonaws.com/accelerator": "nvidia-h100" });
    assert.deepEqual(labelsOf(anEfaPool("p6e-gb200.36xlarge", block)), { ...own, ...present });
    const { template } = buildKarpenterPool(aKarpenterEfaPool("p5.48xlarge", both)).spec as {
      template: { metadata: { labels: object } };
    };
    assert.deepEqual(template.metadata.labels, { ...own, ...present });
  });

  it("turns off the plugin that Bottlerocket has itself", () => {
    const userData = (args: object) => {
      const pool = anEksPool({ machineTypes: ["p5.48xlarge"], os: "bottlerocket", ...args });
      const parts = { securityGroups: [], placementGroup: undefined };
      const { userData: encoded = "" } = buildLaunchTemplate(pool, parts) as { userData?: string };
      return Buffer.from(encoded, "base64").toString();
    };
    const off = "[settings.kubelet-device-plugins.nvidia]\nenabled = false\n";
    assert.equal(userData({ gpuBy: "claim" }), off);
    assert.equal(
      userData({ gpuBy: "claim", staticCpu: true }),
      `[settings.kubernetes]\ncpu-manager-policy = "static"\n\n${off}`,
    );
    assert.equal(userData({}), "");
  });

  it("leaves the interfaces to Karpenter, which knows no layout beside claims", () => {
    const { spec } = buildNodeClass(aKarpenterEfaPool("p6-b300.48xlarge", both));
    assert.equal(spec["networkInterfaces"], undefined);
    assert.equal(spec["associatePublicIPAddress"], false);
  });

  it("has its networks and their driver from GKE, which leaves GPUs alone", () => {
    const { networkConfig, nodeConfig } = buildNodePool(aGkePool({ ...ultra, ...both })) as {
      networkConfig: object;
      nodeConfig: { labels: object; gvnic?: object; guestAccelerators: { gpuDriverInstallationConfig: object }[] };
    };
    assert.deepEqual(networkConfig, { acceleratorNetworkProfile: "auto" });
    assert.deepEqual(nodeConfig.labels, {
      "cloud.google.com/gke-networking-dra-driver": "true",
      "gke-no-default-nvidia-gpu-device-plugin": "true",
      "cloud.google.com/gke-nvidia-gpu-dra-driver": "true",
      "nvidia.com/gpu.present": "true",
      "minicluster/pool": "hpc",
    });
    assert.deepEqual(nodeConfig.guestAccelerators[0]?.gpuDriverInstallationConfig, {
      gpuDriverVersion: "INSTALLATION_DISABLED",
    });
  });

  it("has on bare metal what Google asks for there", () => {
    const { nodeConfig } = buildNodePool(aGkePool(metal)) as {
      nodeConfig: { linuxNodeConfig: object; gvnic?: object; labels: object };
    };
    assert.deepEqual(nodeConfig.linuxNodeConfig, { hugepagesConfig: { hugepageSize2m: 4096 } });
    assert.equal(nodeConfig.gvnic, undefined);
    assert.deepEqual(nodeConfig.labels, {
      "cloud.google.com/gke-networking-dra-driver": "true",
      "cloud.google.com/gke-dpv2-unified-cni": "cni-migration",
      "nvidia.com/gpu.present": "true",
      "minicluster/pool": "hpc",
    });
  });
});

describe("the rules on claims", () => {
  type Named = { machineTypes: [string] };

  describe("of an EksNodePool", () =>
    itJudges(
      `
fabricBy: claim
  fabricBy: requires fabric "efa"; set it, or remove fabricBy
gpuBy: claim
  gpuBy: requires NVIDIA GPUs; remove gpuBy
!efa {machineTypes: [p5.48xlarge], fabricBy: claim, gpuBy: claim, nvidiaPlugin: {}, efaPlugin: {}}
  nvidiaPlugin: gpuBy "claim" is served by a DRA driver, and no plugin runs beside it; remove nvidiaPlugin
  efaPlugin: fabricBy "claim" is served by a DRA driver, and no plugin runs beside it; remove efaPlugin
!efa {machineTypes: [p6e-gb200.36xlarge], placement: none}
  capacity: p6e-gb200.36xlarge comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve one, and use "capacityBlock" with its id as reservationId
!efa {machineTypes: [p6e-gb200.36xlarge], capacity: spot}
  capacity: p6e-gb200.36xlarge comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve one, and use "capacityBlock" with its id as reservationId
!efa {machineTypes: [p5.48xlarge], fabricBy: claim, gpuBy: claim}
# A plugin for what nobody claims.
!efa {machineTypes: [p5.48xlarge], gpuBy: claim, efaPlugin: {}}
`,
      (args) => eksProblemsOf(anEksPoolArgs(args)),
      { "!efa": ({ machineTypes: [type], ...args }: Named) => anEfaPoolArgs(type, args) },
    ));

  describe("of a KarpenterNodePool", () =>
    itJudges(
      `
!efa {machineTypes: [p5.48xlarge], fabricBy: claim, gpuBy: claim, efaLayout: separate}
  efaLayout: Karpenter has no layout but its own for EFA by claims; use "combined", or remove efaLayout
!efa {machineTypes: [hpc7g.16xlarge], fabricBy: claim}
  machineTypes[0]: Karpenter brings no hpc7g.16xlarge for claims; use "plugin" in fabricBy and gpuBy, or an EksNodePool
!efa {machineTypes: [p5.48xlarge], fabricBy: claim, gpuBy: claim, os: bottlerocket, userData: a}
  userData: gpuBy "claim" turns off the plugin of Bottlerocket by its user data; remove userData
!efa {machineTypes: [p5.48xlarge], fabricBy: claim, gpuBy: claim}
`,
      karpenterProblemsOf,
      { "!efa": ({ machineTypes: [type], ...args }: Named) => aKarpenterEfaArgs(type, args) },
    ));

  describe("of a GkeNodePool", () =>
    itJudges(
      `
fabricBy: claim
  fabricBy: requires fabric "rdma"; set it, or remove fabricBy
gpuBy: claim
  gpuBy: n4-standard-16 has no GPUs; remove gpuBy
{machineType: a3-ultragpu-8g, fabric: rdma, fabricBy: claim, gvnicNetwork: {network: a, subnetwork: b}}
  gvnicNetwork: GKE makes the networks of a3-ultragpu-8g itself (DRANET); remove gvnicNetwork
{machineType: a3-ultragpu-8g, fabric: rdma, fabricBy: claim, gpuBy: claim, gpuDriver: latest}
  gpuDriver: GKE installs no driver where pods claim GPUs; install one by hand, and remove gpuDriver
{machineType: a4x-highgpu-4g, fabric: rdma, fabricBy: plugin}
  fabricBy: pods claim the RDMA interfaces of a4x-highgpu-4g; use "claim", or remove fabricBy
{machineType: h4d-highmem-192-lssd, fabric: rdma, fabricBy: claim}
  fabricBy: GKE has DRANET on nodes with GPUs, and h4d-highmem-192-lssd has none; remove fabricBy
{machineType: a4x-maxgpu-4g-metal, fabric: rdma}
  capacity: a4x-maxgpu-4g-metal comes from a reservation only; use "reservation", with its sub-block in reservationName
{machineType: a3-ultragpu-8g, fabric: rdma, fabricBy: claim, gpuBy: claim}
{machineType: a4x-highgpu-4g, fabric: rdma}
{machineType: a4x-maxgpu-4g-metal, fabric: rdma, capacity: reservation, reservationName: r}
`,
      (args) => gkeProblemsOf(aGkePoolArgs(args)),
    ));

  describe("of an AksNodePool", () =>
    itJudges(
      `
{machineType: Standard_HB176rs_v4, gpuBy: claim}
  gpuBy: requires NVIDIA GPUs, and Standard_HB176rs_v4 has none; remove gpuBy
{machineType: Standard_ND96isr_H100_v5, gpuBy: claim, nvidiaPlugin: {}}
  nvidiaPlugin: gpuBy "claim" is served by a DRA driver, and no plugin runs beside it; remove nvidiaPlugin
`,
      (args) => aksProblems(aksArgs(args)),
    ));
});
