import * as assert from "node:assert/strict";
import type { LookupNodesArgs } from "../../../../provider";
import type { NodeShape } from "../../../sandbox/nodes/simulated";
import { itFinds, lookedUp, nodesOf } from "./fixtures";

const nvidia = (count: string) => ({ capacity: { "nvidia.com/gpu": count } });
const threads = (value: string) => ({ labels: { "feature.node.kubernetes.io/cpu-hardware_multithreading": value } });
const type = (name: string, cpu: string) => ({
  labels: { "node.kubernetes.io/instance-type": name },
  capacity: { cpu },
});

const block = { "cloud.google.com/gce-topology-block": "b1" };

describe("the network of existing nodes", () => {
  itFinds(
    {
      "has the levels whose labels all nodes have, and the node": {
        nodes: [
          { labels: { ...block, "cloud.google.com/gce-topology-subblock": "s1" } },
          { labels: { ...block, "cloud.google.com/gce-topology-subblock": "" } },
        ],
        want: { topologyLevels: ["cloud.google.com/gce-topology-block", "kubernetes.io/hostname"] },
      },
      "has no levels that are known without such labels": { nodes: [{}], want: { topologyLevels: undefined } },
    },
    ({ scheduling: { topologyLevels } }) => ({ topologyLevels }),
  );
});

describe("the GPUs of existing nodes", () => {
  itFinds(
    {
      "are the number that most nodes have, with a warning of a weak node": {
        nodes: [nvidia("8"), nvidia("8"), nvidia("7")],
        want: { gpus: 8, resources: { "nvidia.com/gpu": "8" }, nodeCount: 3 },
        messages: ["node node-2 offers 7 of 8 nvidia.com/gpu; check its device plugin, or cordon it"],
      },
      "are the smaller number if most nodes have it": {
        nodes: [nvidia("4"), nvidia("4"), nvidia("8")],
        want: { gpus: 4, resources: { "nvidia.com/gpu": "4" }, nodeCount: 3 },
      },
      "are counted with one that the device plugin reports as broken": {
        nodes: [nvidia("8"), { ...nvidia("8"), allocatable: { "nvidia.com/gpu": "7" } }],
        want: { gpus: 8, resources: { "nvidia.com/gpu": "8" }, nodeCount: 2 },
        messages: ["node node-1 offers 7 of 8 nvidia.com/gpu; check its device plugin, or cordon it"],
      },
      "are those of a node whose device plugin has stopped": {
        nodes: [nvidia("8"), nvidia("0")],
        want: { gpus: 8, resources: { "nvidia.com/gpu": "8" }, nodeCount: 2 },
        messages: ["node node-1 offers 0 of 8 nvidia.com/gpu; check its device plugin, or cordon it"],
      },
      "are the larger number if two are as frequent": {
        nodes: [nvidia("4"), nvidia("8")],
        want: { gpus: 8, resources: { "nvidia.com/gpu": "8" }, nodeCount: 2 },
        messages: ["node node-0 offers 4 of 8 nvidia.com/gpu; check its device plugin, or cordon it"],
      },
      "are a choice if only some nodes have them": {
        nodes: [nvidia("8"), {}, {}],
        want: { gpus: 8, resources: { "nvidia.com/gpu": "8" }, nodeCount: 1 },
        messages: [
          "node.gpus: 1 of 3 nodes have nvidia.com/gpu; set it to 8 to use these nodes alone, or to 0 for no GPUs",
        ],
      },
      "are on the nodes with at least the given number": {
        nodes: [nvidia("4"), nvidia("8"), {}],
        args: { node: { gpus: 4 } },
        want: { gpus: 4, resources: { "nvidia.com/gpu": "4" }, nodeCount: 2 },
      },
      "are not requested if the arguments have none, on any node": {
        nodes: [nvidia("8"), {}],
        args: { node: { gpus: 0 } },
        want: { gpus: 0, resources: {}, nodeCount: 2 },
      },
      "are no more than a node has": {
        nodes: [nvidia("8")],
        args: { node: { gpus: 9 } },
        want: { gpus: 9, resources: { "nvidia.com/gpu": "9" }, nodeCount: 1 },
        messages: ["node.gpus: is above the 8 nvidia.com/gpu of a node; lower it"],
      },
      "are refused on nodes without GPUs": {
        nodes: [{}],
        args: { node: { gpus: 1 } },
        want: { gpus: 1, resources: {}, nodeCount: 1 },
        messages: ["node.gpus: no node offers GPUs; remove it, or correct the selector"],
      },
      "are refused if they are of two vendors": {
        nodes: [nvidia("8"), { capacity: { "amd.com/gpu": "8" } }],
        want: { gpus: 0, resources: {}, nodeCount: 2 },
        messages: [
          "selector: the nodes have nvidia.com/gpu and amd.com/gpu, and pods request one of them; select nodes of…",
        ],
      },
      "are requested once where AWS's plugin counts devices and cores": {
        nodes: [{ capacity: { "aws.amazon.com/neuron": "16", "aws.amazon.com/neuroncore": "128" } }],
        want: { gpus: 16, resources: { "aws.amazon.com/neuron": "16" }, nodeCount: 1 },
      },
    },
    ({ scheduling: { node, resources }, nodeCount }) => ({ gpus: node.gpus, resources, nodeCount }),
  );
});

