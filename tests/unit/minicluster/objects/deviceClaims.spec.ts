import * as assert from "node:assert/strict";
import type { NodePoolClaim } from "../../../../provider";
import { itJudges } from "../../../support/cases";
import { aPool } from "../../../support/fixtures";
import { manifestsOf } from "../../../support/manifests";
import { podOf } from "../../../support/pod";

describe("the device claims of a cluster's pods", () => {
  const claiming = (...claims: NodePoolClaim[]) => ({ pool: aPool({ claims }) });
  const claimed = (name: string, deviceClassName: string, count: number) => ({
    name,
    exactly: { deviceClassName, allocationMode: "ExactCount", count },
  });

  it("are a request for each claim of the pool, of each pod and of the container that runs Flux", () => {
    const args = claiming(
      { name: "rdma", deviceClass: "a.example.com", count: 4 },
      { name: "gpus", deviceClass: "b.example.com" },
    );
    assert.deepEqual(manifestsOf(args).claimTemplate?.spec, {
      spec: { devices: { requests: [claimed("rdma", "a.example.com", 4), claimed("gpus", "b.example.com", 1)] } },
    });
    const { resourceClaims, containers } = podOf(args);
    assert.deepEqual(resourceClaims, [{ name: "pool-devices", resourceClaimTemplateName: "demo-devices" }]);
    assert.deepEqual((containers[0]?.resources as { claims?: object[] }).claims, [{ name: "pool-devices" }]);
  });

  const rdma: NodePoolClaim = { name: "rdma", deviceClass: "mrdma.google.com", count: 4 };

  it("come in sets, each a claim of its own whose devices are near each other", () => {
    const args = {
      pool: aPool({ claims: [rdma], claimSets: 2, matchAttributes: ["resource.kubernetes.io/pcieRoot"] }),
    };
    const { spec } = manifestsOf(args).claimTemplate?.spec as { spec: { devices: { constraints: object } } };
    assert.deepEqual(spec.devices.constraints, [{ matchAttribute: "resource.kubernetes.io/pcieRoot" }]);
    const claims = [{ name: "pool-devices-0" }, { name: "pool-devices-1" }];
    const { resourceClaims, containers } = podOf(args);
    assert.deepEqual(
      resourceClaims,
      claims.map((claim) => ({ ...claim, resourceClaimTemplateName: "demo-devices" })),
    );
    assert.deepEqual((containers[0]?.resources as { claims?: object[] }).claims, claims);
  });

  it("have the channel of the cluster's own NVLink domain among them, if the pool has one", () => {
    const args = { pool: aPool({ claims: [rdma], computeDomain: true }) };
    const { metadata, ...domain } = manifestsOf(args).computeDomain ?? {};
    assert.equal((metadata as { name: string }).name, "demo");
    assert.deepEqual(domain, {
      ...{ apiVersion: "resource.nvidia.com/v1beta1", kind: "ComputeDomain" },
      spec: { numNodes: 0, channel: { resourceClaimTemplate: { name: "demo-channel" } } },
    });
    assert.deepEqual(podOf(args).resourceClaims, [
      { name: "pool-devices", resourceClaimTemplateName: "demo-devices" },
      { name: "compute-domain", resourceClaimTemplateName: "demo-channel" },
    ]);
  });

  it("are none where the pool has none", () => {
    const { claimTemplate, computeDomain, job } = manifestsOf(claiming());
    assert.deepEqual([claimTemplate, computeDomain], [undefined, undefined]);
    assert.doesNotMatch(JSON.stringify(job.spec.template.spec), /laims/);
  });

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
