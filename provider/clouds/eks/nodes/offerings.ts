import { getInstanceTypeOfferings } from "@pulumi/aws/ec2/getInstanceTypeOfferings";
import type * as pulumi from "@pulumi/pulumi";
import { beforeCreate, type Diagnostic } from "../../../diagnostics/hooks";
import type { EksPoolSpec } from "./parse";

/** Hook on a new node group that warns where EC2 does not offer its instance types. */
export const offeringHooks = (spec: EksPoolSpec, parent: pulumi.Resource) =>
  beforeCreate(`minicluster:${spec.name}:offering`, parent, () => offeringWarnings(spec, { parent }));

/**
 * A warning of instance types that EC2 does not offer in the zones of the pool, or in its region where the pool names no zone: the node
 * group would fail after EKS has waited for its first node. Without an answer of EC2 there is none.
 */
async function offeringWarnings(
  { name, machineTypes, zones }: EksPoolSpec,
  options: pulumi.InvokeOptions,
): Promise<Diagnostic[]> {
  const filters = [{ name: "instance-type", values: machineTypes }];
  const answer = getInstanceTypeOfferings({ locationType: "availability-zone", filters }, options);
  const offered = await answer.then(
    ({ locations }) => [...new Set(locations)].sort(),
    () => undefined,
  );
  if (!offered) return [];
  const missing = zones.filter((zone) => !offered.includes(zone));
  if (zones.length > 0 ? missing.length === 0 : offered.length > 0) return [];
  const places = zones.length > 0 ? missing.join(" or ") : "this region";
  const others = offered.length > 0 ? ` (it does in ${offered.join(", ")})` : "";
  const message =
    `pool ${name}: EC2 does not offer ${machineTypes.join(" or ")} in ${places}${others}, and no node would start there; ` +
    "correct zones, subnetIds or machineTypes";
  return [{ severity: "warning", message }];
}