describe("the processors of existing nodes", () => {
  itFinds(
    {
      "are threads of half as many cores, by Node Feature Discovery": {
        nodes: [threads("true")],
        want: { vcpus: 96, cores: 48 },
      },
      "are cores, by Node Feature Discovery": { nodes: [threads("false")], want: { vcpus: 96, cores: 96 } },
      "are unknown cores without a label": { nodes: [{}], want: { vcpus: 96, cores: undefined } },
      "are the cores of a listed instance type of EC2": {
        nodes: [type("hpc7g.16xlarge", "64")],
        want: { vcpus: 64, cores: 64 },
      },
      "are half as many cores of an instance type of EC2 with two threads": {
        nodes: [type("m7i.2xlarge", "8")],
        want: { vcpus: 8, cores: 4 },
      },
      "are the cores of an instance type whose second threads a pool has turned off": {
        nodes: [type("m7i.2xlarge", "4")],
        want: { vcpus: 4, cores: 4 },
      },
      "are unknown cores of an instance type in another number": {
        nodes: [type("m7i.2xlarge", "6")],
        want: { vcpus: 6, cores: undefined },
      },
      "are the cores of a machine type of Compute Engine": {
        nodes: [type("n4-standard-16", "16")],
        want: { vcpus: 16, cores: 8 },
      },
      "are the cores of a VM size of Azure": { nodes: [type("Standard_D16s_v6", "16")], want: { vcpus: 16, cores: 8 } },
      "are unknown cores of a type that no table has": {
        nodes: [type("constructor", "96")],
        want: { vcpus: 96, cores: undefined },
      },
      "have no number where nodes differ": {
        nodes: [
          { ...threads("true"), capacity: { cpu: "8" } },
          { ...threads("true"), capacity: { cpu: "16" } },
        ],
        want: { vcpus: undefined, cores: undefined },
        messages: [
          "the nodes have 8 to 16 CPUs, so pods request no share of them; select nodes of one kind, or set node.vcpus",
        ],
      },
      "have the given number where nodes differ": {
        nodes: [{ capacity: { cpu: "8" } }, { capacity: { cpu: "16" } }],
        args: { node: { vcpus: 8 } },
        want: { vcpus: 8, cores: undefined },
      },
      "have unknown cores where nodes of one number differ in threads": {
        nodes: [threads("true"), threads("false")],
        want: { vcpus: 96, cores: undefined },
      },
    },
    ({ scheduling: { node } }) => ({ vcpus: node.vcpus, cores: node.cores }),
  );
});

describe("the memory and the model of existing nodes", () => {
  const model = (label: string, name: string) => ({ labels: { [label]: name } });
  itFinds(
    {
      "are equal where kernels reserve a few MiB more": {
        nodes: [{ capacity: { memory: "402000000Ki" } }, { capacity: { memory: "402000123Ki" } }],
        want: { memoryMib: 383 * 1024 },
      },
      "are unknown where nodes differ": {
        nodes: [
          { ...model("nvidia.com/gpu.product", "H100"), capacity: { memory: "64Gi" } },
          { ...model("nvidia.com/gpu.product", "A100"), capacity: { memory: "128Gi" } },
        ],
        want: {},
      },
      "are of the label of GPU Feature Discovery": {
        nodes: [model("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")],
        want: { memoryMib: 384 * 1024, gpuModel: "NVIDIA-H100-80GB-HBM3" },
      },
      "are of the label of GKE": {
        nodes: [model("cloud.google.com/gke-accelerator", "nvidia-l4")],
        want: { memoryMib: 384 * 1024, gpuModel: "nvidia-l4" },
      },
    },
    ({ scheduling: { node } }) => ({
      ...(node.memoryMib !== undefined && { memoryMib: node.memoryMib }),
      ...(node.gpuModel !== undefined && { gpuModel: node.gpuModel }),
    }),
  );
});

describe("the architecture of existing nodes", () => {
  const arm = { architecture: "arm64" };
  itFinds(
    {
      "is a choice if they have two": {
        nodes: [{}, arm],
        want: { arch: undefined, nodeCount: 2 },
        messages: ["node.arch: the nodes are amd64 and arm64, and pods have one architecture; set it to one of them"],
      },
      "selects nodes": { nodes: [{}, arm], args: { node: { arch: "arm64" } }, want: { arch: "arm64", nodeCount: 1 } },
      "is refused if no node has it": {
        nodes: [{}],
        args: { node: { arch: "arm64" } },
        want: { arch: "arm64", nodeCount: 0 },
        messages: ["node.arch: the nodes are amd64; correct it, or the selector"],
      },
    },
    ({ scheduling: { node }, nodeCount }) => ({ arch: node.arch, nodeCount }),
  );
});

describe("existing nodes whose cores are not known", () => {
  const warnings = (node: NodeShape, args: LookupNodesArgs = {}) => lookedUp(nodesOf(node), args).warnings;

  it("bring a warning where Flux has GPUs", () => {
    assert.match(
      warnings(nvidia("8")).join(),
      /two CPUs count as a core in Flux; set node\.cores, or install Node Feature Discovery$/,
    );
    assert.deepEqual(warnings({}), []);
    assert.deepEqual(warnings(nvidia("8"), { node: { gpus: 0 } }), []);
    assert.deepEqual(warnings(nvidia("8"), { node: { cores: 48 } }), []);
    assert.deepEqual(warnings({ ...nvidia("8"), ...threads("true") }), []);
  });
});
