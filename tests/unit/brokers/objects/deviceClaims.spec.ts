import { itJudges } from "../../../support/cases";
import { itBuilds } from "../../../support/manifests";

describe("the device claims of a cluster's pods", () => {
  const exactly = (deviceClass: string, count: number) =>
    `{deviceClassName: ${deviceClass}, allocationMode: ExactCount, count: ${count}}`;
  const requests = `[{name: rdma, exactly: ${exactly("a.io", 4)}}, {name: gpus, exactly: ${exactly("b.io", 1)}}]`;
  itBuilds(`
# are a request for each claim of the pool, of each pod and of the container that runs Flux
pool: !pool {claims: [{name: rdma, deviceClass: a.io, count: 4}, {name: gpus, deviceClass: b.io}]}
  claimTemplate.spec: {spec: {devices: {requests: ${requests}}}}
  pod.resourceClaims: [{name: pool-devices, resourceClaimTemplateName: demo-devices}]
  container.demo.resources.claims: [{name: pool-devices}]
# come in sets, each a claim of its own whose devices are near each other
pool: !pool {claims: [{name: rdma, deviceClass: a.io}], claimSets: 2, matchAttributes: [resource.kubernetes.io/pcieRoot]}
  claimTemplate.spec.spec.devices.constraints: [{matchAttribute: resource.kubernetes.io/pcieRoot}]
  pod.resourceClaims: [{name: pool-devices-0, resourceClaimTemplateName: demo-devices}, {name: pool-devices-1, resourceClaimTemplateName: demo-devices}]
  container.demo.resources.claims: [{name: pool-devices-0}, {name: pool-devices-1}]
# have the channel of the cluster's own NVLink domain among them, if the pool has one
pool: !pool {claims: [{name: rdma, deviceClass: a.io}], computeDomain: true}
  computeDomain: !has {apiVersion: resource.nvidia.com/v1beta1, kind: ComputeDomain, spec: {numNodes: 0, channel: {resourceClaimTemplate: {name: demo-channel}}}}
  computeDomain.metadata.name: demo
  pod.resourceClaims[0].name: pool-devices
  pod.resourceClaims[1]: {name: compute-domain, resourceClaimTemplateName: demo-channel}
# are none where the pool has none
pool: !pool {claims: []}
  claimTemplate: !unset
  computeDomain: !unset
  pod.resourceClaims: !unset
  container.demo.resources.claims: !unset
`);

  itJudges(`
pool: !pool {claims: [{name: rdma, deviceClass: a.example.com, count: 1}, {name: rdma, deviceClass: b.example.com, count: 1}]}
  pool.claims[1].name: duplicate name "rdma"; use another
pool: !pool {claims: [{name: gpu, deviceClass: a.example.com, count: 8}, {name: rdma, deviceClass: b.example.com, count: 32}]}
  pool.claims: 40 devices are above the 32 of one claim; lower count, and raise claimSets
# A pod takes all of them: no two share a node.
{size: 4, maxSize: 4, network: {affinity: none}, pool: !pool {nodes: 2, claims: [{name: rdma, deviceClass: a.example.com}]}}
  size: size 4 is above the 2 pods that pool hpc has devices for; raise the pool's size or lower size
`);
});
