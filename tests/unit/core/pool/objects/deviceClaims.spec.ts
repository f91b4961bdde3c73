import { validating } from "../../../../support/problems";
import { itBuilds } from "../../../../support/manifests";
import { aPool } from "../../../../support/fixtures";

const { accepts, rejects } = validating();

describe("the device claims of a cluster's pods", () => {
  const claim = (name: string, deviceClass: string, count?: number) => ({ name, deviceClass, count });
  const request = (name: string, deviceClassName: string, count: number) => ({
    name,
    exactly: { deviceClassName, allocationMode: "ExactCount", count },
  });
  const requests = [request("rdma", "a.io", 4), request("gpus", "b.io", 1)];
  itBuilds(
    "are one request for each claim of the pool, claimed by the container that runs Flux",
    { pool: aPool({ claims: [claim("rdma", "a.io", 4), claim("gpus", "b.io")] }) },
    {
      "claimTemplate.spec": { spec: { devices: { requests } } },
      "pod.resourceClaims": [{ name: "pool-devices", resourceClaimTemplateName: "demo-devices" }],
      "container.demo.resources.claims": [{ name: "pool-devices" }],
    },
  );
  itBuilds(
    "come in sets, each a claim whose devices are near each other",
    {
      pool: aPool({
        claims: [claim("rdma", "a.io")],
        claimSets: 2,
        matchAttributes: ["resource.kubernetes.io/pcieRoot"],
      }),
    },
    {
      "claimTemplate.spec.spec.devices.constraints": [{ matchAttribute: "resource.kubernetes.io/pcieRoot" }],
      "pod.resourceClaims": [
        { name: "pool-devices-0", resourceClaimTemplateName: "demo-devices" },
        { name: "pool-devices-1", resourceClaimTemplateName: "demo-devices" },
      ],
      "container.demo.resources.claims": [{ name: "pool-devices-0" }, { name: "pool-devices-1" }],
    },
  );
  itBuilds(
    "include the channel of the NVLink domain of the cluster, if the pool has one",
    { pool: aPool({ claims: [{ name: "rdma", deviceClass: "a.io" }], computeDomain: true }) },
    {
      "computeDomain.apiVersion": "resource.nvidia.com/v1beta1",
      "computeDomain.kind": "ComputeDomain",
      "computeDomain.spec": { numNodes: 0, channel: { resourceClaimTemplate: { name: "demo-channel" } } },
      "computeDomain.metadata.name": "demo",
      "pod.resourceClaims[0].name": "pool-devices",
      "pod.resourceClaims[1]": { name: "compute-domain", resourceClaimTemplateName: "demo-channel" },
    },
  );
  itBuilds(
    "are none if the pool has none",
    { pool: aPool({ claims: [] }) },
    {
      claimTemplate: undefined,
      computeDomain: undefined,
      "pod.resourceClaims": undefined,
      "container.demo.resources.claims": undefined,
    },
  );

  accepts({
    "as many devices as one claim of Kubernetes may have": {
      pool: aPool({ claims: [claim("gpu", "a.io", 8), claim("rdma", "b.io", 24)] }),
    },
  });
  rejects({
    'pool.claims[1].name: duplicate name "rdma"; use another': {
      pool: aPool({ claims: [claim("rdma", "a.io", 1), claim("rdma", "b.io", 1)] }),
    },
    "pool.claims: 40 devices are above the 32 of one claim; lower count, and raise claimSets": {
      pool: aPool({ claims: [claim("gpu", "a.io", 8), claim("rdma", "b.io", 32)] }),
    },
    "size: size 4 is above the 2 pods that pool hpc has devices for; raise the pool's size or lower size": {
      size: 4,
      maxSize: 4,
      network: { affinity: "none" },
      pool: aPool({ nodes: 2, claims: [claim("rdma", "a.io")] }),
    },
  });
});
