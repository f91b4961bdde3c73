import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { invoke } from "../../provider/server/functions";
import { cloudPlugins } from "../sandbox/standIns/cloud";
import { createNodes } from "../sandbox/nodes/simulated";
import { runClouds } from "../support/clouds";
import { pagesInGo } from "../support/languages/go";
import { type LanguageHost, withProgram } from "../support/languages/harness";
import { python } from "../support/languages/python";
import { yaml } from "../support/languages/yaml";
import { withWarnings } from "../support/outputs";
import { sharedCluster } from "../support/sandboxHooks";

const label = "minicluster-tests/lookups";

const inPython = `import json

import pulumi
import pulumi_minicluster as minicluster

nodes = minicluster.lookup_nodes(selector={"${label}": "gpu"}, price=minicluster.NodePoolPriceArgs(per_hour=2))
found = {
    "nodes": nodes.scheduling,
    "count": nodes.node_count,
    "eks": minicluster.lookup_eks_machine(machine_type="c9gn.48xlarge", region="us-east-1").hardware,
    "eksPrice": minicluster.lookup_eks_price(machine_type="p5.48xlarge", region="us-east-1").price,
    "gke": minicluster.lookup_gke_machine(
        machine_type="h9z-highmem-384", zone="us-central1-a", project="physics", arch="amd64", threads_per_core=1
    ).hardware,
    "listed": minicluster.lookup_aks_machine(machine_type="Standard_HB176rs_v4", location="eastus").hardware,
    "aksPrice": minicluster.lookup_aks_price(machine_type="Standard_HB176rs_v4", location="eastus").price,
    "gkePrice": minicluster.lookup_gke_price(machine_type="h3-standard-88", region="us-central1").price,
}
for name, value in found.items():
    pulumi.export(name, value)
`;

const inGo = `package main

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		nodes := minicluster.LookupNodesOutput(ctx, minicluster.LookupNodesOutputArgs{
			Selector: pulumi.StringMap{"${label}": pulumi.String("gpu")},
			Price:    minicluster.NodePoolPriceArgs{PerHour: 2},
		})
		ctx.Export("nodes", nodes.Scheduling())
		ctx.Export("count", nodes.NodeCount())
		ctx.Export("eks", minicluster.LookupEksMachineOutput(ctx, minicluster.LookupEksMachineOutputArgs{
			MachineType: pulumi.String("c9gn.48xlarge"), Region: pulumi.String("us-east-1"),
		}).Hardware())
		ctx.Export("eksPrice", minicluster.LookupEksPriceOutput(ctx, minicluster.LookupEksPriceOutputArgs{
			MachineType: pulumi.String("p5.48xlarge"), Region: pulumi.String("us-east-1"),
		}).Price())
		ctx.Export("gke", minicluster.LookupGkeMachineOutput(ctx, minicluster.LookupGkeMachineOutputArgs{
			MachineType: pulumi.String("h9z-highmem-384"),
			Zone:        pulumi.String("us-central1-a"), Project: pulumi.String("physics"),
			Arch: minicluster.MiniClusterArchAmd64, ThreadsPerCore: pulumi.Int(1),
		}).Hardware())
		ctx.Export("listed", minicluster.LookupAksMachineOutput(ctx, minicluster.LookupAksMachineOutputArgs{
			MachineType: pulumi.String("Standard_HB176rs_v4"), Location: pulumi.String("eastus"),
		}).Hardware())
		ctx.Export("aksPrice", minicluster.LookupAksPriceOutput(ctx, minicluster.LookupAksPriceOutputArgs{
			MachineType: pulumi.String("Standard_HB176rs_v4"), Location: pulumi.String("eastus"),
		}).Price())
		ctx.Export("gkePrice", minicluster.LookupGkePriceOutput(ctx, minicluster.LookupGkePriceOutputArgs{
			MachineType: pulumi.String("h3-standard-88"), Region: pulumi.String("us-central1"),
		}).Price())
		return nil
	})
}
`;

const call = (name: string, args: object) => ({ "fn::invoke": { function: `minicluster:${name}`, arguments: args } });
const hb = { machineType: "Standard_HB176rs_v4", location: "eastus" };
const inYaml = JSON.stringify({
  name: "page",
  runtime: "yaml",
  variables: {
    nodes: call("lookupNodes", { selector: { [label]: "gpu" }, price: { perHour: 2 } }),
    eks: call("lookupEksMachine", { machineType: "c9gn.48xlarge", region: "us-east-1" }),
    eksPrice: call("lookupEksPrice", { machineType: "p5.48xlarge", region: "us-east-1" }),
    gke: call("lookupGkeMachine", {
      machineType: "h9z-highmem-384",
      zone: "us-central1-a",
      project: "physics",
      arch: "amd64",
      threadsPerCore: 1,
    }),
    listed: call("lookupAksMachine", hb),
    aksPrice: call("lookupAksPrice", hb),
    gkePrice: call("lookupGkePrice", { machineType: "h3-standard-88", region: "us-central1" }),
  },
  outputs: {
    nodes: "${nodes.scheduling}",
    count: "${nodes.nodeCount}",
    eks: "${eks.hardware}",
    eksPrice: "${eksPrice.price}",
    gke: "${gke.hardware}",
    listed: "${listed.hardware}",
    aksPrice: "${aksPrice.price}",
    gkePrice: "${gkePrice.price}",
  },
});

