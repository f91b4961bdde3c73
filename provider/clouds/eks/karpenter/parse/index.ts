import { parseArgs, rules } from "../../../../shared/rules";
import { stripedDisk } from "../../../nodes/parse/localDisks";
import { buildScheduling, byClaim, type FabricUse } from "../../../nodes/parse/scheduling";
import { resolveSizing } from "../../../nodes/parse/sizing";
import { networkLabelsOf } from "../../machines";
import { EksNodePoolEfaLayout } from "../../nodes/args";
import { devicePlugins, interruptionOf, poolMachine } from "../../nodes/parse";
import { fabricUse } from "../../nodes/parse/efa";
import { capacityTypesOf } from "../../nodes/parse/fields";
import { osOf } from "../../nodes/parse/os";
import type { KarpenterNodePoolArgs } from "../args";
import { autoDisk } from "./autoMode";
import { type KarpenterPoolFields, karpenterPoolFields } from "./fields";
import { karpenterRules } from "./rules";

const schema = karpenterPoolFields.check(rules(...karpenterRules));

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseKarpenterNodePoolArgs = (resourceName: string, args: KarpenterNodePoolArgs) =>
  buildSpec(parseArgs(schema, "KarpenterNodePool", resourceName, args));

/** Arguments that are all checked, with every default set. */
export type KarpenterPoolSpec = ReturnType<typeof buildSpec>;

function buildSpec(args: KarpenterPoolFields) {
  const machine = poolMachine(args);
  const sizing = resolveSizing(args);
  const os = osOf(args, machine);
  const fabric = withoutHugePages(fabricUse(machine, args));
  return {
    ...args,
    machine,
    sizing,
    os,
    amiVersion: args.amiVersion ?? "latest",
    efaLayout:
      args.efaLayout ??
      (byClaim(args.fabricBy) && !sizing.isFixed ? EksNodePoolEfaLayout.Combined : EksNodePoolEfaLayout.Separate),
    scheduling: buildScheduling({
      ...args,
      machine,
      sizing,
      fabric,
      networkLabels: networkLabelsOf(args.machineTypes),
      localDisk: args.autoMode ? autoDisk(machine, args.diskGib) : stripedDisk(machine, args.localDisks),
      interruption: interruptionOf(capacityTypesOf(args)),
    }),
    devicePlugins: args.autoMode ? [] : devicePlugins({ ...args, os }, machine),
  };
}

/**
 * EFA without huge pages: Karpenter assumes that a new node has none, and launches no node for a pod that requests huge
 * pages. Without them, libfabric must be configured to use ordinary pages.
 */
function withoutHugePages(use: FabricUse | undefined): FabricUse | undefined {
  if (!use) return undefined;
  const resources = Object.entries(use.resources ?? {}).filter(([name]) => !name.startsWith("hugepages-"));
  return {
    ...use,
    resources: Object.fromEntries(resources),
    environment: { ...use.environment, FI_EFA_USE_HUGE_PAGE: "0" },
  };
}
