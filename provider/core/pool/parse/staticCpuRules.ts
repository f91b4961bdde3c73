import type { PoolSpec } from "../../../clouds/nodes/parse/pool";
import { amount } from "../../../shared/checks";
import { type AddIssue, forEachItem, prefixPath, ruleOn } from "../../../shared/rules";
import { type ContainerFields, runsFlux } from "../../parse/container";
import type { BrokerPodsFields } from "../../parse/fields";

const rule = ruleOn<BrokerPodsFields>();

/**
 * The rule of the static CPU policy: the kubelet gives whole cores only to a pod whose containers all have a request that
 * equals the limit.
 */
const containersRule = rule(
  ["pool", "containers[].resources", "containers[].runFlux"],
  ({ pool, containers }, addIssue) => {
    if (!pool?.staticCpu) return;
    forEachItem(containers, (container, index) => {
      const at = prefixPath(addIssue, "containers", index, "resources");
      guaranteedRule(container, pool, at);
      const cpu = amount(container.resources?.limits?.["cpu"]);
      if (cpu !== undefined && !Number.isInteger(cpu) && runsFlux(container, containers))
        at(["limits", "cpu"], "the static CPU policy assigns only whole CPUs; make it an integer");
    });
  },
);

/** The same rule on the container that provides Flux. */
const viewRule = rule(
  ["pool", "flux.container.disable", "flux.container.imageVolume", "flux.container.resources"],
  ({ pool, flux: { container } }, addIssue) => {
    if (pool?.staticCpu && !container.disable && !container.imageVolume)
      guaranteedRule(container, pool, prefixPath(addIssue, "flux", "container", "resources"));
  },
);

/** The rules of a pool whose nodes have the static CPU policy. */
export const staticCpuRules = [containersRule, viewRule];

/** The rule on a container of a pod of Guaranteed quality of service. */
function guaranteedRule(
  { resources: { limits = {}, requests = {} } = {} }: Pick<ContainerFields, "resources">,
  { pool, node }: PoolSpec,
  addIssue: AddIssue,
): void {
  if (limits["cpu"] === undefined || limits["memory"] === undefined)
    addIssue(
      ["limits"],
      `pool ${pool} has the static CPU policy, which requires limits for cpu (whole CPUs) and memory on every container; set ` +
        `both: a node has ${node.vcpus} CPUs and ${node.memoryMib}Mi, less what the kubelet and the system keep`,
    );
  for (const name of ["cpu", "memory"]) {
    const [limit, request] = [limits, requests].map((list) => amount(list[name]));
    if (limit !== undefined && request !== undefined && limit !== request)
      addIssue(
        ["requests", name],
        `pool ${pool} has the static CPU policy, which requires a request equal to the limit; leave it out`,
      );
  }
}
