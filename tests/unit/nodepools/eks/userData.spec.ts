import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { parse } from "yaml";
import { EksNodePoolOs } from "../../../../provider";
import { type NodeSetup, renderUserData } from "../../../../provider/nodepools/eks/userData";
import { parseToml } from "../../../support/scripts/toml";

const { Al2023, Bottlerocket } = EksNodePoolOs;

function textOf(setup: NodeSetup): string {
  const text = renderUserData(setup);
  assert.ok(text !== undefined);
  return text;
}

const both = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="==MINICLUSTER=="

--==MINICLUSTER==
Content-Type: application/node.eks.aws

apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      cpuManagerPolicy: static

--==MINICLUSTER==
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash
set -euo pipefail
cd "$(mktemp -d)"
curl --fail --silent --show-error --retry 5 --remote-name https://efa-installer.amazonaws.com/aws-efa-installer-latest.tar.gz
tar -xzf aws-efa-installer-latest.tar.gz
cd aws-efa-installer
./efa_installer.sh -y --minimal

--==MINICLUSTER==--
`;

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
    for (const os of Object.values(EksNodePoolOs))
      assert.equal(renderUserData({ os, staticCpu: false, installEfa: false }), undefined);
  });

  it("is a MIME message with both parts on Amazon Linux", () =>
    assert.equal(textOf({ os: Al2023, staticCpu: true, installEfa: true }), both));

  it("has a NodeConfig alone for the static CPU policy", () => {
    const parts = partsOf(textOf({ os: Al2023, staticCpu: true, installEfa: false }));
    assert.deepEqual(Object.keys(parts), ["application/node.eks.aws"]);
    assert.deepEqual(parse(parts["application/node.eks.aws"] ?? ""), {
      apiVersion: "node.eks.aws/v1alpha1",
      kind: "NodeConfig",
      spec: { kubelet: { config: { cpuManagerPolicy: "static" } } },
    });
  });

  it("has a script alone for the host's part of EFA, and Bash can read it", () => {
    const parts = partsOf(textOf({ os: Al2023, staticCpu: false, installEfa: true }));
    const [type] = Object.keys(parts);
    assert.deepEqual(Object.keys(parts), ['text/x-shellscript; charset="us-ascii"']);
    const script = parts[type ?? ""] ?? "";
    // cloud-init looks at the first line.
    assert.match(script, /^#!\/bin\/bash\n/);
    assert.match(script, /^[\x20-\x7e\n]*$/);
    const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""]);
  });

  it("is TOML on Bottlerocket, which knows no parts", async () => {
    const text = textOf({ os: Bottlerocket, staticCpu: true, installEfa: false });
    assert.equal(text, '[settings.kubernetes]\ncpu-manager-policy = "static"\n');
    assert.deepEqual(await parseToml(text), { settings: { kubernetes: { "cpu-manager-policy": "static" } } });
  });
});
