import type { EksNodePoolArgs } from "../../../../provider";
import { buildLaunchTemplate, buildNodeGroup, needsPlacementGroup } from "../../../../provider/nodepools/eks/pool";
import { itMakes, ofAnyCloud } from "../tables";
import { anEksPool, eksTags } from "../fixtures";

const pools = `
a plain pool: {}
several types, of which the least memory counts: {machineTypes: [m7i.16xlarge, c6i.16xlarge]}
no node: {size: 0}
spot machines in several zones: {capacity: spot, zones: [us-east-1a, us-east-1b]}
a reservation: {capacity: reservation, reservationId: cr-1, zones: [us-east-1a]}
a capacity block, whose instance type stands in the template alone: !efa
  machineTypes: [p5.4xlarge]
  capacity: capacityBlock
  reservationId: cr-1
EFA for CPUs, which brings Bottlerocket, a placement group and a security group: !efa {machineTypes: [hpc7g.16xlarge]}
EFA in the combined layout on Amazon Linux: !efa {machineTypes: [hpc7a.96xlarge], os: al2023, efaLayout: combined, placement: none}
EFA on one card, whose interface may have a public address: !efa
  machineTypes: [hpc7g.16xlarge]
  efaLayout: combined
  efaSecurityGroup: false
EFA in a placement group that exists: !efa {machineTypes: [hpc7g.16xlarge], placementGroupName: mine}
EFA on spot machines: !efa {machineTypes: [c5n.18xlarge], capacity: spot}
EFA on spot machines that are placed on request: !efa
  machineTypes: [c5n.18xlarge]
  capacity: spot
  placement: cluster
  threadsPerCore: 1
whole CPUs for pods, and one thread for each core: {machineTypes: [c7i.48xlarge], staticCpu: true, threadsPerCore: 1}
threads that the machine has anyway: {machineTypes: [c7i.48xlarge], threadsPerCore: 2}
whole CPUs on Bottlerocket: {os: bottlerocket, staticCpu: true}
everything that people set, scaled by need: !efa
  machineTypes: [trn2.3xlarge]
  autoscale: {min: 1, max: 8}
  placement: none
  tags: {team: physics, k8s.io/cluster-autoscaler/node-template/resources/hugepages-2Mi: 1Gi}
  labels: {tier: fast}
  taints: [{key: a, value: b, effect: NoSchedule}, {key: c, effect: PreferNoSchedule}, {key: d, effect: NoExecute}]
  version: "1.34"
  diskGib: 500
  diskType: gp2
  securityGroupIds: [sg-mine]
GPUs that the autoscaler knows by a name of its own: {machineTypes: [p4d.24xlarge], autoscale: {max: 4}}
GPUs and EFA that grow with their cluster: !efa {machineTypes: [p5.4xlarge], pairedWith: {size: 2, maxSize: 4}, placement: none}
GPUs in a fixed number, without the plugin: {machineTypes: [g5g.xlarge], nvidiaPlugin: {skip: true}}
GPUs and EFA on Bottlerocket, which has the plugin of NVIDIA: !efa
  machineTypes: [g6e.8xlarge]
  os: bottlerocket
  efaPlugin: {image: mine}
a label of the user's own for the autoscaler:
  machineTypes: [g5.48xlarge]
  autoscale: {max: 4}
  labels: {k8s.amazonaws.com/accelerator: mine}
a described type with EFA on all but its first card: !efa
  machineTypes: [m99.large]
  hardware: !m99 {efaInterfaces: 1, networkCards: 2}
a described type whose GPUs have a long name:
  machineTypes: [m99.large]
  autoscale: {max: 4}
  hardware: !m99 {accelerator: {kind: nvidia, count: 1, model: RTX PRO (Server) xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y}}
`;

function made(args: Partial<EksNodePoolArgs>) {
  const spec = anEksPool(args);
  const placementGroup = needsPlacementGroup(spec) ? "new" : spec.placementGroupName;
  return {
    launchTemplate: buildLaunchTemplate(spec, { securityGroups: ["sg"], placementGroup }),
    nodeGroup: buildNodeGroup(spec, { subnetIds: ["subnet"], launchTemplate: { id: "lt", version: "1" } }),
    securityGroup: { isMade: spec.efaSecurityGroup },
    ...ofAnyCloud(spec),
  };
}

describe("an EksNodePool", () => {
  itMakes("eks", pools, made, eksTags);
});
