import { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate";
import { PlacementGroup } from "@pulumi/aws/ec2/placementGroup";
import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { getClusterOutput } from "@pulumi/aws/eks/getCluster";
import { NodeGroup } from "@pulumi/aws/eks/nodeGroup";
import { SecurityGroupEgressRule } from "@pulumi/aws/vpc/securityGroupEgressRule";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import { getSubnetOutput } from "@pulumi/aws/ec2/getSubnet";
import * as pulumi from "@pulumi/pulumi";
import { type Inputs, remarkOnUpdate } from "../../shared/changes";
import type { ChildOptions } from "../../shared/children";
import { userError } from "../../shared/errors";
import { withoutEmpty } from "../../shared/objects";
import { registerDevicePlugins } from "../register";
import { remarkOnNewPool } from "../remarks";
import type { EksPoolSpec } from "./parse";
import {
  buildLaunchTemplate,
  buildNodeGroup,
  describePlaces,
  needsPlacementGroup,
  networkInterfaces,
  type Subnet,
} from "./pool";
import { nodeGroupRemarks } from "./remarks";

/** Registers a pool and all that it needs in AWS, and its device plugins in Kubernetes. */
export function registerEksPool(name: string, spec: EksPoolSpec, options: ChildOptions) {
  const security = registerSecurityGroups(name, spec, options);
  const group = needsPlacementGroup(spec)
    ? new PlacementGroup(name, withoutEmpty({ strategy: "cluster", tags: spec.tags }), options)
    : undefined;
  const placementGroup = group?.name ?? spec.placementGroupName;
  const hooks = remarks(spec, options.parent);
  const template = new LaunchTemplate(
    name,
    buildLaunchTemplate(spec, { securityGroups: security.ids, placementGroup }),
    { ...options, hooks: hooks.template },
  );
  const nodeGroup = new NodeGroup(
    name,
    buildNodeGroup(spec, {
      subnetIds: chosenSubnets(spec, options),
      launchTemplate: { id: template.id, version: template.latestVersion.apply(String) },
    }),
    {
      ...options,
      dependsOn: security.rules,
      hooks: hooks.nodeGroup,
      // Left to the autoscaler.
      ...(!spec.sizing.isFixed && { ignoreChanges: ["scalingConfig.desiredSize"] }),
    },
  );
  const home = { pool: spec.name, staticCpu: spec.staticCpu };
  return {
    template,
    placementGroup,
    nodeGroup,
    plugins: registerDevicePlugins(name, spec.devicePlugins, home, options),
  };
}

/**
 * Remarks before an update. The node group depends on its launch template, so the template's inputs have been seen when it is
 * the node group's turn, if they change at all.
 */
function remarks(spec: EksPoolSpec, parent: pulumi.ComponentResource) {
  let templateBefore: Inputs | undefined;
  const see = (before: Inputs) => {
    templateBefore = before;
    return [];
  };
  return {
    template: remarkOnUpdate(`minicluster:${spec.name}:template`, parent, see),
    nodeGroup: {
      ...remarkOnNewPool(spec, parent),
      ...remarkOnUpdate(`minicluster:${spec.name}:nodes`, parent, (before, after) =>
        nodeGroupRemarks(spec, { before, after, templateBefore }),
      ),
    },
  };
}

/**
 * Security groups of the nodes. A template that names any has to name the cluster's own, too; that of EFA is open to itself in
 * both directions, for a rule that allows all traffic to the internet does not allow EFA.
 */
function registerSecurityGroups(name: string, spec: EksPoolSpec, options: pulumi.CustomResourceOptions) {
  const { vpcConfig } = getClusterOutput({ name: spec.clusterName }, options);
  const clusterGroup = vpcConfig.clusterSecurityGroupId;
  if (!spec.efaSecurityGroup) return { ids: pulumi.all([clusterGroup, ...spec.securityGroupIds]), rules: [] };
  const { tags } = spec;
  const description = `EFA between the nodes of the minicluster pool ${spec.name}`;
  const group = new SecurityGroup(`${name}-efa`, withoutEmpty({ description, vpcId: vpcConfig.vpcId, tags }), options);
  const ends = { securityGroupId: group.id, referencedSecurityGroupId: group.id };
  const toItself = withoutEmpty({ ...ends, ipProtocol: "-1", tags });
  const rules = [
    new SecurityGroupIngressRule(`${name}-efa`, toItself, options),
    new SecurityGroupEgressRule(`${name}-efa`, toItself, options),
  ];
  return { ids: pulumi.all([clusterGroup, group.id, ...spec.securityGroupIds]), rules };
}

/** Subnets in the zones of the pool. A pool without one, or with one that is of no use to it, fails before anything is changed. */
function chosenSubnets(spec: EksPoolSpec, options: pulumi.InvokeOptions): pulumi.Input<pulumi.Input<string>[]> {
  const { zones, subnetIds } = spec;
  if (zones.length === 0) return subnetIds;
  const subnets = subnetIds.map((id) => getSubnetOutput({ id }, options));
  return pulumi.all(subnets).apply((all) => {
    const chosen = all.filter(({ availabilityZone }) => zones.includes(availabilityZone));
    const reason = subnetProblem(spec, all, chosen);
    if (reason !== undefined) throw userError(`EksNodePool ${spec.name}: ${reason}`);
    return chosen.map(({ id }) => id);
  });
}

/** The reason for which a pool cannot have its nodes in the subnets that are in its zones, if there is one. */
function subnetProblem(spec: EksPoolSpec, all: Subnet[], chosen: Subnet[]): string | undefined {
  if (chosen.length === 0)
    return `no subnet is in ${spec.zones.join(" or ")} (${describePlaces(all)}); correct zones or subnetIds`;
  const count = networkInterfaces(spec).length;
  const open = chosen.filter(({ mapPublicIpOnLaunch }) => mapPublicIpOnLaunch).map(({ id }) => id);
  if (count < 2 || open.length === 0) return undefined;
  return (
    `${open.join(" and ")} ${open.length > 1 ? "are public subnets" : "is a public subnet"}, and machines with ${count} network ` +
    "interfaces get no public address: they would never join the cluster; use private subnets with a way out, such as a NAT gateway"
  );
}
