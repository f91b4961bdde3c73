import { type AddIssue, forEachItem, type Rule, ruleOn } from "../../../shared/rules";
import type { ContainerFields } from "../../parse/container";
import type { BrokerPodsFields } from "../../parse/fields";

const rule = ruleOn<BrokerPodsFields>();

/** The rules on volumes on local disks, which require a pool that mounts them. */
export const localDiskRules: Rule<BrokerPodsFields>[] = [
  rule(["pool", "containers[].volumes[]"], ({ pool, containers }, addIssue) => {
    const reason = pool
      ? pool.localDisk === undefined && `pool ${pool.pool} mounts no local disks; set its localDisks to "raid0"`
      : 'requires a pool whose localDisks are "raid0"';
    if (reason !== false) refuseLocalDisks("containers", containers, reason, addIssue);
  }),
  rule(["services[].volumes[]"], ({ services }, addIssue) => {
    const reason = "services do not run on the nodes of the pool; use another source";
    refuseLocalDisks("services", services, reason, addIssue);
  }),
];

function refuseLocalDisks(
  home: string,
  list: readonly (Pick<ContainerFields, "volumes"> | undefined)[],
  reason: string,
  addIssue: AddIssue,
): void {
  forEachItem(list, ({ volumes }, index) => {
    for (const [name, { localDisk }] of Object.entries(volumes))
      if (localDisk === true) addIssue([home, index, "volumes", name, "localDisk"], reason);
  });
}
