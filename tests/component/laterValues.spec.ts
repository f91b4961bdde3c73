import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { mockEngine, uncaughtIn, unknownOnTheWire, unknownOutput, valueOf } from "../support/mocks";
import { aks, aksKarpenter, efa, eks, gke, karpenter, type Make, register } from "../support/pools";
import * as storage from "../support/sharedStorage";
import { aPool } from "../support/fixtures";
import { valueAt } from "../support/propertyPaths";

const output = <T>(value: T) => pulumi.output(value);

/** Arguments that are outputs, with the object and the path where their values arrive. */
const placed: [name: string, make: Make, id: string, path: string, want: unknown][] = [
  [
    "a zone on EKS",
    efa({ zones: [output("us-east-1a")] }),
    "LaunchTemplate hpc",
    "placement.availabilityZone",
    "us-east-1a",
  ],
  ["the subnets of a zone on EKS", eks({ zones: [output("us-east-1b")] }), "NodeGroup hpc", "subnetIds", ["subnet-b"]],
  ["a zone on GKE", gke({ zones: [output("us-central1-a")] }), "NodePool hpc", "nodeLocations", ["us-central1-a"]],
  ["a zone on AKS", aks({ zones: [output("2")] }), "AgentPool hpc", "availabilityZones", ["2"]],
  [
    "a zone of Karpenter",
    karpenter({ zones: [output("us-east-1a")] }),
    "NodePool hpc",
    "spec.template.spec.requirements[3].values",
    ["us-east-1a"],
  ],
  [
    "a version of the image",
    karpenter({ amiVersion: output("v20261001") }),
    "EC2NodeClass hpc-class",
    "spec.amiSelectorTerms[0].alias",
    "al2023@v20261001",
  ],
  [
    "a disk of Karpenter",
    karpenter({ diskGib: output(200) }),
    "EC2NodeClass hpc-class",
    "spec.blockDeviceMappings[0].ebs.volumeSize",
    "200Gi",
  ],
  [
    "the time of empty nodes",
    karpenter({ emptyForSeconds: output(60) }),
    "NodePool hpc",
    "spec.disruption.consolidateAfter",
    "60s",
  ],
  [
    "a zone of node auto-provisioning on AKS",
    aksKarpenter({ zones: [output("westus3-1")] }),
    "NodePool hpc",
    "spec.template.spec.requirements[3].values",
    ["westus3-1"],
  ],
  [
    "artifact streaming on AKS",
    aksKarpenter({ artifactStreaming: output(true) }),
    "AKSNodeClass hpc-class",
    "spec.artifactStreaming.enabled",
    true,
  ],
  ["a type of disk on AKS", aks({ diskType: output("managed") }), "AgentPool hpc", "osDiskType", "Managed"],
  [
    "the life of a node on GKE",
    gke({ capacityType: "flexStart", maxSize: 2, maxRunSeconds: output(3600) }),
    "NodePool hpc",
    "nodeConfig.maxRunDuration",
    "3600s",
  ],
  [
    "the maintenance on GKE",
    gke({ hostMaintenance: output("periodic") }),
    "NodePool hpc",
    "nodeConfig.hostMaintenancePolicy.maintenanceInterval",
    "PERIODIC",
  ],
];

const taints = (value: unknown) => [{ key: "team", value, effect: "NoSchedule" }];

describe("An argument that is only placed", function () {
  this.timeout(60_000);

  for (const [name, make, id, path, want] of placed)
    it(`may be an output: ${name}`, async () => {
      const { inputsOf } = await register(make);
      assert.deepEqual(valueAt(inputsOf<object>(id), path), want);
    });

  it("may be the value of a taint, which pods tolerate once it is known", async () => {
    const nodes = await register(eks({ taints: taints(output("md")) }), {}, true);
    assert.deepEqual(valueAt(nodes.inputsOf<object>("NodeGroup hpc"), "taints[0].value"), "md");
    const tolerations = valueAt(nodes.inputsOf<object>("Job demo"), "spec.template.spec.tolerations");
    assert.deepEqual((tolerations as object[])[0], {
      key: "team",
      operator: "Equal",
      value: "md",
      effect: "NoSchedule",
    });
    const { inputsOf } = await register(aks({ taints: taints(output("md")) }));
    assert.deepEqual(valueAt(inputsOf<object>("AgentPool hpc"), "nodeTaints"), ["team=md:NoSchedule"]);
  });

  it("leaves the scheduling known in a preview, without the zone that is not", async () => {
    const { pool, inputsOf } = await register(efa({ zones: [unknownOutput()] }), { preview: true }, true);
    assert.equal(valueAt(inputsOf<object>("LaunchTemplate hpc"), "placement.availabilityZone"), unknownOnTheWire);
    const scheduling = await valueOf(pool.scheduling);
    assert.deepEqual([scheduling.pool, scheduling.zones], ["hpc", undefined]);
  });

  it("is still counted: EFA has one zone, whether it is known or not", () => {
    for (const zones of [[], [output("us-east-1a"), "us-east-1b"]])
      assert.throws(() => efa({ zones })(), new RegExp(`exactly one availability zone, not ${zones.length};`));
  });
});

describe("A zone of storage that is an output", function () {
  this.timeout(60_000);

  const pool = aPool({ zones: ["us-east-1a"] });

  it("selects the subnet of FSx for Lustre, and the place of the others", async () => {
    const fsx = await storage.register(() => storage.fsx({ zone: output("us-east-1b"), pool: undefined }));
    assert.equal(valueAt(fsx.find("LustreFileSystem data").inputs, "subnetIds"), "subnet-b");
    const lustre = (zone: unknown) => storage.register(() => storage.gkeLustre({ zone, pool: undefined }));
    const known = (await lustre("us-central1-a")).find("Instance data").inputs;
    assert.deepEqual((await lustre(output("us-central1-a"))).find("Instance data").inputs, known);
    const aml = await storage.register(() => storage.aksLustre({ zone: output("2"), pool: undefined }));
    assert.deepEqual(valueAt(aml.find("AmlFilesystem data").inputs, "zones"), ["2"]);
  });

  it("is refused once it is known, where the pool has no nodes", async () => {
    await mockEngine({ answers: storage.answers, state: storage.state });
    const [message = ""] = await uncaughtIn(() =>
      Promise.resolve(void storage.fsx({ zone: output("us-east-1b"), pool })),
    );
    assert.match(
      message,
      /EksSharedStorage data: pool hpc is in us-east-1a, not in us-east-1b; use a zone of the pool/,
    );
  });
});
