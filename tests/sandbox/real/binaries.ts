import * as path from "node:path";

import { buildMissing, executable } from "../build/binaries";
import { nodeModules } from "../build/modules";
import { installPackages } from "./packages";

/** Paths of the executables a real node is made of, and of what runs in its pods. */
export interface NodeBinaries {
  kubelet: string;
  containerd: string;
  ctr: string;
  runc: string;
  cniDirectory: string;
  coredns: string;
  pause: string;
  /** The stand-in of flux(1). */
  flux: string;
  /** Makes the API server's certificate for the kubelets. */
  certificate: string;
}

/** Executables of real nodes, built on first use. */
export async function nodeBinaries(): Promise<NodeBinaries> {
  const modules = Object.values(nodeModules);
  await installPackages();
  await buildMissing(modules);
  const { kubelet, containerd, runc, cni, coredns, pods } = nodeModules;
  return {
    kubelet: executable(kubelet, "kubelet"),
    containerd: executable(containerd, "containerd"),
    ctr: executable(containerd, "ctr"),
    runc: executable(runc, "runc"),
    cniDirectory: path.dirname(executable(cni, "bridge")),
    coredns: executable(coredns, "coredns"),
    pause: executable(pods, "pause"),
    flux: executable(pods, "flux"),
    certificate: executable(pods, "certificate"),
  };
}
