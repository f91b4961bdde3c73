import * as assert from "node:assert/strict";
import { type Obj, secret, unknown } from "../rpc/values";
import { backendOf, BackendDouble, changesIn } from "./backendDouble";
import { type CloudName, clouds } from "./clouds";
import {
  agentPoolType,
  aNodeGroup,
  aNodePool,
  anAgentPool,
  launchTemplateType,
  nodeGroupType,
  nodePoolType,
} from "./fixtures";
import { cloudDeclarations } from ".";

const engineFor = async (type: string) => new BackendDouble(await backendOf(type.split(":")[0] as CloudName));

const changes: { name: string; type: string; before: Obj; after: Obj; expected: string[] }[] = [
  {
    name: "replaces a node group for its subnets and its instance types",
    type: nodeGroupType,
    before: aNodeGroup(),
    after: aNodeGroup({ subnetIds: ["subnet-b1", "subnet-c1"], instanceTypes: ["hpc7a.96xlarge"] }),
    expected: [
      "instanceTypes[0]: update and replace",
      "subnetIds[0]: update and replace",
      "subnetIds[1]: add and replace",
    ],
  },
  {
    name: "updates the machine type of a GKE pool, and replaces it for Spot",
    type: nodePoolType,
    before: aNodePool(),
    after: aNodePool({ nodeConfig: { machineType: "h4d-highmem-192-lssd", labels: { pool: "hpc" }, spot: true } }),
    expected: ["nodeConfig.machineType: update", "nodeConfig.spot: add and replace"],
  },
  {
    name: "replaces an AKS pool for its VM size only",
    type: agentPoolType,
    before: anAgentPool(),
    after: anAgentPool({ vmSize: "Standard_HB176rs_v4", osDiskType: "Managed", count: 8 }),
    expected: ["count: update", "osDiskType: update", "vmSize: update and replace"],
  },
  {
    name: "does not take a secret for a change",
    type: nodePoolType,
    before: aNodePool(),
    after: aNodePool({ cluster: secret("hpc") }),
    expected: [],
  },
  {
    name: "replaces for a value that is not known yet",
    type: nodeGroupType,
    before: aNodeGroup(),
    after: aNodeGroup({ nodeRoleArn: unknown }),
    expected: ["nodeRoleArn: update and replace"],
  },
];

