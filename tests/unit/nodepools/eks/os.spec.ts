import * as assert from "node:assert/strict";
import { EksNodePoolOs, MiniClusterArch, NodePoolAcceleratorKind } from "../../../../provider";
import { eksMachineTypes } from "../../../../provider/nodepools/eks/machineTypes";
import { amiTypeOf, renderUserData } from "../../../../provider/nodepools/eks/os";

const { Al2023: al2023, Bottlerocket: bottlerocket } = EksNodePoolOs;

describe("the user data of a node", () => {
  const message = (spec: string) => `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="==MINICLUSTER=="

--==MINICLUSTER==
Content-Type: application/node.eks.aws

apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
${spec}--==MINICLUSTER==--
`;
  const fastPull = "  featureGates:\n    FastImagePull: true\n";
  const wholeCpus = "  kubelet:\n    config:\n      cpuManagerPolicy: static\n";

  const [none, fast, whole] = [
    { staticCpu: false, fastImagePull: false },
    { staticCpu: false, fastImagePull: true },
    { staticCpu: true, fastImagePull: false },
  ];
  const both = { staticCpu: true, fastImagePull: true };

  it("is a NodeConfig alone on Amazon Linux: nothing comes from the network at first boot", () => {
    const texts = [none, fast, whole, both].map((given) => renderUserData({ os: al2023, ...given, gpuBy: "claim" }));
    assert.deepEqual(texts, [undefined, message(fastPull), message(wholeCpus), message(fastPull + wholeCpus)]);
  });

  it("is TOML on Bottlerocket, which turns off its own plugin where pods claim GPUs", () => {
    const cpu = '[settings.kubernetes]\ncpu-manager-policy = "static"\n';
    const soci = "[settings.container-runtime-plugins.soci-snapshotter]";
    const pull = `[settings.container-runtime]\nsnapshotter = "soci"\n\n${soci}\npull-mode = "parallel-pull-unpack"\n`;
    const plugin = "[settings.kubelet-device-plugins.nvidia]\nenabled = false\n";
    const textsBy = (gpuBy: "claim" | "plugin") =>
      [none, fast, whole, both].map((given) => renderUserData({ os: bottlerocket, ...given, gpuBy }));
    assert.deepEqual(textsBy("plugin"), [undefined, pull, cpu, `${cpu}\n${pull}`]);
    const claimed = [plugin, `${pull}\n${plugin}`, `${cpu}\n${plugin}`, `${cpu}\n${pull}\n${plugin}`];
    assert.deepEqual(textsBy("claim"), claimed);
  });
});

describe("the AMI type of a node", () => {
  const words: Record<string, RegExp> = {
    ...{ al2023: /^AL2023_/, bottlerocket: /^BOTTLEROCKET_/, amd64: /_x86_64/, arm64: /_ARM_64/ },
    ...{ nvidia: /_NVIDIA$/, neuron: /_NEURON$/, none: /(_STANDARD|T_x86_64|T_ARM_64)$/ },
  };

  it("is one of those that AWS has, and says what it is for", () => {
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
