import { getInstanceTypeOfferings } from "@pulumi/aws/ec2/getInstanceTypeOfferings";
import { getSubnetOutput } from "@pulumi/aws/ec2/getSubnet";
import { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate";
import { PlacementGroup } from "@pulumi/aws/ec2/placementGroup";
import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { getClusterOutput } from "@pulumi/aws/eks/getCluster";
import { NodeGroup } from "@pulumi/aws/eks/nodeGroup";
import { SecurityGroupEgressRule } from "@pulumi/aws/vpc/securityGroupEgressRule";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../../../shared/children";
import { userError } from "../../../shared/errors";
import { withoutEmpty } from "../../../shared/objects";
import { registerDevicePlugins } from "../../nodes/register";
import { nodeGroupHooks } from "./diagnostics";
import {
  buildLaunchTemplate,
  buildNodeGroup,
  describePlaces,
  encoded,
  nodeLabels,
  needsPlacementGroup,
  networkInterfaces,
  type Subnet,
} from "./objects";
import type { EksPoolSpec } from "./parse";
import { type Joining, renderUserData } from "./parse/os";

/** Registers a pool with its launch template, security groups and placement group in AWS, and its device plugins in Kubernetes. */
export function registerEksPool(name: string, spec: EksPoolSpec, options: ChildOptions) {
  const security = registerSecurityGroups(name, spec, options);
  const group = needsPlacementGroup(spec)
    ? new PlacementGroup(name, withoutEmpty({ strategy: "cluster", tags: spec.tags }), options)
    : undefined;
  const placementGroup = group?.name ?? spec.placementGroupName;
  const hooks = nodeGroupHooks(spec, options.parent, () => offeredZones(spec, { parent: options.parent }));
  const template = new LaunchTemplate(
    name,
    buildLaunchTemplate(spec, { securityGroups: security.ids, placementGroup, userData: lateUserData(spec, options) }),
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
      // The autoscaler changes the number.
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

/** The zones of the region in which EC2 offers an instance type of a pool, or undefined without a response of EC2. */
async function offeredZones(
  { machineTypes }: EksPoolSpec,
  options: pulumi.InvokeOptions,
): Promise<string[] | undefined> {
  const filters = [{ name: "instance-type", values: machineTypes }];
  try {
    const { locations } = await getInstanceTypeOfferings({ locationType: "availability-zone", filters }, options);
    return [...new Set(locations)].sort();
  } catch {
    return undefined;
  }
}

/**
 * User data that depend on values known only later: the user data of the arguments, and, for a custom image, the
 * settings with which the nodes join the EKS cluster, which EKS adds only to its own images.
 */
function lateUserData(spec: EksPoolSpec, options: pulumi.InvokeOptions): pulumi.Output<string> | undefined {
  const { amiId, userData } = spec;
  if (amiId === undefined && userData === undefined) return undefined;
  const joining = amiId === undefined ? undefined : joiningOf(spec, options);
  return pulumi
    .all([pulumi.output(userData), pulumi.output(joining)])
    .apply(([own, known]) => encoded(renderUserData(spec, { own, joining: known })) ?? "");
}

/** The values with which a node with a custom image joins its cluster. */
function joiningOf(spec: EksPoolSpec, options: pulumi.InvokeOptions): pulumi.Output<Joining> {
  const cluster = getClusterOutput({ name: spec.clusterName }, options);
  const known = [pulumi.output(nodeLabels(spec)), pulumi.output(spec.taints)] as const;
  return pulumi.all([cluster, ...known]).apply(([found, labels, taints]) => ({
    name: found.name,
    endpoint: found.endpoint,
    authority: found.certificateAuthorities[0]?.data ?? "",
    cidr: found.kubernetesNetworkConfigs[0]?.serviceIpv4Cidr ?? "",
    labels,
    taints,
  }));
}

/**
 * Security groups of the nodes. A template with security groups must include the group of the EKS cluster. The group of
 * EFA allows all traffic within itself in both directions, because a rule that allows all traffic to the internet does
 * not allow EFA.
 */
function registerSecurityGroups(name: string, spec: EksPoolSpec, options: pulumi.CustomResourceOptions) {
  const { vpcConfig } = getClusterOutput({ name: spec.clusterName }, options);
  const clusterGroup = vpcConfig.clusterSecurityGroupId;
  const withGiven = (...ids: pulumi.Output<string>[]) =>
    pulumi.all([pulumi.all(ids), spec.securityGroupIds]).apply(([own, given]) => [...own, ...given]);
  if (!spec.efaSecurityGroup) return { ids: withGiven(clusterGroup), rules: [] };
  const { tags } = spec;
  const description = `EFA between the nodes of the minicluster pool ${spec.name}`;
  const group = new SecurityGroup(`${name}-efa`, withoutEmpty({ description, vpcId: vpcConfig.vpcId, tags }), options);
  const ends = { securityGroupId: group.id, referencedSecurityGroupId: group.id };
  const toItself = withoutEmpty({ ...ends, ipProtocol: "-1", tags });
  const rules = [
    new SecurityGroupIngressRule(`${name}-efa`, toItself, options),
    new SecurityGroupEgressRule(`${name}-efa`, toItself, options),
  ];
  return { ids: withGiven(clusterGroup, group.id), rules };
}

/** Subnets, as EC2 describes them, in the order of their ids. */
export const lookUpSubnets = (
  ids: pulumi.Input<pulumi.Input<string>[]>,
  options: pulumi.InvokeOptions,
): pulumi.Output<Subnet[]> =>
  pulumi.output(ids).apply((known) => pulumi.all(known.map((id) => getSubnetOutput({ id }, options))));

/** Subnets in the zones of the pool. A pool without a usable subnet fails before anything is changed. */
function chosenSubnets(spec: EksPoolSpec, options: pulumi.InvokeOptions): pulumi.Input<pulumi.Input<string>[]> {
  const { zones, subnetIds } = spec;
  if (zones.length === 0) return subnetIds;
  return pulumi.all([lookUpSubnets(subnetIds, options), zones]).apply(([all, known]) => {
    const chosen = all.filter(({ availabilityZone }) => known.includes(availabilityZone));
    const reason = subnetProblem({ ...spec, zones: known }, all, chosen);
    if (reason !== undefined) throw userError(`EksNodePool ${spec.name}: ${reason}`);
    return chosen.map(({ id }) => id);
  });
}

/** The reason why the nodes of a pool cannot be in the chosen subnets, if there is one. */
function subnetProblem(spec: EksPoolSpec & { zones: string[] }, all: Subnet[], chosen: Subnet[]): string | undefined {
  if (chosen.length === 0)
    return `no subnet is in ${spec.zones.join(" or ")} (${describePlaces(all)}); correct zones or subnetIds`;
  const count = networkInterfaces(spec).length;
  const open = chosen.filter(({ mapPublicIpOnLaunch }) => mapPublicIpOnLaunch).map(({ id }) => id);
  if (count < 2 || open.length === 0) return undefined;
  return (
    `${open.join(" and ")} ${open.length > 1 ? "are public subnets" : "is a public subnet"}, and machines with ${count} network ` +
    "interfaces get no public address, so they would not join the EKS cluster; use private subnets with a NAT gateway or another route to the internet"
  );
}
