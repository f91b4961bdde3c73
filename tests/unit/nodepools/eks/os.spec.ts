import * as assert from "node:assert/strict";
import { parse } from "yaml";
import { EksNodePoolOs, MiniClusterArch, NodePoolAcceleratorKind } from "../../../../provider";
import { eksMachineTypes } from "../../../../provider/nodepools/eks/machineTypes";
import { amiTypeOf, dataDevice, type NodeSetup, renderUserData } from "../../../../provider/nodepools/eks/os";
import { parseToml } from "../../../support/scripts/toml";

const { Al2023, Bottlerocket } = EksNodePoolOs;

function textOf(setup: NodeSetup): string {
  const text = renderUserData(setup);
  assert.ok(text !== undefined);
  return text;
}

/** The parts of a MIME message by the type of their content. */
function partsOf(text: string): Record<string, string> {
  const [head = ""] = text.split("\n\n");
  const boundary = /^Content-Type: multipart\/mixed; boundary="([^"]+)"$/m.exec(head)?.[1];
  assert.ok(boundary && head.startsWith("MIME-Version: 1.0\n"));
  const [, ...parts] = text.split(`--${boundary}`);
  assert.equal(parts.pop(), "--\n", "the last boundary ends the message");
  return Object.fromEntries(
    parts.map((part) => {
      const [, type = "", body = ""] = /^\nContent-Type: ([^\n]+)\n\n([^]*)$/.exec(part) ?? assert.fail(part);
      return [type, body];
    }),
  );
}

describe("the user data of a node", () => {
  it("is none where the image does by itself what is asked", () => {
    for (const os of Object.values(EksNodePoolOs)) assert.equal(renderUserData({ os, staticCpu: false }), undefined);
  });

  it("is a NodeConfig alone for the static CPU policy of Amazon Linux: nothing comes from the network at first boot", () => {
    const parts = partsOf(textOf({ os: Al2023, staticCpu: true }));
    assert.deepEqual(Object.keys(parts), ["application/node.eks.aws"]);
    assert.deepEqual(parse(parts["application/node.eks.aws"] ?? ""), {
      apiVersion: "node.eks.aws/v1alpha1",
      kind: "NodeConfig",
      spec: { kubelet: { config: { cpuManagerPolicy: "static" } } },
    });
  });

  it("is TOML on Bottlerocket, which knows no parts", async () => {
    const text = textOf({ os: Bottlerocket, staticCpu: true });
    assert.deepEqual(await parseToml(text), { settings: { kubernetes: { "cpu-manager-policy": "static" } } });
  });
});

describe("the AMI type of a node", () => {
  const words: Record<string, RegExp> = {
    ...{ al2023: /^AL2023_/, bottlerocket: /^BOTTLEROCKET_/, amd64: /_x86_64/, arm64: /_ARM_64/ },
    ...{ nvidia: /_NVIDIA$/, neuron: /_NEURON$/, none: /(_STANDARD|T_x86_64|T_ARM_64)$/ },
  };
  const all = Object.values(EksNodePoolOs).flatMap((os) =>
    Object.values(MiniClusterArch).flatMap((arch) =>
      [undefined, ...Object.values(NodePoolAcceleratorKind)].map((kind) => ({
        os,
        arch,
        kind,
        type: amiTypeOf(os, arch, kind),
      })),
    ),
  );

  it("is one of those that AWS has, and says what it is for", () => {
    const existing = all.filter(({ type }) => type !== undefined);
    assert.equal(existing.length, 9);
    for (const { os, arch, kind = "none", type } of existing)
      for (const word of [os, arch, kind]) assert.match(type ?? "", words[word] ?? assert.fail(word));
  });

  it("exists on Amazon Linux for every machine type", () => {
    for (const [name, { arch, accelerator }] of Object.entries(eksMachineTypes))
      assert.notEqual(amiTypeOf(Al2023, arch, accelerator?.kind), undefined, name);
  });

  it("decides on the disk of the pods' data", () =>
    assert.deepEqual(dataDevice, { al2023: "/dev/xvda", bottlerocket: "/dev/xvdb" }));
});
