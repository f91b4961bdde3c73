import { parseArgs, rules } from "../../../../shared/rules";
import { gkePlace } from "../../../kubernetes/parse";
import { NodePoolFabric, NodePoolLocalDisks } from "../../../nodes/args";
import { stripedDisk } from "../../../nodes/parse/localDisks";
import { buildScheduling, byClaim, type FabricUse, type GpuSharing } from "../../../nodes/parse/scheduling";
import { resolveSizing } from "../../../nodes/parse/sizing";
import {
  type GkeMachineType,
  gkeMachineType,
  type GkeRdma,
  isClaimed,
  networkLabelsOf,
  ownTaints,
  placementOf,
  withGpus,
  hasSecondGvnic,
} from "../../machines";
import { partitionsOf } from "../../machines/accelerated";
import {
  type GkeNodePoolArgs,
  GkeNodePoolCapacityType,
  GkeNodePoolFabric,
  GkeNodePoolGpuDriver,
  type GkeNodePoolRdmaNetworkArgs,
} from "../args";
import { type GkePoolFields, gkePoolFields, isOnRequest } from "./fields";
import { gibInstaller } from "./gib";
import { gkeRules } from "./rules";

const schema = gkePoolFields.check(rules(...gkeRules));

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseGkeNodePoolArgs = (resourceName: string, args: GkeNodePoolArgs) =>
  buildSpec(parseArgs(schema, "GkeNodePool", resourceName, args));

/** Arguments that are all checked, with every default set. */
export type GkePoolSpec = ReturnType<typeof buildSpec>;

function buildSpec(args: GkePoolFields) {
  const type = gkeMachineType(args.machineType, args.hardware);
  if (!type) throw new Error(`the rules did not reject the unknown machine type ${args.machineType}`);
  const machine = withGpus(type, args.gpus);
  const sizing = resolveSizing(args);
  const { rdmaNetworks = [] } = args;
  const taints = [...ownTaints(machine, args), ...args.taints];
  const gpuUse = gpuUseOf(machine, args);
  const fabric = fabricUse(machine, { ...args, rdmaNetworks });
  return {
    ...args,
    ...gkePlace(args),
    machine,
    sizing,
    gpuUse,
    rdmaNetworks,
    gpuDriver: args.gpuDriver ?? (byClaim(args.gpuBy) ? GkeNodePoolGpuDriver.None : GkeNodePoolGpuDriver.Default),
    autoRepair: args.autoRepair ?? !isOnRequest(args),
    // An upgrade during the run of a gang would remove one of its nodes.
    autoUpgrade: args.autoUpgrade ?? args.capacityType !== GkeNodePoolCapacityType.Queued,
    placement: placementOf(args),
    devicePlugins: gibInstaller(machine, args),
    scheduling: buildScheduling({
      ...args,
      machine,
      sizing,
      taints,
      gpuUse,
      fabric,
      networkLabels: networkLabelsOf(args),
      localDisk: stripedDisk(machine, localDisksOf(machine, args)),
      interruption: interruptionOf(args),
    }),
  };
}

/** Seconds of a notice that GKE reserves for system pods. */
export const criticalSeconds = 15;

const defaultNotice = 30;

/**
 * The interruption of spot machines, before whose end the kubelet terminates the pods ("Spot VMs", "Termination and
 * graceful shutdown").
 */
const interruptionOf = ({ capacityType, spotNoticeSeconds = defaultNotice }: GkePoolFields) =>
  capacityType === GkeNodePoolCapacityType.Spot
    ? { noticeSeconds: spotNoticeSeconds - criticalSeconds, evicts: false }
    : undefined;

/** Use of local SSDs: GKE uses the SSDs of a machine type as ephemeral storage, unless the pool sets another use. */
export const localDisksOf = ({ localSsds }: GkeMachineType, { localDisks }: Pick<GkePoolFields, "localDisks">) =>
  localDisks ?? (localSsds === undefined ? undefined : NodePoolLocalDisks.Raid0);

/** Use of GPUs that are partitioned, shared, or both: GKE's plugin counts all partitions and shares as GPUs. */
function gpuUseOf(
  { acceleratorType }: GkeMachineType,
  { gpuPartition, gpuSharing }: Pick<GkePoolFields, "gpuPartition" | "gpuSharing">,
): GpuSharing {
  const parts = gpuPartition === undefined ? 1 : (partitionsOf(acceleratorType)[gpuPartition] ?? 1);
  return { perGpu: parts * (gpuSharing?.clients ?? 1), ...(gpuSharing && { perContainer: 1 }) };
}

