import * as assert from "node:assert/strict";
import type { EksNodePoolArgs } from "../../../../../provider";
import {
  buildLaunchTemplate,
  buildNodeGroup,
  needsPlacementGroup,
} from "../../../../../provider/clouds/eks/nodes/objects";
import { nodeGroupDiagnostics } from "../../../../../provider/clouds/eks/nodes/diagnostics";
import { anEksPool, blockArgs, efaArgs, m99 } from "../../nodes/fixtures";
import { asInputs, itMakes, diagnosing, ofAnyCloud } from "../../nodes/tables";

const pools: Record<string, Partial<EksNodePoolArgs>> = {
  "a plain pool": {},
  "several types, of which the least memory counts": { machineTypes: ["m7i.16xlarge", "c6i.16xlarge"] },
  "no node": { size: 0 },
  "spot machines in several zones": { capacityType: "spot", zones: ["us-east-1a", "us-east-1b"] },
  "a reservation": { capacityType: "reservation", reservationId: "cr-1", zones: ["us-east-1a"] },
  "a group of reservations, with machines on demand beside them": {
    capacityType: "reservation",
    reservationResourceGroupArn: "arn:aws:resource-groups:us-east-1:1:group/hpc",
    machineTypes: ["m7i.large", "m6i.large"],
  },
  "a group of reservations alone": {
    capacityType: "reservation",
    reservationResourceGroupArn: "arn:aws:resource-groups:us-east-1:1:group/hpc",
    reservationPreference: "capacityReservationsOnly",
  },
  "EFA in open reservations, without a placement group": efaArgs({
    machineTypes: ["hpc7g.16xlarge"],
    reservationPreference: "open",
  }),
  "no reservation": { reservationPreference: "none" },
  "a capacity block, whose instance type is in the template alone": efaArgs({
    machineTypes: ["p5.4xlarge"],
    capacityType: "capacityBlock",
    reservationId: "cr-1",
  }),
  "EFA for CPUs, which brings Bottlerocket, a placement group and a security group": efaArgs({
    machineTypes: ["hpc7g.16xlarge"],
  }),
  "EFA in the combined layout on Amazon Linux": efaArgs({
    machineTypes: ["hpc7a.96xlarge"],
    os: "al2023",
    efaLayout: "combined",
    placement: "none",
  }),
  "EFA on one card, whose interface may have a public address": efaArgs({
    machineTypes: ["hpc7g.16xlarge"],
    efaLayout: "combined",
    efaSecurityGroup: false,
  }),
  "EFA in a placement group that exists": efaArgs({ machineTypes: ["hpc7g.16xlarge"], placementGroupName: "mine" }),
  "EFA on spot machines": efaArgs({ machineTypes: ["c5n.18xlarge"], capacityType: "spot" }),
  "EFA on spot machines that are placed on request": efaArgs({
    machineTypes: ["c5n.18xlarge"],
    capacityType: "spot",
    placement: "cluster",
    threadsPerCore: 1,
  }),
  "whole CPUs for pods, and one thread for each core": {
    machineTypes: ["c7i.48xlarge"],
    staticCpu: true,
    threadsPerCore: 1,
  },
  "threads that the machine has anyway": { machineTypes: ["c7i.48xlarge"], threadsPerCore: 2 },
  "whole CPUs on Bottlerocket": { os: "bottlerocket", staticCpu: true },
  "images that are pulled in parallel": { machineTypes: ["c7i.xlarge"], fastImagePull: true },
  "machines that wait in a warm pool": { maxSize: 8, warmPool: {} },
  "a warm pool with everything set": {
    maxSize: 8,
    warmPool: { poolState: "hibernated", minSize: 1, maxGroupPreparedCapacity: 4, reuseOnScaleIn: true },
  },
  "everything that people set, scaled by need": efaArgs({
    machineTypes: ["trn2.3xlarge"],
    minSize: 1,
    maxSize: 8,
    placement: "none",
    tags: { team: "physics", "k8s.io/cluster-autoscaler/node-template/resources/hugepages-2Mi": "1Gi" },
    labels: { tier: "fast" },
    taints: [
      { key: "a", value: "b", effect: "NoSchedule" },
      { key: "c", effect: "PreferNoSchedule" },
      { key: "d", effect: "NoExecute" },
    ],
    version: "1.34",
    diskGib: 500,
    diskType: "gp2",
    securityGroupIds: ["sg-mine"],
  }),
  "GPUs that have another name for the autoscaler": { machineTypes: ["p4d.24xlarge"], maxSize: 4 },
  "GPUs and EFA that grow with their cluster": efaArgs({
    machineTypes: ["p5.4xlarge"],
    size: 2,
    maxSize: 4,
    placement: "none",
  }),
  "GPUs in a fixed number, without the plugin": { machineTypes: ["g5g.xlarge"], nvidiaPlugin: { skip: true } },
  "GPUs and EFA on Bottlerocket, which has the plugin of NVIDIA": efaArgs({
    machineTypes: ["g6e.8xlarge"],
    os: "bottlerocket",
    efaPlugin: { image: "mine" },
  }),
  "GPUs that pods claim, of which the autoscaler has no name": {
    machineTypes: ["g5.48xlarge"],
    gpuBy: "claim",
    maxSize: 4,
  },
  "GPUs and EFA that pods claim on Bottlerocket, with everything in its user data": efaArgs({
    machineTypes: ["p5.4xlarge"],
    fabricBy: "claim",
    gpuBy: "claim",
    os: "bottlerocket",
    staticCpu: true,
    fastImagePull: true,
  }),
  "local disks of Bottlerocket as one file system, without the directory of SOCI": {
    machineTypes: ["c6id.32xlarge"],
    os: "bottlerocket",
    localDisks: "raid0",
  },
  "local disks as one file system": { machineTypes: ["c6id.32xlarge"], localDisks: "raid0" },
  "local disks as one file system on Bottlerocket, with everything in its user data": {
    machineTypes: ["c6id.32xlarge"],
    localDisks: "raid0",
    os: "bottlerocket",
    staticCpu: true,
    fastImagePull: true,
  },
  "nodes that use EFA to Lustre": efaArgs({ machineTypes: ["hpc7a.96xlarge"], os: "al2023", lustreEfaClient: true }),
  "broken nodes that are replaced": { nodeRepair: true },
  "superchips, whose domain has a separate driver": blockArgs({ machineTypes: ["p6e-gb200.36xlarge"] }),
  "whole CPUs and images that are pulled in parallel": {
    machineTypes: ["c7i.xlarge"],
    staticCpu: true,
    fastImagePull: true,
  },
  "a label of the user's own for the autoscaler": {
    machineTypes: ["g5.48xlarge"],
    maxSize: 4,
    labels: { "k8s.amazonaws.com/accelerator": "mine" },
  },
  "a described type with EFA on all but its first card": efaArgs({
    machineTypes: ["m99.large"],
    hardware: { ...m99, efaInterfaces: 1, networkCards: 2 },
  }),
  "a described type whose GPUs have a long name": {
    machineTypes: ["m99.large"],
    maxSize: 4,
    hardware: {
      ...m99,
      accelerator: { kind: "nvidia", count: 1, model: "RTX PRO (Server) xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y" },
    },
  },
};

