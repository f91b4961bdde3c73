import { properties } from "../../../shared/checks";
import { NodePoolFabric } from "../../args";
import type { AddIssue } from "../../../shared/rules";
import {
  requested,
  totalRequested,
  requestingList,
  isFraction,
  isCountedDevice,
  isSameHardware,
  wholeNumber,
} from "./asked";
import { type ResourceRequest, resourceLists } from "./merged";
import { amount } from "./quantity";
import type { PoolSpec } from "./scheduling";

/** The devices of a node that one container has to itself, with how many there are. */
export const countedDevices = (resources: PoolSpec["resources"]): [name: string, count: number][] =>
  Object.entries(resources)
    .filter(([name]) => isCountedDevice(name))
    .map(([name, quantity]) => [name, amount(quantity) ?? 0]);

interface Offer {
  resource: string;
  exceeds: (asked: number) => boolean;
  says: string;
}

/** What a node offers: no pod gets all of what the node itself needs some of. */
function offersOf({ pool, node, resources }: PoolSpec): Offer[] {
  const partly = (resource: string, most: number, text: string): Offer => ({
    ...{ resource, exceeds: (asked) => asked >= most },
    says: `for all that a node of pool ${pool} has or more, ${text}, and the kubelet and the system always keep some`,
  });
  const wholly = (resource: string, most: number): Offer => ({
    ...{ resource, exceeds: (asked) => asked > most },
    says: `for more than a node of pool ${pool} has, ${most}`,
  });
  return [
    partly("cpu", node.vcpus, String(node.vcpus)),
    partly("memory", node.memoryMib * 1024 ** 2, `${node.memoryMib}Mi`),
    ...countedDevices(resources).map(([name, count]) => wholly(name, count)),
  ];
}

/** What the containers of one pod ask for together must be on one node. */
export function resourceRules(containers: ResourceRequest[], pool: PoolSpec, addIssue: AddIssue): void {
  for (const { resource, exceeds, says } of offersOf(pool)) {
    const asking = containers.filter((container) => requested(container, resource) > 0);
    // The first that goes too far is enough: whatever comes after it does so, too.
    const first = asking.find((_, index) => exceeds(totalRequested(asking.slice(0, index + 1), resource)));
    if (first)
      addIssue(
        first.pathTo(requestingList(first, resource), resource),
        `asks, with the containers before it, ${says}; lower it or choose a larger machine`,
      );
  }
  for (const container of containers) amountRules(container, pool, addIssue);
}

/** What holds for each amount by itself. */
function amountRules({ resources, pathTo }: ResourceRequest, pool: PoolSpec, addIssue: AddIssue): void {
  for (const list of resourceLists)
    for (const [name, quantity] of Object.entries(properties(resources[list]))) {
      if (isMissing(name, pool) && amount(quantity) !== 0)
        addIssue(pathTo(list, name), `nodes of pool ${pool.pool} have none; remove it or choose another pool`);
      else if (isFraction(name, quantity)) addIssue(pathTo(list, name), `${JSON.stringify(quantity)} ${wholeNumber}`);
    }
}

/** A device that no node has is waited for for ever. */
function isMissing(name: string, { node, resources }: PoolSpec): boolean {
  const hasRdma = node.fabric === NodePoolFabric.Infiniband || node.fabric === NodePoolFabric.Rdma;
  if (name.startsWith("rdma/")) return resources[name] === undefined && !hasRdma;
  return isCountedDevice(name) && !Object.keys(resources).some((has) => isSameHardware(has, name));
}
