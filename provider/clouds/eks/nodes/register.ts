import { getSubnetOutput } from "@pulumi/aws/ec2/getSubnet";
import { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate";
import { PlacementGroup } from "@pulumi/aws/ec2/placementGroup";
import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { getClusterOutput } from "@pulumi/aws/eks/getCluster";
import { NodeGroup } from "@pulumi/aws/eks/nodeGroup";
import { SecurityGroupEgressRule } from "@pulumi/aws/vpc/securityGroupEgressRule";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import * as pulumi from "@pulumi/pulumi";
import { type Inputs, numberAt, type Remark, remarkOnUpdate } from "../../../shared/changes";
import type { ChildOptions } from "../../../shared/children";
import { userError } from "../../../shared/errors";
import { withoutEmpty } from "../../../shared/objects";
import { NodePoolFabric } from "../../nodes/args";
import { buildScheduling, type FabricUse } from "../../nodes/parse/scheduling";
import {
  costed,
  type NodeCounts,
  type NodeFacts,
  registerDevicePlugins,
  remarkOnNewPool,
  resizeRemarks,
} from "../../nodes/register";
import { eksMachineType, leastMachine } from "../machines";
import {
  buildLaunchTemplate,
  buildNodeGroup,
  describePlaces,
  needsPlacementGroup,
  networkInterfaces,
  type Subnet,
} from "./objects";
import type { EksPoolSpec } from "./parse";

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

/** Subnets as EC2 describes them, in the order of their ids. */
export const lookUpSubnets = (
  ids: pulumi.Input<pulumi.Input<string>[]>,
  options: pulumi.InvokeOptions,
): pulumi.Output<Subnet[]> =>
  pulumi.output(ids).apply((known) => pulumi.all(known.map((id) => getSubnetOutput({ id }, options))));

/** Subnets in the zones of the pool. A pool without one, or with one that is of no use to it, fails before anything is changed. */
function chosenSubnets(spec: EksPoolSpec, options: pulumi.InvokeOptions): pulumi.Input<pulumi.Input<string>[]> {
  const { zones, subnetIds } = spec;
  if (zones.length === 0) return subnetIds;
  return lookUpSubnets(subnetIds, options).apply((all) => {
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

/** A change of a node group: its inputs before and after, and those of its launch template before, where that changes, too. */
interface GroupChange {
  before: Inputs;
  after: Inputs;
  templateBefore: Inputs | undefined;
}

/** Remarks on an update of a node group. */
export function nodeGroupRemarks(spec: EksPoolSpec, { before, after, templateBefore }: GroupChange): Remark[] {
  const machineType = spec.machineTypes.join(" or ");
  const old = { ...countsIn(before), machineType, ...(templateBefore && nodesBefore(spec, before, templateBefore)) };
  return [...resizeRemarks(costed(spec), old, { ...countsIn(after), machineType }), ...refusals(spec, after)];
}

/** A node before the change, from the inputs of the node group and its launch template together. */
function nodesBefore(spec: EksPoolSpec, group: Inputs, template: Inputs): Pick<NodeFacts, "machineType" | "node"> {
  const types = textsIn(group["instanceTypes"] ?? [template["instanceType"]]);
  const hardwareOf = (type: string) => (spec.machineTypes.includes(type) ? spec.hardware : undefined);
  const machine = leastMachine(types.map((type) => eksMachineType(type, hardwareOf(type))));
  const named = { machineType: types.join(" or ") };
  if (!machine) return named;
  const threadsPerCore = numberAt(template, "cpuOptions", "threadsPerCore");
  return { ...named, node: buildScheduling({ ...spec, machine, threadsPerCore, fabric: efaIn(template) }).node };
}

/** EFA interfaces of a launch template. A plain interface has no type. */
function efaIn({ networkInterfaces }: Inputs): FabricUse | undefined {
  const all = Array.isArray(networkInterfaces) ? (networkInterfaces as Inputs[]) : [];
  const interfaces = all.filter(({ interfaceType }) => interfaceType !== undefined).length;
  return interfaces === 0 ? undefined : { fabric: NodePoolFabric.Efa, interfaces };
}

const textsIn = (list: unknown) =>
  (Array.isArray(list) ? list : []).filter((item): item is string => typeof item === "string");

/**
 * An error for what EKS would refuse in the middle of the update: a number of nodes, left to the autoscaler and as the stack
 * has it on record, outside of the new limits.
 */
function refusals({ name, sizing }: EksPoolSpec, after: Inputs): Remark[] {
  const { min, max, desired } = scalingIn(after);
  if (sizing.isFixed || min === undefined || max === undefined || desired === undefined) return [];
  if (min <= desired && desired <= max) return [];
  const limit = desired < min ? `min ${min} is above` : `max ${max} is below`;
  const wanted = `minSize=${min},maxSize=${max},desiredSize=${Math.min(Math.max(min, desired), max)}`;
  const [cluster, group] = [after["clusterName"], after["nodeGroupName"]].map((value) =>
    typeof value === "string" ? value : "…",
  );
  const text =
    `pool ${name}: ${limit} the ${desired} nodes that the stack has on record, and EKS refuses that; run pulumi up ` +
    "--refresh. If that fails alike, run aws eks update-nodegroup-config " +
    `--cluster-name ${cluster} --nodegroup-name ${group} --scaling-config ${wanted}, and then pulumi up --refresh again`;
  return [{ severity: "error", text }];
}

/** Limits in the inputs of a node group, and the number of nodes between them, as far as they are known. */
const scalingIn = (inputs: Inputs) => ({
  min: numberAt(inputs, "scalingConfig", "minSize"),
  max: numberAt(inputs, "scalingConfig", "maxSize"),
  desired: numberAt(inputs, "scalingConfig", "desiredSize"),
});

/** Numbers of nodes in the inputs of a node group. */
function countsIn(inputs: Inputs): NodeCounts {
  const { min, max, desired } = scalingIn(inputs);
  // A group without nodes has a limit of one: EKS takes none of 0.
  const isEmpty = min === 0 && max === 1 && desired === 0;
  return min === max || isEmpty ? { fixed: min } : { max };
}