function made(args: Partial<EksNodePoolArgs>) {
  const spec = anEksPool(args);
  const placementGroup = needsPlacementGroup(spec) ? "new" : spec.placementGroupName;
  const { userData, ...template } = buildLaunchTemplate(spec, { securityGroups: ["sg"], placementGroup });
  return {
    launchTemplate: { ...template, userData: userData && Buffer.from(userData as string, "base64").toString() },
    nodeGroup: buildNodeGroup(spec, { subnetIds: ["subnet"], launchTemplate: { id: "lt", version: "1" } }),
    securityGroup: { isMade: spec.efaSecurityGroup },
    ...ofAnyCloud(spec),
  };
}

describe("an EksNodePool", () => {
  itMakes("eks", pools, made);
});

type Args = Partial<EksNodePoolArgs>;

/** The inputs of a group. Where its number of nodes is left to the autoscaler, it is that of the state. */
function groupInputs(args: Args, desiredSize?: number) {
  const parts = { subnetIds: ["subnet-a"], launchTemplate: { id: "lt-1", version: "1" } };
  const inputs = asInputs(buildNodeGroup(anEksPool(args), parts));
  const scalingConfig = { ...(inputs["scalingConfig"] as object), ...(desiredSize !== undefined && { desiredSize }) };
  return { ...inputs, scalingConfig, nodeGroupName: "hpc-1234567" };
}

const templateInputs = (args: Args) =>
  asInputs(buildLaunchTemplate(anEksPool(args), { securityGroups: ["sg-1"], placementGroup: undefined }));

const config = "aws eks update-nodegroup-config --cluster-name flux --nodegroup-name hpc-1234567 --scaling-config";

/** A pool before and after, the nodes that the state has, and those that it had before. */
type Change = [before: Args, after: Args, desired?: number, desiredBefore?: number];

