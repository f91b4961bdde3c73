import { parseArgs } from "../../shared/parseArgs";
import { rules } from "../../shared/rules";
import { byClaim } from "../claims";
import { EksNodePoolEfaLayout } from "../eks/args";
import { fabricUse } from "../eks/fabric";
import { osOf } from "../eks/os";
import { devicePlugins, poolMachine } from "../eks/parse";
import type { FabricUse } from "../scheduling";
import { buildScheduling } from "../scheduling";
import { resolveSizing } from "../sizing";
import type { KarpenterNodePoolArgs } from "./args";
import { type KarpenterPoolFields, karpenterPoolFields, karpenterRules } from "./rules";

const schema = karpenterPoolFields.check(rules(...karpenterRules));

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseKarpenterNodePoolArgs = (resourceName: string, args: KarpenterNodePoolArgs) =>
  settle(parseArgs(schema, "KarpenterNodePool", resourceName, args));

/** Arguments of which every one is checked and every default is set. */
export type KarpenterPoolSpec = ReturnType<typeof settle>;

function settle(args: KarpenterPoolFields) {
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
      args.efaLayout ?? (byClaim(args.fabricBy) ? EksNodePoolEfaLayout.Combined : EksNodePoolEfaLayout.Separate),
    scheduling: buildScheduling({ ...args, machine, sizing, fabric }),
    devicePlugins: devicePlugins({ ...args, os }, machine),
  };
}

/**
 * EFA without huge pages: Karpenter does not know that a node will have any, and would bring none for a pod that requests them. A
 * pod that has none gets on with ordinary pages if libfabric is told so.
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
