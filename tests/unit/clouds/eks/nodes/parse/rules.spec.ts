import { itJudges } from "../../../../../support/cases";
import { anEksPoolArgs, eksProblemsOf, eksTags } from "../../../nodes/fixtures";

describe("the rules of an EksNodePool", () =>
  itJudges(
    `
!efa {zones: [us-east-1a, us-east-1b]}
  zones: EFA requires exactly one availability zone, not 2; name one
!efa {zones: !unset }
  zones: EFA requires exactly one availability zone, not 0; name one
{placement: cluster, zones: [us-east-1a, us-east-1b]}
  zones: placement "cluster" requires exactly one availability zone, not 2; name one
{capacity: reservation, reservationId: cr-1}
  zones: capacity "reservation" requires exactly one availability zone, not 0; name one
{machineTypes: [p5.48xlarge], capacity: capacityBlock, reservationId: cr-1, zones: [us-east-1a, us-east-1b]}
  zones: capacity "capacityBlock" requires exactly one availability zone, not 2; name one
!efa {capacity: capacityBlock, reservationId: cr-1, placement: cluster, placementGroupName: mine}
  placement: a capacity block cannot be in a placement group; remove placement
!efa {capacity: reservation, reservationId: cr-1, placement: cluster}
  placement: a reservation has no capacity in a new placement group; set placementGroupName to the reservation's own group, or remove placement
placementGroupName: mine
  placementGroupName: requires placement "cluster"; set it, or remove placementGroupName
!efa {placementGroupName: mine, capacity: spot}
  placementGroupName: requires placement "cluster"; set it, or remove placementGroupName
{efaLayout: combined, efaPlugin: {skip: true}, efaSecurityGroup: true}
  efaLayout: requires fabric "efa"; set it, or remove efaLayout
  efaPlugin: requires fabric "efa"; set it, or remove efaPlugin
  efaSecurityGroup: requires fabric "efa"; set it, or remove efaSecurityGroup
diskType: io2
  diskType: provisioned-IOPS volumes (io1, io2) are not supported; use "gp3"
{fastImagePull: true, diskType: gp2, machineTypes: [c7i.large]}
  diskType: fastImagePull sets the throughput, which gp2 has no field for; use "gp3"
  machineTypes[0]: c7i.large is too small for fastImagePull, which takes 4 vCPUs and 8 GiB; choose a larger size, or remove fastImagePull
{fastImagePull: true, diskType: !later gp2, machineTypes: [c7i.xlarge]}
{fastImagePull: true, os: bottlerocket, machineTypes: [c7i.large]}
{placement: cluster, zones: [us-east-1a]}
!efa {capacity: reservation, reservationId: cr-1, placement: cluster, placementGroupName: mine}
# the zone of a capacity block is that of the only subnet
{machineTypes: [p5.48xlarge], capacity: capacityBlock, reservationId: cr-1, subnetIds: [subnet-a]}
efaSecurityGroup: false
{capacity: reservation, zones: [us-east-1a]}
  reservationId: capacity "reservation" requires the id of the reservation; add it
!efa {capacity: capacityBlock}
  reservationId: capacity "capacityBlock" requires the id of the reservation; add it
{capacity: spot, reservationId: cr-1}
  reservationId: requires capacity "reservation" or "capacityBlock"; set one of these, or remove reservationId
{capacity: reservation, reservationId: cr-1, zones: [us-east-1a], machineTypes: [m7i.large, m6i.large]}
  machineTypes: a reservation has one instance type; keep that one
{machineTypes: [hpc7a.96xlarge], capacity: spot}
  capacity: hpc7a.96xlarge is not available as spot; use "onDemand" or "reservation"
{machineTypes: [g5.48xlarge], capacity: capacityBlock, reservationId: cr-1, zones: [us-east-1a]}
  capacity: g5.48xlarge is not available in capacity blocks; use "onDemand" or "reservation"
labels: {minicluster/pool: a, node-role.kubernetes.io/hpc: a, k8s.io/a: a, my.eks.amazonaws.com/a: a}
  labels["minicluster/pool"]: this package sets this label; remove it and set name
  labels["node-role.kubernetes.io/hpc"]: EKS reserves labels of kubernetes.io; use another prefix
  labels["k8s.io/a"]: EKS reserves labels of k8s.io; use another prefix
  labels["my.eks.amazonaws.com/a"]: EKS reserves labels of eks.amazonaws.com; use another prefix
taints: [{key: a, value: "1", effect: NoSchedule}, {key: a, effect: NoExecute}, {key: a, value: "2", effect: NoSchedule}]
  taints[2]: duplicate taint a:NoSchedule; remove one of the two
# labels that only look reserved
labels: {k8s.amazonaws.com/accelerator: mine, mykubernetes.io/a: b, kubernetes.io.org/a: b, k8s.io: b}
!efa {machineTypes: [m7i.large]}
  fabric: m7i.large has no EFA; choose another instance type, or remove fabric
machineTypes: [m7i.large, m99.large]
  machineTypes[1]: unknown instance type "m99.large"; correct it, or describe it as hardware: await lookupEksMachine("m99.large")
machineTypes: [constructor]
  machineTypes[0]: unknown instance type "constructor"; correct it, or describe it as hardware: await lookupEksMachine("constructor")
{machineTypes: [hpc7g.16xlarge], arch: amd64}
  arch: hpc7g.16xlarge is arm64, not amd64; correct or remove arch
{machineTypes: [c7g.16xlarge], threadsPerCore: 2}
  threadsPerCore: c7g.16xlarge has one thread per core; remove threadsPerCore
{machineTypes: [m7i.metal-24xl], threadsPerCore: 1}
  threadsPerCore: EC2 has no CPU options for bare metal such as m7i.metal-24xl; choose a virtualized size, or remove threadsPerCore
{machineTypes: [trn1.32xlarge], os: bottlerocket}
  os: AWS has no bottlerocket image for the Trainium of trn1.32xlarge on amd64; use "al2023"
{machineTypes: [m99.large], hardware: !m99 {accelerator: {kind: amd, model: Radeon, count: 1}}}
  os: AWS has no al2023 image for the Radeon of m99.large on amd64; choose another instance type
machineTypes: [g7.12xlarge]
  machineTypes: the images of EKS have no driver for the RTX PRO 4500 of g7.12xlarge; choose another instance type
{machineTypes: [m99.large], hardware: !m99 {efaInterfaces: 2}}
  hardware.efaInterfaces: 2 EFA interfaces exceed networkCards 1; correct one of the two
{machineTypes: [m99.large], hardware: !m99 {networkCards: 2, interfacesPerCard: [1]}}
  hardware.interfacesPerCard: has 1 numbers for networkCards 2; give one for each card
{machineTypes: [m99.large], hardware: !m99 {vcpus: 7}}
  hardware.vcpus: 7 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore
{machineTypes: [m7i.large, m6i.large], hardware: !m99 {}}
  hardware: this package knows m7i.large and m6i.large; remove hardware
{machineTypes: [m99.large, m7i.large, m98.large], hardware: !m99 {vcpus: 2}}
  hardware: describes one instance type, and this package does not know m99.large, m98.large; use a pool for each
{machineTypes: [trn1.32xlarge], nvidiaPlugin: {}}
  nvidiaPlugin: requires NVIDIA GPUs; remove nvidiaPlugin
{machineTypes: [g5.48xlarge], os: bottlerocket, nvidiaPlugin: {skip: true}}
  nvidiaPlugin: Bottlerocket has its own NVIDIA plugin; remove nvidiaPlugin, or use os "al2023"
machineTypes: [m7i.large, m7i.xlarge]
  machineTypes[1]: m7i.xlarge and m7i.large differ in CPUs; use a pool for each
machineTypes: [c6i.16xlarge, c7g.16xlarge]
  machineTypes[1]: c7g.16xlarge and c6i.16xlarge differ in architecture, CPUs, EFA; use a pool for each
machineTypes: [g6.16xlarge, g5.16xlarge]
  machineTypes[1]: g5.16xlarge and g6.16xlarge differ in accelerators; use a pool for each
{machineTypes: [hpc7g.16xlarge], arch: arm64}
{machineTypes: [m7i.metal-24xl], threadsPerCore: 2}
{machineTypes: [m7i.large, m99.large], hardware: !m99 {vcpus: 2}}
!efa {nvidiaPlugin: {skip: true}, efaPlugin: {skip: true}}
fabricBy: claim
  fabricBy: requires fabric "efa"; set it, or remove fabricBy
gpuBy: claim
  gpuBy: requires NVIDIA GPUs; remove gpuBy
!efa {machineTypes: [p5.48xlarge], fabricBy: claim, gpuBy: claim, nvidiaPlugin: {}, efaPlugin: {}}
  nvidiaPlugin: gpuBy "claim" is served by a DRA driver, and no plugin runs beside it; remove nvidiaPlugin
  efaPlugin: fabricBy "claim" is served by a DRA driver, and no plugin runs beside it; remove efaPlugin
!efa {machineTypes: [p6e-gb200.36xlarge], placement: none}
  capacity: p6e-gb200.36xlarge comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve one, and use "capacityBlock" with its id as reservationId
!efa {machineTypes: [p6e-gb200.36xlarge], capacity: spot}
  capacity: p6e-gb200.36xlarge comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve one, and use "capacityBlock" with its id as reservationId
# A plugin for what nobody claims.
!efa {machineTypes: [p5.48xlarge], gpuBy: claim, efaPlugin: {}}
`,
    (args) => eksProblemsOf(anEksPoolArgs(args)),
    eksTags,
  ));