describe("a cloud's stand-in", () => {
  for (const { name, type, before, after, expected } of changes)
    it(name, async () => {
      const engine = await engineFor(type);
      assert.deepEqual(changesIn(await engine.diff(await engine.create(type, before), after)), expected);
    });

  it("gives a launch template another version with each change that machines can see", async () => {
    const engine = await engineFor(launchTemplateType);
    const first = await engine.create(launchTemplateType, { imageId: "ami-1" });
    assert.equal(first.state.latestVersion, 1);
    const changed = { imageId: "ami-2", updateDefaultVersion: true };
    const preview = await engine.update(first, changed, true);
    assert.deepEqual([preview.state.latestVersion, preview.state.defaultVersion], [unknown, unknown]);
    const second = await engine.update(first, changed);
    assert.deepEqual([second.state.latestVersion, second.state.defaultVersion], [2, 2]);
    const described = await engine.update(second, { ...changed, description: "new" });
    assert.equal(described.state.latestVersion, 2);
    assert.equal(second.state.id ?? first.id, first.id);
  });

  it("returns of a resource only what the SDK declares, and everything that it promises", async () => {
    for (const type of Object.values(clouds).flatMap(({ resources }) => Object.keys(resources))) {
      const name = type.split(":")[0] as CloudName;
      const outputs = (await cloudDeclarations(name)).resources[type]?.outputs ?? {};
      const inputs = allRequired[type] ?? assert.fail(`no inputs for ${type}`);
      const { state } = await (await engineFor(type)).create(type, inputs);
      const promised = Object.keys(outputs).filter((key) => outputs[key]?.required);
      assert.deepEqual(
        [...promised.filter((key) => !(key in state)), ...Object.keys(state).filter((k) => !(k in outputs))],
        [],
      );
    }
  });

  it("fails as AKS does at the change of what it cannot change, though not in a preview", async () => {
    const engine = await engineFor(agentPoolType);
    const pool = await engine.create(agentPoolType, anAgentPool());
    const changed = anAgentPool({ osDiskType: "Managed" });
    await engine.update(pool, changed, true);
    await assert.rejects(engine.update(pool, changed), /PropertyChangeNotAllowed.*properties\.osDiskType/);
  });

  it("fails as EKS does at a number of nodes outside of its limits, though not in a preview", async () => {
    const sized = (minSize: number, desiredSize: number, maxSize: number) =>
      aNodeGroup({ scalingConfig: { minSize, desiredSize, maxSize } });
    const engine = await engineFor(nodeGroupType);
    const cases: [group: Obj, reason: RegExp][] = [
      [sized(2, 1, 8), /Minimum capacity 2 can't be greater than desired size 1/],
      [sized(0, 8, 4), /desired capacity 8 can't be greater than max size 4/],
    ];
    const group = await engine.create(nodeGroupType, sized(1, 1, 1));
    for (const [inputs, reason] of cases) {
      await engine.previewCreate(nodeGroupType, inputs);
      await assert.rejects(engine.create(nodeGroupType, inputs), reason);
      await engine.update(group, inputs, true);
      await assert.rejects(engine.update(group, inputs), reason);
    }
    await engine.update(group, sized(2, 2, 2));
  });
});

const rule = { ipProtocol: "-1", securityGroupId: "sg-1" };

const allRequired: Record<string, Obj> = {
  "aws:efs/fileSystem:FileSystem": {},
  "aws:efs/mountTarget:MountTarget": { fileSystemId: "fs-1", subnetId: "subnet-a1" },
  "aws:eks/addon:Addon": { addonName: "aws-efs-csi-driver", clusterName: "hpc" },
  "aws:eks/podIdentityAssociation:PodIdentityAssociation": {
    clusterName: "hpc",
    namespace: "kube-system",
    roleArn: "arn:aws:iam::1:role/a",
    serviceAccount: "a",
  },
  "aws:iam/role:Role": { assumeRolePolicy: "{}" },
  "aws:iam/rolePolicy:RolePolicy": { policy: "{}", role: "a" },
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment": { policyArn: "arn:aws:iam::aws:policy/a", role: "a" },
  "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": {
    dataRepositoryPath: "s3://bucket/data",
    fileSystemId: "fs-1",
    fileSystemPath: "/data",
  },
  "aws:fsx/lustreFileSystem:LustreFileSystem": { subnetIds: "subnet-a1" },
  "azure-native:authorization:RoleAssignment": {
    principalId: "00000000-0000-0000-0000-000000000001",
    roleAssignmentName: "a",
    roleDefinitionId: "/providers/Microsoft.Authorization/roleDefinitions/a",
    scope: "/subscriptions/a",
  },
  "azure-native:containerservice:ManagedCluster": { resourceGroupName: "group", resourceName: "hpc" },
  "azure-native:managedidentity:UserAssignedIdentity": { resourceGroupName: "group", resourceName: "hpc" },
  "azure-native:network:Subnet": { resourceGroupName: "group", subnetName: "nodes", virtualNetworkName: "hpc" },
  "azure-native:network:VirtualNetwork": { resourceGroupName: "group", virtualNetworkName: "hpc" },
  "azure-native:resources:ResourceGroup": { resourceGroupName: "group" },
  "azure-native:storage:BlobContainer": { accountName: "data1234", containerName: "data", resourceGroupName: "group" },
  "azure-native:storage:FileShare": { accountName: "data1234", resourceGroupName: "group", shareName: "data" },
  "azure-native:storage:StorageAccount": {
    accountName: "data1234",
    kind: "FileStorage",
    resourceGroupName: "group",
    sku: { name: "Premium_LRS" },
  },
  "azure-native:storagecache:AmlFilesystem": {
    amlFilesystemName: "data",
    filesystemSubnet: "/subnets/storage",
    resourceGroupName: "group",
    maintenanceWindow: { dayOfWeek: "Sunday", timeOfDayUTC: "03:00" },
    storageCapacityTiB: 4,
    sku: { name: "AMLFS-Durable-Premium-250" },
    zones: ["1"],
  },
  "gcp:compute/network:Network": { name: "hpc" },
  "gcp:compute/subnetwork:Subnetwork": { name: "hpc", network: "hpc", region: "us-central1" },
  "gcp:container/cluster:Cluster": { name: "hpc", location: "us-central1" },
  "gcp:filestore/instance:Instance": {
    location: "us-central1-a",
    tier: "ZONAL",
    fileShares: { name: "data", capacityGb: 1024 },
    networks: [{ network: "default", modes: ["MODE_IPV4"] }],
  },
  "gcp:lustre/instance:Instance": {
    capacityGib: "9000",
    filesystem: "fs",
    instanceId: "data",
    location: "us-central1-a",
    network: "default",
    perUnitStorageThroughput: "1000",
  },
  [launchTemplateType]: { namePrefix: "demo-" },
  [nodeGroupType]: aNodeGroup(),
  [nodePoolType]: aNodePool(),
  [agentPoolType]: anAgentPool(),
  "aws:ec2/placementGroup:PlacementGroup": { strategy: "cluster" },
  "aws:ec2/securityGroup:SecurityGroup": {},
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": rule,
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": rule,
  "gcp:compute/resourcePolicy:ResourcePolicy": { workloadPolicy: { type: "HIGH_THROUGHPUT" } },
  "azure-native:compute:ProximityPlacementGroup": { resourceGroupName: "group" },
  "azure-native:features:SubscriptionFeatureRegistration": { providerNamespace: "Microsoft.ContainerService" },
};
