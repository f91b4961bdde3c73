import type { z } from "zod";
import { choice, flag, integer, leaf, list, nonEmptyText, object } from "../../shared/checks";
import { NodePoolFabric, type NodePoolScheduling } from "../../minicluster/args";
import { commonFields, devicePlugin, hardwareFields, parsePool } from "../checks";
import { NodePoolAcceleratorKind } from "../args";
import { chosenPlugin, type DevicePlugin } from "../devicePlugins";
import { processors } from "../machine";
import { buildScheduling, type FabricUse } from "../scheduling";
import { resolveSizing } from "../sizing";
import {
  type EksNodePoolArgs,
  EksNodePoolCapacity,
  EksNodePoolEfaLayout,
  EksNodePoolFabric,
  EksNodePoolOs,
  EksNodePoolPlacement,
} from "./args";
import { defaultOs, defaultPlacement, eksMachine, leastMachine } from "./machine";
import type { EksMachine } from "./machines";
import { eksRules } from "./rules";

const hardware = object({
  ...hardwareFields,
  networkCards: integer(1, 64).default(1),
  efaInterfaces: integer(0, 64).default(0),
});

const fields = object({
  ...commonFields,
  clusterName: leaf(nonEmptyText),
  nodeRoleArn: leaf(nonEmptyText),
  subnetIds: list(leaf(nonEmptyText)).refine((ids) => ids.length > 0, { error: "needs at least one subnet; add one" }),
  zones: list(nonEmptyText).default([]),
  machineTypes: list(nonEmptyText),
  hardware: hardware.optional(),
  fabric: choice(EksNodePoolFabric).default(EksNodePoolFabric.None),
  efaLayout: choice(EksNodePoolEfaLayout).default(EksNodePoolEfaLayout.Combined),
  placement: choice(EksNodePoolPlacement).optional(),
  placementGroupName: leaf(nonEmptyText).optional(),
  capacity: choice(EksNodePoolCapacity).default(EksNodePoolCapacity.OnDemand),
  reservationId: leaf(nonEmptyText).optional(),
  os: choice(EksNodePoolOs).optional(),
  version: leaf(nonEmptyText).optional(),
  diskGib: integer(20, 16_384).default(150),
  diskType: leaf(nonEmptyText).default("gp3"),
  securityGroupIds: list(leaf(nonEmptyText)).default([]),
  efaSecurityGroup: flag.optional(),
  nvidiaPlugin: devicePlugin,
  efaPlugin: devicePlugin,
});

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseEksNodePoolArgs = (resourceName: string, args: EksNodePoolArgs) =>
  parsePool("EksNodePool", resourceName, args, { fields, rules: eksRules, resolve });

/** Arguments of which every one is checked and every default is set. */
export type EksPoolSpec = ReturnType<typeof parseEksNodePoolArgs>;

function resolve(args: z.output<typeof fields>) {
  const machine = poolMachine(args);
  const hasEfa = args.fabric === EksNodePoolFabric.Efa;
  const sizing = resolveSizing(args);
  const scheduling = buildScheduling({ ...args, machine, sizing, fabric: hasEfa ? efaUse(machine, args) : undefined });
  return {
    ...args,
    machine,
    sizing,
    scheduling: scheduling satisfies NodePoolScheduling,
    os: args.os ?? defaultOs(machine, hasEfa),
    placement: args.placement ?? defaultPlacement(args.capacity, hasEfa),
    efaSecurityGroup: args.efaSecurityGroup ?? hasEfa,
    devicePlugins: devicePlugins(args, machine),
  };
}

/** What every node of the pool has. */
function poolMachine({ machineTypes, hardware }: z.output<typeof fields>): EksMachine {
  const machine = leastMachine(machineTypes.map((type) => eksMachine(type, hardware)));
  if (!machine) throw new Error(`the rules let no pool through with unknown machine types, ${machineTypes.join(", ")}`);
  return machine;
}

/** The DaemonSets that make the devices known. Bottlerocket brings that of NVIDIA itself. */
function devicePlugins(args: z.output<typeof fields>, { accelerator }: EksMachine): DevicePlugin[] {
  const isOwn = args.os === EksNodePoolOs.Bottlerocket;
  const hasNvidia = accelerator?.kind === NodePoolAcceleratorKind.Nvidia && !isOwn;
  return [
    ...chosenPlugin("nvidia", hasNvidia, args.nvidiaPlugin),
    ...chosenPlugin("efa", args.fabric === EksNodePoolFabric.Efa, args.efaPlugin),
  ];
}

// What an MPI rank or NCCL takes at most in AWS's own examples of EFA.
const hugePagesMiB = 5120;

/** How a pod uses EFA: its interfaces, and the huge pages that the host's part has set aside for libfabric. */
function efaUse(machine: EksMachine, { threadsPerCore }: { threadsPerCore?: number }): FabricUse {
  const { vcpus } = processors(machine, threadsPerCore);
  // 110 pages of 2 MiB for each virtual CPU, and one more (the EFA installer's own sum).
  const reservedMiB = (110 * vcpus + 1) * 2;
  return {
    fabric: NodePoolFabric.Efa,
    interfaces: machine.efaInterfaces,
    resources: {
      "vpc.amazonaws.com/efa": String(machine.efaInterfaces),
      "hugepages-2Mi": `${Math.min(hugePagesMiB, reservedMiB)}Mi`,
    },
    environment: {
      // FI_EFA_USE_DEVICE_RDMA is left alone: libfabric turns it on where the card can, and ends the program that asks for it
      // where the card cannot (p3dn, g4dn, g5).
      FI_PROVIDER: "efa",
      // A job's processes fork, and memory that a network card writes to must not be copied on write.
      FI_EFA_FORK_SAFE: "1",
    },
  };
}
