import type { Obj } from "../../rpc/values";
import { type Cloud, type ResourceKind, text } from "../cloud";
import { regionOf } from "./awsRegion";
import { awsFunctions } from "./awsFunctions";

const account = "123456789012";

const arn = (service: string, region: string, resource: string) =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

/** What all resources with tags have in common. */
const common = (inputs: Obj, config: Record<string, string>) => ({
  region: regionOf(inputs, config),
  tagsAll: inputs.tags ?? {},
});

const nodeGroup: ResourceKind = {
  name: "nodeGroupName",
  namePrefix: "nodeGroupNamePrefix",
  replacedBy: [
    "amiType",
    "capacityType",
    "clusterName",
    "diskSize",
    "instanceTypes",
    "nodeGroupName",
    "nodeGroupNamePrefix",
    "nodeRoleArn",
    "remoteAccess",
    "subnetIds",
    "region",
    "launchTemplate.id",
    "launchTemplate.name",
  ],
  refuses: ({ scalingConfig }) => {
    const { minSize, maxSize, desiredSize } = scalingConfig as Record<string, number>;
    const say = (what: string) => `api error InvalidParameterException: ${what}`;
    if (minSize! > desiredSize!)
      return say(`Minimum capacity ${minSize} can't be greater than desired size ${desiredSize}`);
    if (desiredSize! > maxSize!)
      return say(`desired capacity ${desiredSize} can't be greater than max size ${maxSize}`);
    return undefined;
  },
  id: ({ inputs, unique }) =>
    `${text(inputs.clusterName)}:${text(inputs.nodeGroupName, text(inputs.nodeGroupNamePrefix) + unique)}`,
  outputs: ({ inputs, id, unique, config }) => ({
    ...common(inputs, config),
    arn: arn("eks", regionOf(inputs, config), `nodegroup/${id.replace(":", "/")}/${unique}`),
    status: "ACTIVE",
    resources: [{ autoscalingGroups: [{ name: `eks-${id.replace(":", "-")}` }], remoteAccessSecurityGroupId: "" }],
  }),
};

/** Inputs of a launch template that say something about it, and nothing about the machines. */
const besidesTheVersion = ["name", "namePrefix", "description", "defaultVersion", "updateDefaultVersion"];

const launchTemplate: ResourceKind = {
  name: "name",
  namePrefix: "namePrefix",
  replacedBy: ["name", "namePrefix", "region"],
  id: ({ unique }) => `lt-${unique}`,
  outputs: ({ inputs, id, config }) => ({
    ...common(inputs, config),
    arn: arn("ec2", regionOf(inputs, config), `launch-template/${id}`),
    latestVersion: 1,
    defaultVersion: 1,
  }),
  // The provider marks the version as unknown also after a change of tags, although tags make no new one.
  revised: (changed, inputs, olds) => {
    const versioned = changed.filter((key) => !besidesTheVersion.includes(key));
    if (versioned.length === 0) return {};
    const latestVersion = Number(olds.latestVersion) + (versioned.some((key) => key !== "tags") ? 1 : 0);
    return inputs.updateDefaultVersion === true ? { latestVersion, defaultVersion: latestVersion } : { latestVersion };
  },
};

const placementGroup: ResourceKind = {
  name: "name",
  replacedBy: ["name", "partitionCount", "spreadLevel", "strategy", "region"],
  id: ({ inputs }) => text(inputs.name),
  outputs: ({ inputs, id, unique, config }) => ({
    ...common(inputs, config),
    arn: arn("ec2", regionOf(inputs, config), `placement-group/${id}`),
    placementGroupId: `pg-${unique}`,
  }),
};

const securityGroup: ResourceKind = {
  name: "name",
  namePrefix: "namePrefix",
  replacedBy: ["name", "namePrefix", "description", "vpcId", "region"],
  id: ({ unique }) => `sg-${unique}`,
  outputs: ({ inputs, id, config }) => ({
    ...common(inputs, config),
    arn: arn("ec2", regionOf(inputs, config), `security-group/${id}`),
    description: text(inputs.description, "Managed by Pulumi"),
    ownerId: account,
    vpcId: text(inputs.vpcId, "vpc-default"),
  }),
};

const securityGroupRule: ResourceKind = {
  replacedBy: ["securityGroupId", "region"],
  id: ({ unique }) => `sgr-${unique}`,
  outputs: ({ inputs, id, config }) => ({
    ...common(inputs, config),
    arn: arn("ec2", regionOf(inputs, config), `security-group-rule/${id}`),
    securityGroupRuleId: id,
  }),
};

