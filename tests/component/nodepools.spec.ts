import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { GkeNodePool } from "../../provider";
import { immutableInputs } from "../../provider/clouds/aks/nodes/objects";
import { isWireSecret, mockEngine, unknownOnTheWire, unknownOutput, valueOf } from "../support/mocks";
import {
  aks,
  aksKarpenter,
  answers,
  efa,
  eks,
  gke,
  hb,
  ids,
  karpenter,
  karpenterEfa,
  register,
  roce,
} from "../support/pools";
import { aGkePoolArgs } from "../unit/clouds/nodes/fixtures";

describe("what a pool registers", function () {
  this.timeout(60_000);

  const plugin = (kind: string) => `DaemonSet hpc-${kind}-device-plugin`;
  const plugins = `${plugin("efa")}, ${plugin("nvidia")}`;
  const group = [
    "PlacementGroup hpc",
    ...["", "EgressRule", "IngressRule"].map((kind) => `SecurityGroup${kind} hpc-efa`),
  ].join(", ");
  const nvl = aks({ machineType: "Standard_ND96isr_H100_v5", fabric: "infiniband", placement: "proximity" });
  const table: [name: string, make: ReturnType<typeof eks>, want: string][] = [
    ["a plain pool of EKS", eks(), "LaunchTemplate hpc, NodeGroup hpc"],
    ["EFA on EKS", efa(), `${plugins}, LaunchTemplate hpc, NodeGroup hpc, ${group}`],
    [
      "EFA in a placement group that exists, without a security group",
      efa({ placementGroupName: "mine", efaSecurityGroup: false }),
      `${plugins}, LaunchTemplate hpc, NodeGroup hpc`,
    ],
    ["a pool of Karpenter", karpenter(), "EC2NodeClass hpc-class, NodePool hpc"],
    ["claims", karpenterEfa({ fabricBy: "claim", gpuBy: "claim" }), "EC2NodeClass hpc-class, NodePool hpc"],
    ["EFA with Karpenter", karpenterEfa(), `${plugins}, EC2NodeClass hpc-class, NodePool hpc`],
    ["node auto-provisioning on AKS", aksKarpenter(), "AKSNodeClass hpc-class, NodePool hpc"],
    [
      "GPUs by node auto-provisioning on AKS",
      aksKarpenter({ machineTypes: ["Standard_NC40ads_H100_v5"] }),
      `AKSNodeClass hpc-class, ${plugin("nvidia")}, NodePool hpc`,
    ],
    ["GPUs on GKE", gke({ machineType: "g2-standard-96" }), "NodePool hpc"],
    ["an NVLink domain on GKE", gke({ machineType: "a4x-highgpu-4g" }), "NodePool hpc, ResourcePolicy hpc"],
    ["RDMA between GPUs on GKE", roce(), "DaemonSet hpc-gib-installer, NodePool hpc"],
    [
      "flex start close to each other on GKE",
      gke({
        machineType: "a4-highgpu-8g",
        capacityType: "flexStart",
        placement: "compact",
        size: undefined,
        maxSize: 4,
      }),
      "NodePool hpc, ResourcePolicy hpc",
    ],
    ["a pool of AKS", aks(), "AgentPool hpc"],
    [
      "GPUs and InfiniBand on AKS",
      nvl,
      `AgentPool hpc, DaemonSet hpc-kernel-modules, ${plugin("nvidia")}, ${plugin("rdma")}, ` +
        "ProximityPlacementGroup hpc",
    ],
    [
      "InfiniBand by claims on AKS",
      hb({ fabricBy: "claim" }),
      "AgentPool hpc, DaemonSet hpc-kernel-modules, DeviceClass hpc-infiniband",
    ],
  ];
  for (const [name, make, want] of table)
    for (const preview of [false, true])
      it(`is ${want.slice(0, 40)}… for ${name}${preview ? ", in a preview too" : ""}`, async () => {
        const { seen } = await register(make, { preview });
        const [component = assert.fail(), ...others] = seen.filter(({ parent }) => parent === "");
        assert.deepEqual(others, []);
        assert.equal(ids(seen.filter(({ parent }) => parent === component.id)).join(", "), want);
      });

  it("is nothing where the arguments are wrong, not even the component", async () => {
    const wrong = [efa({ zones: [] }), karpenter({ subnetIds: [] }), roce({ zones: [] }), hb({ zones: ["1", "2"] })];
    for (const make of wrong) {
      const seen = await mockEngine({ answers });
      assert.throws(make, (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors.length === 1);
      assert.deepEqual(seen, []);
    }
  });

  it("is by the providers that the caller names", async () => {
    class Provider extends pulumi.ProviderResource {}
    const seen = await mockEngine({ answers });
    const names = ["aws", "gcp", "azure-native", "kubernetes"];
    const providers = names.map((name) => new Provider(name, "other", {}));
    for (const make of [efa(), roce(), hb()]) await valueOf(make({ providers }).scheduling);
    await valueOf(pulumi.output(providers.map(({ urn }) => urn)));
    const children = seen.filter(({ parent }) => parent !== "");
    assert.ok(children.length > 8);
    for (const { id, type, provider } of children)
      assert.match(provider, type === "DaemonSet" ? /:kubernetes::other$/ : /:(aws|gcp|azure-native)::other$/, id);
  });

  const disks = "nodeConfig.ephemeralStorageLocalSsdConfig, nodeConfig.localNvmeSsdBlockConfig";
  const left: [name: string, make: ReturnType<typeof eks>, want: string][] = [
    ["nothing on EKS", eks(), ""],
    ["the number of nodes on EKS if they are scaled", eks({ maxSize: 4 }), "scalingConfig.desiredSize"],
    ["disks on GKE", gke(), disks],
    ["disks and the number of nodes on GKE", gke({ maxSize: 4 }), `${disks}, nodeCount`],
    ["nothing on AKS", aks(), ""],
    ["the number of nodes on AKS if they are scaled", aks({ size: 2, maxSize: 2 }), "count"],
  ];
  for (const [name, make, want] of left)
    it(`leaves to others ${name}`, async () => {
      const nodes = (await register(make)).seen.find(({ type }) => /^(NodeGroup|NodePool|AgentPool)$/.test(type));
      assert.equal(nodes?.ignoreChanges.join(", "), want);
    });

  it("is deleted before its successor of the same name, and replaced for changes that Azure rejects", async () => {
    const { seen, find } = await register(hb({ placement: "proximity" }));
    const removedFirst = seen.filter(({ deleteBeforeReplace }) => deleteBeforeReplace);
    assert.deepEqual(ids(removedFirst), [
      "AgentPool hpc",
      "DaemonSet hpc-kernel-modules",
      "DaemonSet hpc-rdma-device-plugin",
    ]);
    assert.deepEqual(find("AgentPool hpc").replaceOnChanges, immutableInputs);
    assert.deepEqual(find("ProximityPlacementGroup hpc").replaceOnChanges, ["intent", "zones"]);
  });

  it("logs diagnostics before its creation and before a resize", async () => {
    await mockEngine({ answers });
    const monitor = pulumi.runtime.getMonitor() as { registerResourceHook?: unknown };
    const names: string[] = [];
    monitor.registerResourceHook = (hook: { getName(): string }, done: (error: null, reply: object) => void) => {
      names.push(hook.getName());
      done(null, {});
    };
    const pools = [hb(), aks({ size: 2, maxSize: 2 }), eks(), gke()].map((make) => make());
    await valueOf(pulumi.output(pools.map(({ urn, scheduling }) => ({ urn, scheduling }))));
    const kinds = ["count", "create", "nodes", "nodes", "nodes", "nodes", "offering", "template"];
    assert.deepEqual(
      names.map((name) => name.replace(/:\d+$/, "")).sort(),
      kinds.map((kind) => `minicluster:hpc:${kind}`),
    );
  });
});

describe("how the resources of a pool hang together", function () {
  this.timeout(60_000);

  const state = ({ type }: pulumi.runtime.MockResourceArgs) =>
    /:(PlacementGroup|AgentPool|NodePool|NodeGroup)$/.test(type)
      ? { name: "new", nodeGroupName: "new" }
      : { latestVersion: 7 };

  it("is that nodes with EFA wait for the rules of their security group, which is open to itself", async () => {
    const { find, inputsOf } = await register(efa({ securityGroupIds: ["sg-mine"], tags: { team: "physics" } }));
    const ends = { securityGroupId: "hpc-efa-id", referencedSecurityGroupId: "hpc-efa-id" };
    for (const id of ["SecurityGroupIngressRule hpc-efa", "SecurityGroupEgressRule hpc-efa"]) {
      assert.deepEqual(inputsOf(id), { ...ends, ipProtocol: "-1", tags: { team: "physics" } });
      assert.ok(find("NodeGroup hpc").dependsOn.includes(id), id);
    }
    const description = "EFA between the nodes of the minicluster pool hpc";
    assert.deepEqual(inputsOf("SecurityGroup hpc-efa"), { description, vpcId: "vpc-1", tags: { team: "physics" } });
    const template = inputsOf<{ networkInterfaces: { securityGroups: string[] }[] }>("LaunchTemplate hpc");
    assert.equal(template.networkInterfaces.length, 33);
    for (const { securityGroups } of template.networkInterfaces)
      assert.deepEqual(securityGroups, ["sg-cluster", "hpc-efa-id", "sg-mine"]);
  });

  it("is that nodes are in their placement group, of the newest template, or in their domain", async () => {
    const onEks = await register(efa(), { state });
    const { placement } = onEks.inputsOf<{ placement: object }>("LaunchTemplate hpc");
    assert.deepEqual(placement, { groupName: "new", availabilityZone: "us-east-1a" });
    const { launchTemplate } = onEks.inputsOf<{ launchTemplate: object }>("NodeGroup hpc");
    assert.deepEqual(launchTemplate, { id: "hpc-id", version: "7" });
    const onAks = await register(hb({ placement: "proximity" }));
    assert.equal(onAks.inputsOf<Record<string, unknown>>("AgentPool hpc")["proximityPlacementGroupID"], "hpc-id");
    assert.deepEqual(onAks.find("AgentPool hpc").dependsOn, ["ProximityPlacementGroup hpc"]);
    const onGke = await register(gke({ machineType: "a4x-highgpu-4g" }));
    assert.deepEqual(onGke.find("NodePool hpc").dependsOn, ["ResourcePolicy hpc"]);
  });

  it("is that a value which is secret or not known hides no other", async () => {
    const late = { clusterName: unknownOutput(), serviceAccount: pulumi.secret("me@p.example") };
    const { inputsOf } = await register((options) => new GkeNodePool("hpc", aGkePoolArgs(late), options), {
      preview: true,
    });
    const { cluster, nodeLocations, nodeConfig } = inputsOf<{
      cluster: string;
      nodeLocations: string[];
      nodeConfig: { machineType: string; serviceAccount: unknown };
    }>("NodePool hpc");
    assert.deepEqual([cluster, nodeLocations], [unknownOnTheWire, ["us-central1-a"]]);
    assert.equal(nodeConfig.machineType, "n4-standard-16");
    assert.ok(isWireSecret(nodeConfig.serviceAccount));
  });

  const userDataOf = async (args: object) => {
    const { inputsOf } = await register(eks(args), { answers: cluster });
    const { userData = "", imageId } = inputsOf<{ userData?: string; imageId?: string }>("LaunchTemplate hpc");
    return { imageId, text: Buffer.from(userData, "base64").toString(), group: inputsOf<object>("NodeGroup hpc") };
  };
  const cluster = {
    "aws:eks/getCluster:getCluster": () => ({
      name: "flux",
      endpoint: "https://flux.eks",
      vpcConfig: { clusterSecurityGroupId: "sg", vpcId: "vpc-1" },
      certificateAuthorities: [{ data: "Q0E=" }],
      kubernetesNetworkConfigs: [{ serviceIpv4Cidr: "10.100.0.0/16" }],
    }),
  };

  it("joins nodes of a custom image to the cluster, with their labels and taints", async () => {
    const args = { amiId: "ami-1", staticCpu: true, taints: [{ key: "a", value: "b", effect: "NoSchedule" }] };
    const { imageId, text, group } = await userDataOf(args);
    assert.equal(imageId, "ami-1");
    assert.ok(!("amiType" in group), "EKS takes no type of an image beside its id");
    const [, spec = ""] = text.split("spec:\n");
    assert.equal(
      spec.split("--==")[0],
      [
        "  cluster:",
        "    name: flux",
        "    apiServerEndpoint: https://flux.eks",
        "    certificateAuthority: Q0E=",
        "    cidr: 10.100.0.0/16",
        "  kubelet:",
        "    config:",
        "      cpuManagerPolicy: static",
        "    flags:",
        "      - --node-labels=minicluster/pool=hpc",
        "      - --register-with-taints=a=b:NoSchedule",
        "",
      ].join("\n"),
    );
  });

  it("is, of an image of the user's own of Bottlerocket, one table of its settings", async () => {
    const { text } = await userDataOf({
      amiId: "ami-1",
      os: "bottlerocket",
      staticCpu: true,
      userData: "[settings.motd]",
    });
    assert.equal(text.match(/^\[settings\.kubernetes\]$/gm)?.length, 1);
    assert.match(text, /^api-server = "https:\/\/flux.eks"$/m);
    assert.match(text, /^"minicluster\/pool" = "hpc"$/m);
    assert.match(text, /\[settings\.motd\]$/);
  });

  it("is, of an image of EKS, the user's own script beside the settings of the pool", async () => {
    const { text } = await userDataOf({ userData: pulumi.output("#!/bin/bash\necho hello"), staticCpu: true });
    assert.deepEqual(text.match(/^Content-Type: (.*)$/gm), [
      'Content-Type: multipart/mixed; boundary="==MINICLUSTER=="',
      "Content-Type: text/x-shellscript",
      "Content-Type: application/node.eks.aws",
    ]);
    assert.ok(!text.includes("cluster:"), "EKS itself adds what joins a node");
  });

  it("is a StorageClass of the local disks of AKS, where Azure's driver stripes them", async () => {
    const { inputsOf, pool } = await register(aks({ machineType: "Standard_HB176rs_v4", localDisks: "raid0" }));
    const { provisioner, metadata } = inputsOf<{ provisioner: string; metadata: object }>(
      "StorageClass hpc-local-disks",
    );
    assert.deepEqual([provisioner, metadata], ["localdisk.csi.acstor.io", { name: "hpc-local-disks" }]);
    assert.equal((await valueOf(pool.scheduling)).localDisk?.storageClass, "hpc-local-disks");
  });
});