describe("the diagnostics of a change of an EksNodePool", () => {
  const { says, saysAll, saysNothing } = diagnosing(([before, after, desired, desiredBefore]: Change) =>
    nodeGroupDiagnostics(anEksPool(after), {
      before: groupInputs(before, desiredBefore),
      after: groupInputs(after, desired),
      templateBefore: desiredBefore === undefined ? templateInputs(before) : undefined,
    }),
  );
  says({
    "info: pool hpc: nodes 2 => 4, vCPUs 4 => 8, GiB of memory 16 => 32": [{ size: 2 }, { size: 4 }],
    "info: pool hpc: nodes 0 => 4, vCPUs 0 => 8, GiB of memory 0 => 32": [{ size: 0 }, { size: 4 }],
    "info: pool hpc (maximum): nodes 1 => 4, vCPUs 2 =>…": [{ maxSize: 1 }, { maxSize: 4 }, 1, 1],
    ["error: pool hpc: minSize 2 is above the 1 nodes that the stack has recorded, which EKS rejects; run " +
    `pulumi up --refresh. If that also fails, run ${config} minSize=2,maxSize=8,desiredSize=2, and then ` +
    "pulumi up --refresh again"]: [{ maxSize: 8 }, { minSize: 2, maxSize: 8 }, 1],
  });
  saysAll(
    [blockArgs({ machineTypes: ["p4d.24xlarge"] }), blockArgs({ machineTypes: ["p5.48xlarge"], size: 4 })],
    [
      "info: pool hpc: machines p4d.24xlarge => p5.48xlarge, nodes 2 => 4, GPUs 16 => 32, EFA interfaces 8 => " +
        "128, vCPUs 192 => 768, GiB of memory 2304 => 8192",
      "warning: pool hpc: this change replaces nodes of a capacity block, for which EKS requires a desired size " +
        "of 0; run pulumi up with size: 0 first, and then with this change",
    ],
  );
  saysAll(
    [{ maxSize: 8 }, { size: 2 }],
    [
      "info: pool hpc (maximum): nodes 8 => 2, vCPUs 16 => 4, GiB of memory 64 => 16",
      "warning: pool hpc may have at most 2 nodes instead of 8…",
    ],
  );
  saysAll(
    [{ size: 8 }, { minSize: 4, maxSize: 4 }, 4],
    [
      "info: pool hpc: nodes 8 => 4, vCPUs 16 => 8, GiB of memory 64 => 32",
      "warning: pool hpc loses 4 of 8 nodes; the cloud chooses which, even nodes on which brokers run.…",
    ],
  );
  saysAll(
    [{ size: 3 }, { maxSize: 4 }, 5],
    [
      "info: pool hpc (maximum): nodes 3 => 4, vCPUs 6 => 8, GiB of memory 24 => 32",
      "error: pool hpc: maxSize 4 is below the 5 nodes that the stack has recorded, which EKS rejects; run " +
        `pulumi up --refresh. If that also fails, run ${config} minSize=0,maxSize=4,desiredSize=4, and then ` +
        "pulumi up --refresh again",
    ],
  );
  saysNothing({
    "another layout of EFA": [
      efaArgs({ machineTypes: ["hpc7a.96xlarge"] }),
      efaArgs({ machineTypes: ["hpc7a.96xlarge"], efaLayout: "combined" }),
    ],
    "the lowest recorded size": [{ minSize: 2, maxSize: 4 }, { minSize: 2, maxSize: 4 }, 2],
  });

  const scaled = { minSize: 2, maxSize: 4 };

  const block = (size: number, more: Args = {}) => blockArgs({ size, ...more });
  const loses =
    "warning: pool hpc: this change replaces nodes of a capacity block, for which EKS requires a desired size of 0…";
  const replaced = (args: Args, desired: number, templateBefore: boolean) =>
    nodeGroupDiagnostics(anEksPool(args), {
      before: groupInputs({ ...args, version: "1.35" }, desired),
      after: groupInputs(args, desired),
      templateBefore: templateBefore ? templateInputs(args) : undefined,
    }).map(({ severity, message }) => `${severity}: ${message}`);

  it("warns of every change that replaces nodes of a capacity block, and of no other one", () => {
    const starts = (found: string[]) => found.some((each) => each.startsWith(loses.slice(0, -1)));
    assert.ok(starts(replaced(block(2, { diskGib: 300, version: "1.35" }), 2, true)));
    assert.ok(starts(replaced(block(2, { version: "1.36" }), 2, false)));
    assert.ok(!starts(replaced(block(2, { version: "1.35" }), 2, false)));
    assert.ok(!starts(replaced(block(0, { version: "1.36" }), 0, true)));
    assert.ok(!starts(replaced({ size: 2, version: "1.36" }, 2, true)));
  });

  it("is nothing of what is not known, and leaves room for names that are known later", () => {
    const diagnose = (after: object) =>
      nodeGroupDiagnostics(anEksPool(scaled), {
        before: after as never,
        after: after as never,
        templateBefore: undefined,
      });
    assert.deepEqual(diagnose({}), []);
    const [diagnostic] = diagnose({ ...groupInputs(scaled, 1), clusterName: {}, nodeGroupName: {} });
    assert.match(diagnostic?.message ?? "", /--cluster-name … --nodegroup-name … --scaling-config/);
  });
});