const lustreFileSystem: ResourceKind = {
  replacedBy: ["deploymentType", "kmsKeyId", "region", "securityGroupIds", "storageType", "subnetIds"],
  id: ({ unique }) => `fs-${unique}`,
  outputs: ({ inputs, id, config }) => ({
    ...common(inputs, config),
    arn: arn("fsx", regionOf(inputs, config), `file-system/${id}`),
    dnsName: `${id}.fsx.${regionOf(inputs, config)}.amazonaws.com`,
    mountName: "fsx",
  }),
};

const dataRepositoryAssociation: ResourceKind = {
  replacedBy: ["batchImportMetaDataOnCreate", "dataRepositoryPath", "fileSystemId", "fileSystemPath", "region"],
  id: ({ unique }) => `dra-${unique}`,
  outputs: ({ inputs, id, config }) => ({
    ...common(inputs, config),
    arn: arn("fsx", regionOf(inputs, config), `association/${text(inputs.fileSystemId)}/${id}`),
    associationId: id,
    importedFileChunkSize: 1024,
  }),
};

const efsFileSystem: ResourceKind = {
  replacedBy: ["availabilityZoneName", "creationToken", "encrypted", "kmsKeyId", "performanceMode", "region"],
  id: ({ unique }) => `fs-${unique}`,
  outputs: ({ inputs, id, config }) => ({
    ...common(inputs, config),
    arn: arn("elasticfilesystem", regionOf(inputs, config), `file-system/${id}`),
    dnsName: `${id}.efs.${regionOf(inputs, config)}.amazonaws.com`,
  }),
};

const mountTarget: ResourceKind = {
  replacedBy: ["fileSystemId", "ipAddress", "region", "subnetId"],
  id: ({ unique }) => `fsmt-${unique}`,
  outputs: ({ inputs, config }) => ({ region: regionOf(inputs, config), ipAddress: "10.0.0.5" }),
};

const addon: ResourceKind = {
  replacedBy: ["addonName", "clusterName", "region"],
  id: ({ inputs }) => `${text(inputs.clusterName)}:${text(inputs.addonName)}`,
  outputs: ({ inputs, config }) => ({ ...common(inputs, config), addonVersion: "v1.0.0-eksbuild.1" }),
};

const podIdentity: ResourceKind = {
  replacedBy: ["clusterName", "namespace", "region", "serviceAccount"],
  id: ({ unique }) => `a-${unique}`,
  outputs: ({ inputs, config }) => common(inputs, config),
};

const role: ResourceKind = {
  name: "name",
  namePrefix: "namePrefix",
  replacedBy: ["name", "namePrefix", "path"],
  id: ({ inputs }) => text(inputs.name),
  outputs: ({ id }) => ({ arn: `arn:aws:iam::${account}:role/${id}` }),
};

const rolePolicy: ResourceKind = {
  name: "name",
  namePrefix: "namePrefix",
  replacedBy: ["name", "namePrefix", "role"],
  id: ({ inputs }) => `${text(inputs.role)}:${text(inputs.name)}`,
  outputs: () => ({}),
};

const rolePolicyAttachment: ResourceKind = {
  replacedBy: ["policyArn", "role"],
  id: ({ inputs, unique }) => `${text(inputs.role)}-${unique}`,
  outputs: () => ({}),
};

/** What replaces what is from the provider's source: `ForceNew` in hashicorp/terraform-provider-aws. */
export const aws: Cloud = {
  autoname: { separator: "-", digits: 7 },
  resources: {
    "aws:ec2/launchTemplate:LaunchTemplate": launchTemplate,
    "aws:ec2/placementGroup:PlacementGroup": placementGroup,
    "aws:ec2/securityGroup:SecurityGroup": securityGroup,
    "aws:efs/fileSystem:FileSystem": efsFileSystem,
    "aws:efs/mountTarget:MountTarget": mountTarget,
    "aws:eks/addon:Addon": addon,
    "aws:eks/nodeGroup:NodeGroup": nodeGroup,
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": podIdentity,
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": dataRepositoryAssociation,
    "aws:fsx/lustreFileSystem:LustreFileSystem": lustreFileSystem,
    "aws:iam/role:Role": role,
    "aws:iam/rolePolicy:RolePolicy": rolePolicy,
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": rolePolicyAttachment,
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": securityGroupRule,
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": securityGroupRule,
  },
  functions: awsFunctions,
};
