import type { z } from "zod";
import {
  choice,
  dnsLabel,
  flag,
  integer,
  leaf,
  list,
  map,
  nonEmptyText,
  object,
  serviceName,
  text,
} from "../../shared/checks";
import { commonFields, hardwareFields, parsePool } from "../checks";
import { buildScheduling } from "../scheduling";
import { resolveSizing } from "../sizing";
import {
  GkeNodePoolCapacity,
  GkeNodePoolFabric,
  GkeNodePoolGpuDriver,
  GkeNodePoolPlacement,
  type GkeNodePoolArgs,
} from "./args";
import { fabricUse } from "./fabric";
import { bareMachine, isOnRequest, ownTaints, withGpus } from "./machine";
import { gkeRules } from "./rules";

const hardware = object({
  ...hardwareFields,
  acceleratorType: nonEmptyText.optional(),
  tier1: flag.default(false),
  compactPlacement: flag.default(false),
  rdmaInterfaces: integer(0, 64).default(0),
});

const zone = text.refine((value) => /^[a-z]+-[a-z]+\d+-[a-z\d]+$/.test(value), {
  error: ({ input }) => `${JSON.stringify(input)} must be a zone, such as "us-central1-a"`,
});

const network = { network: leaf(nonEmptyText), subnetwork: leaf(nonEmptyText) };

const label = (pattern: RegExp) =>
  text.refine((value) => pattern.test(value), {
    error: ({ input }) =>
      `${JSON.stringify(input)} must be a label of Google Cloud: at most 63 lowercase letters, digits, - and _`,
  });

const fields = object({
  ...commonFields,
  clusterName: leaf(nonEmptyText),
  location: leaf(nonEmptyText),
  project: leaf(nonEmptyText).optional(),
  zones: list(zone).default([]),
  machineType: nonEmptyText,
  hardware: hardware.optional(),
  fabric: choice(GkeNodePoolFabric).default(GkeNodePoolFabric.None),
  rdmaNetworks: list(object({ ...network, name: dnsLabel })).default([]),
  gvnicNetwork: object(network).optional(),
  placement: choice(GkeNodePoolPlacement).default(GkeNodePoolPlacement.None),
  placementPolicyName: leaf(nonEmptyText).optional(),
  capacity: choice(GkeNodePoolCapacity).default(GkeNodePoolCapacity.OnDemand),
  reservationName: leaf(nonEmptyText).optional(),
  maxRunSeconds: integer(1, 604_800).optional(),
  gpus: object({ type: nonEmptyText, count: integer(1, 16) }).optional(),
  gpuDriver: choice(GkeNodePoolGpuDriver).default(GkeNodePoolGpuDriver.Default),
  version: leaf(nonEmptyText).optional(),
  autoRepair: flag.optional(),
  autoUpgrade: flag.default(true),
  diskGib: integer(10, 65_536).default(150),
  diskType: leaf(nonEmptyText).optional(),
  tags: map(
    label(/^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u),
    leaf(label(/^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u)),
  ).default({}),
  networkTags: list(leaf(serviceName)).default([]),
  serviceAccount: leaf(nonEmptyText).optional(),
});

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseGkeNodePoolArgs = (resourceName: string, args: GkeNodePoolArgs) =>
  parsePool("GkeNodePool", resourceName, args, { fields, rules: gkeRules, resolve });

/** Arguments of which every one is checked and every default is set. */
export type GkePoolSpec = ReturnType<typeof parseGkeNodePoolArgs>;

function resolve(args: z.output<typeof fields>) {
  const bare = bareMachine(args);
  if (!bare) throw new Error(`the rules let no pool through with an unknown machine type, ${args.machineType}`);
  const machine = withGpus(bare, args.gpus);
  const sizing = resolveSizing(args);
  const taints = [...ownTaints(machine, args.capacity), ...args.taints];
  return {
    ...args,
    machine,
    sizing,
    scheduling: buildScheduling({ ...args, machine, sizing, taints, fabric: fabricUse(machine, args) }),
    autoRepair: args.autoRepair ?? !isOnRequest(args.capacity),
  };
}
