import * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../../../../../provider";
import { aContainer, aPool } from "../../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../../support/problems";

describe("a pool with the static CPU policy", () => {
  const pool = aPool({ staticCpu: true }, { vcpus: 16, memoryMib: 65_536 });
  const limits = { cpu: "8", memory: "8Gi" };
  const viewed = { flux: { container: { resources: { limits: { cpu: "500m", memory: "1Gi" } } } } };
  const on = (resources: object | undefined, ...others: (object | undefined)[]) => ({
    ...{ pool, ...viewed },
    containers: [
      aContainer({ runFlux: true, resources }),
      ...others.map((each, index) => ({ image: "i", name: `side-${index}`, resources: each })),
    ],
  });
  const says =
    "pool hpc has the static CPU policy, which requires limits for cpu (whole CPUs) and memory on every container; a node " +
    "has 16 CPUs and 65536Mi, less what the kubelet and the system keep";

  itAccepts({
    "limits on every container": on({ limits }, { limits: { cpu: "500m", memory: "1Gi" } }),
    "requests that are the limits": on({ limits, requests: { cpu: "8000m", memory: "8192Mi" } }),
    "amounts that are only known later": on({ limits: { ...limits, cpu: pulumi.output("8") }, requests: { cpu: "7" } }),
    "no limits of a view that runs nothing": { ...on({ limits }), flux: { container: { imageVolume: true } } },
    "no limits of a view that is not there": { ...on({ limits }), flux: { container: { disable: true } } },
  });

  itRefuses([
    { rule: "a container without limits", args: on(undefined), path: "containers[0].resources.limits", says },
    { rule: "no limit of memory", args: on({ limits: { cpu: "8" } }), path: "containers[0].resources.limits", says },
    { rule: "no limit of CPUs", args: on({ limits: { memory: "8Gi" } }), path: "containers[0].resources.limits", says },
    { rule: "a sidecar without limits", args: on({ limits }, {}), path: "containers[1].resources.limits", says },
    {
      rule: "a view without limits",
      args: { ...on({ limits }), flux: {} },
      path: "flux.container.resources.limits",
      says,
    },
    {
      rule: "a part of a CPU",
      args: on({ limits: { ...limits, cpu: "7500m" } }),
      path: "containers[0].resources.limits.cpu",
      says: "the static CPU policy gives whole CPUs only; make it an integer",
    },
    ...Object.entries({ cpu: "4", memory: "4Gi" }).map(([name, request]) => ({
      rule: `a request of ${name} below the limit`,
      args: on({ limits, requests: { [name]: request } }),
      path: `containers[0].resources.requests.${name}`,
      says: "pool hpc has the static CPU policy, which requires a request equal to the limit; leave it out",
    })),
  ]);
});

describe("restricted pods on a pool", () => {
  const on = (pool: Partial<NodePoolScheduling>) => ({ pool: aPool(pool), podSecurity: "restricted" });
  const [lock, paths] = [{ lockMemory: true }, { hostPaths: { "/opt/nvidia": "/home/nvidia" } }];
  const says = (needs: string) =>
    `pods on pool hpc need ${needs}, which restricted pods cannot have; use "baseline" or another pool`;

  itAccepts({
    "a pool that needs nothing": on({}),
    "other pods": { ...on({ ...lock, ...paths }), podSecurity: "baseline" },
  });
  itRefuses([
    { rule: "memory that is locked", args: on(lock), path: "podSecurity", says: says("the capability IPC_LOCK") },
    { rule: "the node's directories", args: on(paths), path: "podSecurity", says: says("directories of the node") },
    {
      rule: "both, in one word",
      args: on({ ...lock, ...paths }),
      path: "podSecurity",
      says: says("the capability IPC_LOCK and directories of the node"),
    },
  ]);
});
