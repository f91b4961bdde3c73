import * as assert from "node:assert/strict";
import { EksNodePoolOs, MiniClusterArch, NodePoolAcceleratorKind } from "../../../../../../provider";
import { eksMachineTypes } from "../../../../../../provider/clouds/eks/machines";
import { amiTypeOf } from "../../../../../../provider/clouds/eks/nodes/parse/os";

const { Al2023: al2023, Bottlerocket: bottlerocket } = EksNodePoolOs;

describe("the AMI type of a node", () => {
  const words: Record<string, RegExp> = {
    al2023: /^AL2023_/,
    bottlerocket: /^BOTTLEROCKET_/,
    amd64: /_x86_64/,
    arm64: /_ARM_64/,
    nvidia: /_NVIDIA$/,
    neuron: /_NEURON$/,
    none: /(_STANDARD|T_x86_64|T_ARM_64)$/,
  };

  it("is one of those that AWS has, and names its purpose", () => {
    const existing: string[] = [];
    for (const os of [al2023, bottlerocket])
      for (const arch of Object.values(MiniClusterArch))
        for (const kind of [undefined, ...Object.values(NodePoolAcceleratorKind)]) {
          const type = amiTypeOf(os, arch, kind);
          if (type !== undefined) existing.push(type);
          for (const word of type === undefined ? [] : [os, arch, kind ?? "none"])
            assert.match(type ?? "", words[word] ?? assert.fail(word));
        }
    assert.equal(existing.length, 9);
  });

  it("exists on Amazon Linux for every machine type", () => {
    for (const [name, { arch, accelerator }] of Object.entries(eksMachineTypes))
      assert.notEqual(amiTypeOf(al2023, arch, accelerator?.kind), undefined, name);
  });
});