const taint = { key: "gpu", value: "true", effect: "NoSchedule" };
const want = {
  nodes: {
    pool: "nodes",
    nodeSelector: { [label]: "gpu" },
    node: { arch: "amd64", vcpus: 96, memoryMib: 384 * 1024, gpus: 8, fabricInterfaces: 1, fabric: "infiniband" },
    taints: [taint],
    zones: ["zone-a", "zone-b"],
    pricePerHour: 2,
    resources: { "nvidia.com/gpu": "8", "rdma/hca_shared_devices_a": "1" },
    environment: { NCCL_SOCKET_IFNAME: "eth0", OMPI_MCA_btl: "^openib" },
    lockMemory: true,
  },
  count: 2,
  eks: {
    arch: "arm64",
    vcpus: 192,
    threadsPerCore: 1,
    memoryMib: 393_216,
    networkCards: 2,
    efaInterfaces: 2,
  },
  eksPrice: { perHour: 55.04, currency: "USD" },
  gke: { arch: "amd64", vcpus: 384, threadsPerCore: 1, memoryMib: 3_145_728 },
};

describe("Look-ups of the schema", () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-lookups-"));
  const hosts: [LanguageHost, file: string, text: string][] = [
    [python, "__main__.py", inPython],
    [yaml, "Pulumi.yaml", inYaml],
  ];
  before(async function () {
    // The first time on a machine, it compiles Pulumi's SDKs and the host of YAML.
    this.timeout(1_200_000);
    hosts.push([await pagesInGo([inGo], "lookups"), "main.go", inGo]);
    const shape = {
      labels: { [label]: "gpu" },
      taints: [taint],
      capacity: { "nvidia.com/gpu": "8", "rdma/hca_shared_devices_a": "63" },
    };
    await createNodes(sharedCluster().kube, 0, 2, { namePrefix: "lookups", ...shape });
  });
  after(() => fs.rmSync(directory, { recursive: true }));

  it("read nodes, EC2, Compute Engine and price lists for programs in Python, Go and YAML", async function () {
    this.timeout(600_000);
    const { kubeconfigPath } = sharedCluster();
    const running = [...(await runClouds())];
    for (const [host, file, text] of hosts) {
      // The name of a folder is the index of a program in Go.
      const folder = path.join(directory, host.name, "0");
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, "Pulumi.yaml"), `name: page\nruntime: ${host.name}\n`);
      fs.writeFileSync(path.join(folder, file), text);
      const [outcome] = await withProgram(host, folder, { kubeconfigPath, running, projectName: "page" }, ({ run }) =>
        run({ kind: "up" }),
      );
      assert.ok(outcome?.ok, `${host.name}: ${outcome?.error}`);
      const { eksPrice, listed, aksPrice, gkePrice, ...found } = outcome.outputs as Record<string, object | null>;
      const { source, ...price } = eksPrice as { source: string };
      assert.match(source, /^AWS Price List, us-east-1, on demand, \d{4}-\d\d-\d\d$/);
      assert.deepEqual({ ...found, eksPrice: price }, want, host.name);
      // A size of the tables is not looked up, and a price list without a network has no price.
      assert.deepEqual([listed ?? null, aksPrice ?? null, gkePrice ?? null], [null, null, null], host.name);
      if (outcome.messages === undefined) continue;
      assert.match(outcome.messages, /no list price of VM size Standard_HB176rs_v4/);
      assert.match(outcome.messages, /no list price of machine type h3-standard-88/);
    }
  });

  it("start the plugin of a cloud, and name the command that installs a missing one", async () => {
    const { PATH, PULUMI_HOME } = process.env;
    const ask = () => invoke("minicluster:index:lookupEksPrice", { machineType: "p5.48xlarge", region: "us-east-1" });
    try {
      Object.assign(process.env, { PATH: "", PULUMI_HOME: directory });
      await withWarnings(async (warnings) => {
        assert.deepEqual(await ask(), { outputs: {} });
        assert.match(warnings().join(), /the plugin of aws is missing; run: pulumi plugin install resource aws \d/);
      });
      // As the engine keeps the plugins that it has installed.
      const { aws = "" } = await cloudPlugins();
      fs.mkdirSync(path.join(directory, "plugins"));
      fs.symlinkSync(aws, path.join(directory, "plugins", "resource-aws-v7.48.0"));
      Object.assign(process.env, { PATH });
      const { outputs } = (await ask()) as { outputs: { price: { perHour: number } } };
      assert.equal(outputs.price.perHour, 55.04);
    } finally {
      Object.assign(process.env, { PATH, PULUMI_HOME });
      if (PULUMI_HOME === undefined) delete process.env["PULUMI_HOME"];
    }
  });

  it("refuse wrong arguments, all at once, each with its path", async () => {
    const folder = path.join(directory, "wrong");
    fs.mkdirSync(folder);
    const variables = { price: call("lookupEksPrice", { machineType: "", capacityType: "sopt" }) };
    const program = { name: "page", runtime: "yaml", variables, outputs: { price: "${price.price}" } };
    fs.writeFileSync(path.join(folder, "Pulumi.yaml"), JSON.stringify(program));
    const options = { kubeconfigPath: sharedCluster().kubeconfigPath, projectName: "page" };
    const [outcome] = await withProgram(yaml, folder, options, ({ run }) => run({ kind: "preview" }));
    assert.equal(outcome?.ok, false);
    const said = `${outcome?.error}${outcome?.text}`;
    assert.match(said, /must be a string that is not empty/);
    assert.match(said, /must be one of "onDemand", "spot", "reservation", "capacityBlock"/);
  });
});
