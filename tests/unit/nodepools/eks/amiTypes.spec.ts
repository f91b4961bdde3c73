import * as assert from "node:assert/strict";
import { NodePoolAcceleratorKind, EksNodePoolOs, MiniClusterArch } from "../../../../provider";
import { amiTypeOf, dataDevice } from "../../../../provider/nodepools/eks/amiTypes";
import { eksMachines } from "../../../../provider/nodepools/eks/machines";

const { Nvidia, Neuron } = NodePoolAcceleratorKind;
const { Al2023, Bottlerocket } = EksNodePoolOs;
const { Amd64, Arm64 } = MiniClusterArch;

const existing: [EksNodePoolOs, MiniClusterArch, NodePoolAcceleratorKind | undefined, string][] = [
  [Al2023, Amd64, undefined, "AL2023_x86_64_STANDARD"],
  [Al2023, Amd64, Nvidia, "AL2023_x86_64_NVIDIA"],
  [Al2023, Amd64, Neuron, "AL2023_x86_64_NEURON"],
  [Al2023, Arm64, undefined, "AL2023_ARM_64_STANDARD"],
  [Al2023, Arm64, Nvidia, "AL2023_ARM_64_NVIDIA"],
  [Bottlerocket, Amd64, undefined, "BOTTLEROCKET_x86_64"],
  [Bottlerocket, Amd64, Nvidia, "BOTTLEROCKET_x86_64_NVIDIA"],
  [Bottlerocket, Arm64, undefined, "BOTTLEROCKET_ARM_64"],
  [Bottlerocket, Arm64, Nvidia, "BOTTLEROCKET_ARM_64_NVIDIA"],
];

describe("the AMI type of a node", () => {
  for (const [os, arch, accelerator, amiType] of existing)
    it(`is ${amiType} for ${os} on ${arch} with ${accelerator ?? "no accelerator"}`, () =>
      assert.equal(amiTypeOf(os, arch, accelerator), amiType));

  it("is none of any other", () => {
    for (const os of Object.values(EksNodePoolOs))
      for (const arch of Object.values(MiniClusterArch))
        for (const accelerator of [undefined, ...Object.values(NodePoolAcceleratorKind)])
          if (!existing.some((row) => row[0] === os && row[1] === arch && row[2] === accelerator))
            assert.equal(amiTypeOf(os, arch, accelerator), undefined, `${os} ${arch} ${accelerator}`);
  });

  it("exists on Amazon Linux for every machine of the table", () => {
    for (const [type, { arch, accelerator }] of Object.entries(eksMachines))
      assert.notEqual(amiTypeOf(Al2023, arch, accelerator?.kind), undefined, type);
  });

  it("decides on which disk the pods' data are", () =>
    assert.deepEqual(dataDevice, { al2023: "/dev/xvda", bottlerocket: "/dev/xvdb" }));
});
