import * as pulumi from "@pulumi/pulumi";
import { aFalconPoolArgs, aGkePoolArgs, aRocePoolArgs, itAccepts, itRefuses, rdmaNetworks } from "./fixtures";

const pool = aGkePoolArgs;

describe("the network of a GKE node pool", () => {
  const network = { network: "vpc", subnetwork: "subnet" };
  const named = (...names: string[]) => names.map((name) => ({ ...network, name }));
  itRefuses([
    [
      "Tier_1 on a small machine",
      pool({ machineType: "c2d-standard-16", fabric: "tier1" }),
      "fabric",
      /^c2d-standard-16 has no Tier_1/,
    ],
    [
      "RDMA on a machine without it",
      aRocePoolArgs({ machineType: "a3-megagpu-8g" }),
      "fabric",
      /^a3-megagpu-8g has no RDMA; choose A3 Ultra/,
    ],
    [
      "too few networks for the interfaces",
      aRocePoolArgs({ rdmaNetworks: rdmaNetworks(4) }),
      "rdmaNetworks",
      "a3-ultragpu-8g has 8 interfaces for RDMA, and these are 4 networks; name one for each",
    ],
    [
      "too many networks for the interfaces",
      aFalconPoolArgs({ rdmaNetworks: rdmaNetworks(2) }),
      "rdmaNetworks",
      /has 1 interfaces .* 2 networks/,
    ],
    ["RDMA without networks", aFalconPoolArgs({ rdmaNetworks: undefined }), "rdmaNetworks", /these are 0 networks/],
    [
      "RoCE without a second gVNIC",
      aRocePoolArgs({ gvnicNetwork: undefined }),
      "gvnicNetwork",
      /second gVNIC .*; name its network$/,
    ],
    [
      "Falcon with a second gVNIC",
      aFalconPoolArgs({ gvnicNetwork: network }),
      "gvnicNetwork",
      /has one gVNIC, .*; remove it$/,
    ],
    ["networks for RDMA without RDMA", pool({ rdmaNetworks: rdmaNetworks(1) }), "rdmaNetworks", /beside fabric "rdma"/],
    ["a second gVNIC without RDMA", pool({ gvnicNetwork: network }), "gvnicNetwork", /beside fabric "rdma"/],
    [
      "a Network object for two",
      aRocePoolArgs({ rdmaNetworks: [...rdmaNetworks(7), ...named("rdma-0")] }),
      "rdmaNetworks[7].name",
      /^"rdma-0" stands twice/,
    ],
    [
      "the cluster's network for RDMA",
      aFalconPoolArgs({ rdmaNetworks: named("default") }),
      "rdmaNetworks[0].name",
      /the network of the cluster itself/,
    ],
    [
      "a name that no object can have",
      aFalconPoolArgs({ rdmaNetworks: named("RDMA") }),
      "rdmaNetworks[0].name",
      /lowercase DNS label/,
    ],
    [
      "a name that is not known in time",
      aFalconPoolArgs({ rdmaNetworks: named(pulumi.output("a") as never) }),
      "rdmaNetworks[0].name",
      /known before anything is created/,
    ],
  ]);
  itAccepts({
    "Tier_1 on a large machine": pool({ machineType: "c2d-standard-112", fabric: "tier1" }),
    "RoCE between GPUs": aRocePoolArgs(),
    "Falcon between CPUs": aFalconPoolArgs(),
    "networks that are not known yet": aFalconPoolArgs({
      rdmaNetworks: [{ network: pulumi.output("vpc"), subnetwork: pulumi.output("subnet"), name: "rdma-0" }],
    }),
  });
});
