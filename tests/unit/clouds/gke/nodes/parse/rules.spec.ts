import { itJudges } from "../../../../../support/cases";
import { aGkePoolArgs, gkeProblemsOf, gkeTags } from "../../../nodes/fixtures";

describe("the rules of a GkeNodePool", () =>
  itJudges(
    `
zones: []
  zones: size requires zones, for GKE counts nodes by zone; name one or more
{zones: [us-central1-a, us-central1-b], size: 5}
  size: 5 nodes cannot be spread evenly over 2 zones; use 4 or 6
zones: [us-east4-a, us-east4-a]
  zones[1]: duplicate zone us-east4-a; remove one of the two
{machineType: c2d-standard-112, placement: compact, zones: [us-central1-a, us-central1-b]}
  zones: placement "compact" requires exactly one zone, not 2; name one
{machineType: c2d-standard-112, placement: compact, zones: !unset }
  zones: placement "compact" requires exactly one zone, not 0; name one
!roce {zones: [us-central1-a, us-central1-b]}
  zones: fabric "rdma" requires exactly one zone, not 2; name one
{capacity: reservation, reservationName: r, zones: [], autoscale: {max: 4}}
  zones: capacity "reservation" requires the zone of the reservation; name it
{machineType: n1-standard-96, placement: compact}
  placement: GKE has no compact placement for n1-standard-96; choose another machine type, or remove placement
{machineType: c2d-standard-112, placement: compact, capacity: queued, autoscale: {max: 4}}
  placement: capacity "queued" has a placement of its own; remove placement
{machineType: c2d-standard-112, placement: compact, capacity: flexStart, autoscale: {max: 4}}
  placement: capacity "flexStart" has compact placement of A3 Ultra, A4 and H4D only; choose one of these, or remove placement
placementPolicyName: p
  placementPolicyName: requires placement "compact"; set it, or remove placementPolicyName
{machineType: c2d-standard-112, placement: compact, autoscale: {max: 1501}}
  autoscale.max: 1501 is above the 1500 nodes of a compact placement; lower it, or remove placement
{zones: [us-central1-a, us-central1-b], size: 6}
{zones: [us-central1-a, us-central1-b], size: 0}
{machineType: c2d-standard-112, placement: compact, size: 1500, placementPolicyName: p}
!roce {placement: compact, capacity: flexStart, autoscale: {max: 4}}
!roce {machineType: a4-highgpu-8g, placement: compact, capacity: flexStart, autoscale: {max: 4}}
!falcon {placement: compact, capacity: flexStart, autoscale: {max: 4}, size: !unset }
capacity: reservation
  reservationName: capacity "reservation" requires the name of the reservation; add it
{capacity: spot, reservationName: r}
  reservationName: requires capacity "reservation"; set it, or remove reservationName
{capacity: flexStart, size: 2}
  size: nodes of capacity "flexStart" are in no fixed number; use autoscale or pairedWith
{capacity: queued, size: 2}
  size: nodes of capacity "queued" are in no fixed number; use autoscale or pairedWith
{capacity: flexStart, autoRepair: true, autoscale: {max: 4}}
  autoRepair: GKE does not repair nodes of capacity "flexStart"; remove autoRepair
{capacity: queued, autoRepair: true, autoscale: {min: 1, max: 4}}
  autoscale.min: must be 0 with capacity "queued", not 1; lower it
  autoRepair: GKE does not repair nodes of capacity "queued"; remove autoRepair
maxRunSeconds: 60
  maxRunSeconds: requires capacity "flexStart" or "queued"; set one of these, or remove maxRunSeconds
{machineType: h3-standard-88, capacity: spot}
  capacity: h3-standard-88 is not available as spot; use "onDemand" or "reservation"
{capacity: flexStart, autoscale: {min: 1, max: 4}}
{capacity: queued, pairedWith: {size: 4}, maxRunSeconds: 3600, autoRepair: false}
{capacity: reservation, reservationName: !later r}
{machineType: c2d-standard-16, fabric: tier1}
  fabric: c2d-standard-16 has no Tier_1 bandwidth; choose a larger machine type, or remove fabric
!roce {machineType: a3-megagpu-8g}
  fabric: a3-megagpu-8g has no RDMA; choose A3 Ultra, A4, A4X or H4D, or remove fabric
!roce {rdmaNetworks: !networks 4}
  rdmaNetworks: a3-ultragpu-8g has 8 RDMA interfaces, not 4; name one network for each
!falcon {rdmaNetworks: !unset }
  rdmaNetworks: h4d-highmem-192-lssd has 1 RDMA interfaces, not 0; name one network for each
!roce {gvnicNetwork: !unset }
  gvnicNetwork: a3-ultragpu-8g requires the network of its second gVNIC; add it
!falcon {gvnicNetwork: {network: vpc, subnetwork: subnet}}
  gvnicNetwork: h4d-highmem-192-lssd has no second gVNIC; remove gvnicNetwork
{rdmaNetworks: !networks 1, gvnicNetwork: {network: vpc, subnetwork: subnet}}
  rdmaNetworks: requires fabric "rdma"; set it, or remove rdmaNetworks
  gvnicNetwork: requires fabric "rdma"; set it, or remove gvnicNetwork
{machineType: h4d-standard-192, fabric: rdma, rdmaNetworks: [{network: a, subnetwork: b, name: c}, {network: d, subnetwork: e, name: c}]}
  rdmaNetworks: h4d-standard-192 has 1 RDMA interfaces, not 2; name one network for each
  rdmaNetworks[1].name: duplicate name "c"; name a Network object for each interface
!falcon {rdmaNetworks: [{network: vpc, subnetwork: subnet, name: default}]}
  rdmaNetworks[0].name: "default" is the network of the cluster; use another name
{machineType: a4x-highgpu-4g, fabric: rdma, rdmaNetworks: !networks 4, gvnicNetwork: {network: a, subnetwork: b}}
  rdmaNetworks: GKE makes the networks of a4x-highgpu-4g itself (DRANET); remove rdmaNetworks
  gvnicNetwork: GKE makes the networks of a4x-highgpu-4g itself (DRANET); remove gvnicNetwork
{machineType: a4x-highgpu-4g, fabric: rdma, size: 19}
  size: 19 is above the 18 nodes of an NVLink domain; lower it, and use a pool for each domain
{machineType: a4x-highgpu-4g, fabric: rdma, placement: none}
  placement: a4x-highgpu-4g comes in one NVLink domain only; remove placement
{machineType: a4x-highgpu-4g, zones: [us-central1-a, us-central1-b]}
  zones: placement "compact" requires exactly one zone, not 2; name one
machineType: c2d-standard-113
  machineType: unknown machine type "c2d-standard-113"; correct it, or describe it as hardware: await lookupGkeMachine("c2d-standard-113", { zone, arch, threadsPerCore })
{machineType: c4a-standard-72, arch: amd64}
  arch: c4a-standard-72 is arm64, not amd64; correct or remove arch
{machineType: t2d-standard-60, threadsPerCore: 2}
  threadsPerCore: t2d-standard-60 has one thread per core; remove threadsPerCore
{machineType: n1-standard-32, gpus: {type: nvidia-tesla-v100, count: 3}}
  gpus.count: n1-standard-32 takes 1, 2, 4, 8 of V100, not 3; use one of these
{machineType: n1-standard-32, gpus: {type: toString, count: 8}}
  gpus.type: n1-standard-32 takes no GPUs "toString"; use one of nvidia-tesla-p4, nvidia-tesla-p100, nvidia-tesla-t4, nvidia-tesla-v100
gpus: {type: nvidia-tesla-v100, count: 8}
  gpus: n4-standard-16 takes no GPUs; choose one of N1, or one that comes with GPUs
{machineType: g2-standard-96, gpus: {type: nvidia-tesla-v100, count: 8}}
  gpus: g2-standard-96 comes with its GPUs; remove gpus
{machineType: x1-standard-8, hardware: {arch: amd64, vcpus: 8, threadsPerCore: 2, memoryMib: 1024}, gpus: {type: nvidia-l4, count: 8}}
  gpus: x1-standard-8 takes no GPUs; describe those that it has as hardware.accelerator
gpuDriver: latest
  gpuDriver: n4-standard-16 has no GPUs; remove gpuDriver
!x1 {hardware: {accelerator: {kind: nvidia, model: X1, count: 2}}}
  hardware.acceleratorType: hardware.accelerator requires the name that GKE has for it, such as "nvidia-l4"; add it
!x1 {hardware: {acceleratorType: x1, accelerator: {kind: neuron, model: X1, count: 2}}}
  hardware.accelerator.kind: GKE has accelerators of "nvidia" only; correct it
!x1 {hardware: {acceleratorType: nvidia-x1}}
  hardware.acceleratorType: requires hardware.accelerator; add it, or remove acceleratorType
!x1 {hardware: {vcpus: 3}}
  hardware.vcpus: 3 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore
hardware: {arch: amd64, vcpus: 8, threadsPerCore: 2, memoryMib: 1024}
  hardware: this package knows n4-standard-16; remove hardware
diskType: pd-ssd
  diskType: n4-standard-16 has no Persistent Disk; use "hyperdisk-balanced", or remove diskType
{machineType: n1-standard-32, gpus: {type: nvidia-tesla-v100, count: 8}, gpuDriver: latest}
{machineType: g2-standard-96, gpuDriver: none}
!x1 {hardware: {vcpus: 3, threadsPerCore: 1}}
!falcon {machineType: x1-standard-8, hardware: {arch: amd64, vcpus: 8, threadsPerCore: 2, memoryMib: 1024, rdmaInterfaces: 1}}
{fabric: tier1, placement: compact, machineType: x1-standard-8, hardware: {arch: amd64, vcpus: 8, threadsPerCore: 2, memoryMib: 1024, tier1: true, compactPlacement: true}}
{machineType: c3-standard-88, diskType: pd-ssd}
diskType: !later pd-ssd
{machineType: c4a-standard-72, arch: arm64}
{machineType: t2a-standard-8, taints: [{key: kubernetes.io/arch, effect: NoSchedule}]}
  taints[0]: GKE sets the taint kubernetes.io/arch on these nodes; remove it
{machineType: g2-standard-8, taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}
  taints[0]: GKE sets the taint nvidia.com/gpu on these nodes; remove it
{machineType: n1-standard-8, gpus: {type: nvidia-tesla-t4, count: 1}, taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}
  taints[0]: GKE sets the taint nvidia.com/gpu on these nodes; remove it
{capacity: queued, autoscale: {max: 4}, taints: [{key: cloud.google.com/gke-queued, effect: NoSchedule}]}
  taints[0]: GKE sets the taint cloud.google.com/gke-queued on these nodes; remove it
labels: {topology.kubernetes.io/zone: x, kubernetes.io/arch: x, cloud.google.com/gke-accelerator: x, cloud.google.com/gce-topology-block: x}
  labels["topology.kubernetes.io/zone"]: GKE sets this label; use another key
  labels["kubernetes.io/arch"]: GKE sets this label; use another key
  labels["cloud.google.com/gke-accelerator"]: GKE sets this label; use another key
  labels["cloud.google.com/gce-topology-block"]: GKE sets this label; use another key
# taints that GKE sets on other nodes, and labels that are the user's to set
taints: [{key: nvidia.com/gpu, effect: NoSchedule}, {key: kubernetes.io/arch, effect: NoSchedule}, {key: cloud.google.com/gke-queued, effect: NoSchedule}]
labels: {cloud.google.com/gke-queued: "true"}
fabricBy: claim
  fabricBy: requires fabric "rdma"; set it, or remove fabricBy
gpuBy: claim
  gpuBy: n4-standard-16 has no GPUs; remove gpuBy
{machineType: a3-ultragpu-8g, fabric: rdma, fabricBy: claim, gvnicNetwork: {network: a, subnetwork: b}}
  gvnicNetwork: GKE makes the networks of a3-ultragpu-8g itself (DRANET); remove gvnicNetwork
{machineType: a3-ultragpu-8g, fabric: rdma, fabricBy: claim, gpuBy: claim, gpuDriver: latest}
  gpuDriver: GKE installs no driver where pods claim GPUs; install one by hand, and remove gpuDriver
{machineType: a4x-highgpu-4g, fabric: rdma, fabricBy: plugin}
  fabricBy: pods claim the RDMA interfaces of a4x-highgpu-4g; use "claim", or remove fabricBy
{machineType: h4d-highmem-192-lssd, fabric: rdma, fabricBy: claim}
  fabricBy: GKE has DRANET on nodes with GPUs, and h4d-highmem-192-lssd has none; remove fabricBy
{machineType: a4x-maxgpu-4g-metal, fabric: rdma}
  capacity: a4x-maxgpu-4g-metal comes from a reservation only; use "reservation", with its sub-block in reservationName
{ machineType: a3-highgpu-8g, gpuPartition: 1g.5gb }
  gpuPartition: the H100 of a3-highgpu-8g is divided into 1g.10gb, 1g.20gb, 2g.20gb, 3g.40gb, 7g.80gb, not 1g.5gb; use one of these
{ machineType: g2-standard-96, gpuPartition: 1g.5gb }
  gpuPartition: g2-standard-96 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100, H200, B200 or RTX PRO 6000
{ machineType: c2d-standard-112, gpuPartition: 1g.5gb }
  gpuPartition: c2d-standard-112 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100, H200, B200 or RTX PRO 6000
{ machineType: n1-standard-32, gpus: { type: nvidia-tesla-v100, count: 8 }, gpuPartition: 1g.5gb }
  gpuPartition: n1-standard-32 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100, H200, B200 or RTX PRO 6000
{ machineType: g2-standard-96, gpuSharing: { strategy: mps, clients: 48 } }
{ machineType: n1-standard-32, gpus: { type: nvidia-tesla-v100, count: 8 }, gpuSharing: { strategy: timeSharing, clients: 2 } }
{ machineType: c2d-standard-112, gpuSharing: { strategy: mps, clients: 2 } }
  gpuSharing: c2d-standard-112 has no GPUs; remove gpuSharing
{ machineType: g2-standard-96, gpuSharing: { strategy: mps, clients: 49 } }
  gpuSharing.clients: 49 must be an integer from 2 to 48
# One pod claims all interfaces of a node.
{ machineType: a4x-highgpu-4g, fabric: rdma, gpuPartition: 1g.23gb, gpuSharing: { strategy: mps, clients: 2 } }
  gpuPartition: one pod claims the RDMA interfaces of a node of a4x-highgpu-4g; remove gpuPartition, or fabric
  gpuSharing: one pod claims the RDMA interfaces of a node of a4x-highgpu-4g; remove gpuSharing, or fabric
{ machineType: a4x-highgpu-4g, gpuPartition: 1g.23gb }
{ machineType: a3-highgpu-8g, gpuBy: claim, gpuPartition: 1g.10gb }
  gpuPartition: pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy
`,
    (args) => gkeProblemsOf(aGkePoolArgs(args)),
    gkeTags,
  ));
