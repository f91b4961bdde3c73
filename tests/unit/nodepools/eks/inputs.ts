import { buildLaunchTemplate, buildNodeGroup } from "../../../../provider/nodepools/eks/pool";
import type { EksPoolSpec } from "../../../../provider/nodepools/eks/spec";
import type { Inputs } from "../../../../provider/shared/changes";

/** The inputs of a node group, as the engine has them. */
export const groupInputs = (spec: EksPoolSpec): Inputs => ({
  ...buildNodeGroup(spec, { subnetIds: ["subnet-a"], launchTemplate: { id: "lt-1", version: "1" } }),
  nodeGroupName: "hpc-1234567",
});

/** The inputs of its launch template. */
export const templateInputs = (spec: EksPoolSpec): Inputs => ({
  ...buildLaunchTemplate(spec, { securityGroups: ["sg-1"], placementGroup: undefined }),
});