interface Fabric extends Pick<GkePoolFields, "fabricBy"> {
  fabric: GkeNodePoolFabric;
  rdmaNetworks: Pick<GkeNodePoolRdmaNetworkArgs, "name">[];
}

/** Use of the fast network by a pod. */
export function fabricUse(machine: GkeMachineType, args: Fabric): FabricUse | undefined {
  const { rdma } = machine;
  const { fabric, rdmaNetworks } = args;
  if (fabric === GkeNodePoolFabric.Tier1) return { fabric: NodePoolFabric.Tier1, interfaces: 1 };
  if (fabric !== GkeNodePoolFabric.Rdma || !rdma) return undefined;
  if (isClaimed(rdma, args)) return claimedUse(machine, rdma);
  const names = rdmaNetworks.map(({ name }) => name);
  return {
    fabric: NodePoolFabric.Rdma,
    interfaces: rdma.nics,
    resources: Object.fromEntries(names.map((name) => [`networking.gke.io.networks/${name}`, "1"])),
    annotations: {
      "networking.gke.io/default-interface": "eth0",
      "networking.gke.io/interfaces": JSON.stringify(interfaces(names, hasSecondGvnic(rdma) ? 2 : 1)),
    },
    lockMemory: true,
    ...settingsFor(machine, rdma),
  };
}

/** Use of interfaces on networks that GKE creates (DRANET): a pod claims all interfaces of a node, instead of naming networks. */
const claimedUse = (machine: GkeMachineType, rdma: GkeRdma): FabricUse => ({
  fabric: NodePoolFabric.Rdma,
  interfaces: rdma.nics,
  claim: { name: "rdma", deviceClass: "mrdma.google.com", count: rdma.nics },
  lockMemory: true,
  ...settingsFor(machine, rdma),
});

/**
 * Interfaces of the node that a pod uses: the default interface, and the RDMA interfaces with their numbers on the
 * node.
 */
const interfaces = (names: string[], first: number) => [
  { interfaceName: "eth0", network: "default" },
  ...names.map((network, index) => ({ interfaceName: `eth${first + index}`, network })),
];

type Settings = Pick<FabricUse, "environment" | "hostPaths" | "setupScripts">;

/** Settings for the libraries of a program. */
const settingsFor = ({ bareMetal }: GkeMachineType, { profile }: GkeRdma): Settings =>
  bareMetal && profile === "vpc-roce" ? gibOfImage : profiles[profile];

const libraries = { LD_LIBRARY_PATH: "/usr/local/nvidia/lib64:/usr/local/gib/lib64" };
const driverPath = { "/usr/local/nvidia": "/home/kubernetes/bin/nvidia" };

/**
 * Settings of bare metal, A4X Max, where the image of the pods contains gIB and its variables: the directory of the
 * host is empty, and its mount would hide them (container-engine-accelerators,
 * gpudirect-rdma/nccl-test-a4x-max-jobset.yaml).
 */
const gibOfImage: Settings = { environment: libraries, hostPaths: driverPath };

/** Settings for each kind of RDMA. */
const profiles: Record<GkeRdma["profile"], Settings> = {
  // From the examples for A3 Ultra and A4 of the Cluster Toolkit. The installer of gIB fills both directories; the
  // script sets the variables of NCCL for the machine type (container-engine-accelerators,
  // gpudirect-rdma/nccl-test*.yaml).
  "vpc-roce": {
    environment: { NCCL_NET: "gIB", ...libraries },
    hostPaths: { ...driverPath, "/usr/local/gib": "/home/kubernetes/bin/gib" },
    setupScripts: ["/usr/local/gib/scripts/set_nccl_env.sh"],
  },
  // From the HPL benchmark on H4D of the GKE samples, libfabric over verbs and Intel MPI on top of it, and from the settings of Cloud
  // RDMA in the Cluster Toolkit (modules/scripts/startup-script/main.tf, `set_ofi_cloud_rdma_tunables`).
  "vpc-falcon": {
    environment: {
      FI_PROVIDER: "verbs;ofi_rxm",
      FI_OFI_RXM_USE_RNDV_WRITE: "0",
      FI_UNIVERSE_SIZE: "1024",
      FI_VERBS_INLINE_SIZE: "39",
      I_MPI_ADJUST_ALLTOALL: "1",
      I_MPI_ADJUST_BCAST: "4",
      I_MPI_ADJUST_IALLTOALL: "1",
      I_MPI_ADJUST_IBCAST: "1",
      I_MPI_FABRICS: "shm:ofi",
      I_MPI_OFI_PROVIDER: "verbs;ofi_rxm",
    },
  },
};
