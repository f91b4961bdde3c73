import { EksNodePoolOs } from "./args";

/** What is asked of the nodes beyond what their image does by itself. */
export interface NodeSetup {
  os: EksNodePoolOs;
  staticCpu: boolean;
  /** Installs the host's part of EFA, which the standard Amazon Linux image is not documented to have. */
  installEfa: boolean;
}

const boundary = "==MINICLUSTER==";

/** User data for EC2 by which nodes of EKS are set up, if there is anything to set up. */
export function renderUserData({ os, staticCpu, installEfa }: NodeSetup): string | undefined {
  if (os === EksNodePoolOs.Bottlerocket) return staticCpu ? bottlerocketSettings : undefined;
  const parts = [
    ...(staticCpu ? [part("application/node.eks.aws", nodeConfig)] : []),
    ...(installEfa ? [part('text/x-shellscript; charset="us-ascii"', installScript)] : []),
  ];
  if (parts.length === 0) return undefined;
  return [
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    ...parts,
    `--${boundary}--`,
    "",
  ].join("\n");
}

const part = (type: string, body: string) => `--${boundary}\nContent-Type: ${type}\n\n${body}`;

// EKS adds what joins the node to its cluster (nodeadm API, NodeConfig).
const nodeConfig = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      cpuManagerPolicy: static
`;

const bottlerocketSettings = `[settings.kubernetes]
cpu-manager-policy = "static"
`;

const installScript = `#!/bin/bash
set -euo pipefail
cd "$(mktemp -d)"
curl --fail --silent --show-error --retry 5 --remote-name https://efa-installer.amazonaws.com/aws-efa-installer-latest.tar.gz
tar -xzf aws-efa-installer-latest.tar.gz
cd aws-efa-installer
./efa_installer.sh -y --minimal
`;
