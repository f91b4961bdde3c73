import * as assert from "node:assert/strict";
import {
  type Device,
  devicesByNode,
  type ResourceSlice,
  testOf,
} from "../../../../provider/clouds/existing/parse/clusterObjects";
import { abbreviated } from "../../../support/problems";
import { lookedUp, messagesOf, nodesOf } from "./fixtures";

const aDevice = (driver: string, attributes: Record<string, unknown> = {}, name = "device-0"): Device => ({
  driver,
  pool: "node-0",
  name,
  attributes,
});

const aClass = (name: string, ...expressions: string[]) => ({
  metadata: { name },
  spec: { selectors: expressions.map((expression) => ({ cel: { expression } })) },
});

describe("the CEL selector of a DeviceClass", () => {
  const nic = aDevice("dra.net", { "dra.net/rdma": true, "dra.net/ifName": "gpu0rdma0", "dra.net/numaNode": 1 });
  const gpu = aDevice("gpu.nvidia.com", { "gpu.nvidia.com/type": "gpu" });
  const accepted: [expressions: string[], device: Device, want: boolean][] = [
    [['device.driver == "dra.net"'], nic, true],
    [["device.driver=='dra.net'"], nic, true],
    [['device.driver == "dra.net"'], gpu, false],
    [['device.attributes["dra.net"].rdma == true'], nic, true],
    [['device.attributes["dra.net"].rdma'], nic, true],
    [['device.attributes["dra.net"].rdma == false'], nic, false],
    [['device.attributes["dra.net"].rdma == true'], gpu, false],
    [['device.attributes["dra.net"].virtual == false'], nic, false],
    [['device.attributes["dra.net"]["ifName"] == "gpu0rdma0"'], nic, true],
    [['device.attributes["dra.net"].numaNode == 1'], nic, true],
    [['device.attributes["dra.net"].numaNode == 0'], nic, false],
    [['device.driver == "dra.net" && device.attributes["dra.net"].rdma == true'], nic, true],
    [['device.driver == "dra.net" &&\n  device.attributes["dra.net"].numaNode == 0'], nic, false],
    [['device.driver == "dra.net"', 'device.attributes["dra.net"].rdma'], nic, true],
    [['device.driver == "dra.net"', 'device.attributes["dra.net"].numaNode == 0'], nic, false],
    [[], nic, true],
  ];
  for (const [expressions, device, want] of accepted)
    it(`${want ? "accepts" : "rejects"} a device of ${device.driver}: ${expressions.join(" | ") || "none"}`, () =>
      assert.equal(testOf(aClass("a", ...expressions))?.(device), want));

  const unknown = [
    'device.driver != "dra.net"',
    'device.driver == "dra.net" || device.driver == "other"',
    '!device.attributes["dra.net"].rdma',
    '(device.driver == "dra.net")',
    'device.driver.startsWith("dra")',
    'device.attributes["dra.net"].numaNode > 0',
    'device.attributes["dra.net"].numaNode == -1',
    'device.attributes["dra.net"].ifName.matches("gpu.*")',
    '"dra.net" in device.attributes',
    'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0',
    'device.attributes["dra.net"].ifName == "a && b"',
    "device.driver == \"dra.net'",
    "",
  ];
  for (const expression of unknown)
    it(`is not understood: ${expression || "an empty text"}`, () =>
      assert.equal(testOf(aClass("a", 'device.driver == "dra.net"', expression)), undefined));

  it("is not understood if it is in another language", () =>
    assert.equal(testOf({ metadata: { name: "a" }, spec: { selectors: [{}] } }), undefined));
});

describe("the devices of ResourceSlices", () => {
  const slice = (driver: string, names: string[], more: Partial<ResourceSlice["spec"]> = {}): ResourceSlice => ({
    spec: {
      driver,
      nodeName: "node-0",
      pool: { name: "node-0", generation: 1 },
      devices: names.map((name) => ({ name })),
      ...more,
    },
  });
  const pool = (generation: number, name = "node-0") => ({ pool: { name, generation } });
  const cases: Record<string, [slices: ResourceSlice[], want: Record<string, string[]>]> = {
    "are those of the newest generation": [
      [slice("a", ["old-0", "old-1"]), slice("a", ["new-0"], pool(2))],
      { "node-0": ["new-0"] },
    ],
    "are those of the newest generation, in any order": [
      [slice("a", ["new-0"], pool(2)), slice("a", ["old-0"])],
      { "node-0": ["new-0"] },
    ],
    "are those of all slices of a generation": [
      [slice("a", ["one"], pool(2)), slice("a", ["two"], pool(2))],
      { "node-0": ["one", "two"] },
    ],
    "have a generation for each driver": [
      [slice("a", ["a-0"], pool(2)), slice("b", ["b-0"])],
      { "node-0": ["a-0", "b-0"] },
    ],
    "have a generation for each pool": [
      [slice("a", ["a-0"], pool(2)), slice("a", ["a-1"], { ...pool(1, "other"), nodeName: "node-1" })],
      { "node-0": ["a-0"], "node-1": ["a-1"] },
    ],
    "are of no node if several nodes share them": [
      [{ spec: { driver: "a", pool: { name: "shared" }, devices: [{ name: "a-0" }] } }],
      {},
    ],
  };
  for (const [name, [slices, want]] of Object.entries(cases))
    it(name, () => {
      const found = [...devicesByNode(slices)].map(([node, devices]) => [node, devices.map((device) => device.name)]);
      assert.deepEqual(Object.fromEntries(found), want);
    });

  it("have the domain of their driver in a name without one", () => {
    const attributes = { model: { string: "H100" }, "resource.kubernetes.io/pcieRoot": { string: "pci0000:00" } };
    const [device] = devicesByNode([slice("gpu.nvidia.com", [], { devices: [{ name: "gpu-0", attributes }] })]).get(
      "node-0",
    )!;
    assert.deepEqual(device?.attributes, {
      "gpu.nvidia.com/model": "H100",
      "resource.kubernetes.io/pcieRoot": "pci0000:00",
    });
  });
});

describe("the devices that pods claim on existing nodes", () => {
  const classes = [
    aClass("gpu.nvidia.com", 'device.driver == "gpu.nvidia.com"'),
    aClass("dranet", 'device.driver == "dra.net"'),
    aClass("large", 'device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("40Gi"))'),
  ];
  const nodes = nodesOf({}, {});
  /** Devices of a node, at PCIe roots or NUMA nodes. */
  const devices = (driver: string, places: (string | undefined)[], attribute = "pcieRoot") =>
    places.map((place, index) =>
      aDevice(
        driver,
        place === undefined ? {} : { [`resource.kubernetes.io/${attribute}`]: place },
        `${driver}-${index}`,
      ),
    );
  const onBoth = (...all: Device[][]) => new Map(nodes.map(({ metadata: { name } }) => [name, all.flat()]));

  const cases: Record<string, [deviceClasses: string[], found: Map<string, Device[]>, want: object]> = {
    "are the least number of all nodes": [
      ["gpu.nvidia.com"],
      new Map([
        ["node-0", devices("gpu.nvidia.com", ["a", "b", "c"])],
        ["node-1", devices("gpu.nvidia.com", ["a", "b"])],
      ]),
      {
        claims: [{ name: "gpu-nvidia-com", deviceClass: "gpu.nvidia.com", count: 2 }],
        claimSets: 1,
        matchAttributes: [],
      },
    ],
    "are sets of a GPU and an interface at one PCIe root": [
      ["gpu.nvidia.com", "dranet"],
      onBoth(devices("gpu.nvidia.com", ["a", "b"]), devices("dra.net", ["b", "a"])),
      {
        claims: [
          { name: "gpu-nvidia-com", deviceClass: "gpu.nvidia.com", count: 1 },
          { name: "dranet", deviceClass: "dranet", count: 1 },
        ],
        claimSets: 2,
        matchAttributes: ["resource.kubernetes.io/pcieRoot"],
      },
    ],
    "are sets at one NUMA node if each GPU has a separate PCIe root": [
      ["gpu.nvidia.com", "dranet"],
      onBoth(devices("gpu.nvidia.com", ["0", "1"], "numaNode"), devices("dra.net", ["0", "1"], "numaNode")),
      {
        claims: [
          { name: "gpu-nvidia-com", deviceClass: "gpu.nvidia.com", count: 1 },
          { name: "dranet", deviceClass: "dranet", count: 1 },
        ],
        claimSets: 2,
        matchAttributes: ["resource.kubernetes.io/numaNode"],
      },
    ],
    "are at no common place if a GPU has no interface at its root": [
      ["gpu.nvidia.com", "dranet"],
      onBoth(devices("gpu.nvidia.com", ["a", "b"]), devices("dra.net", ["a", "a"])),
      {
        claims: [
          { name: "gpu-nvidia-com", deviceClass: "gpu.nvidia.com", count: 1 },
          { name: "dranet", deviceClass: "dranet", count: 1 },
        ],
        claimSets: 2,
        matchAttributes: [],
      },
    ],
  };
  for (const [name, [deviceClasses, found, want]] of Object.entries(cases))
    it(name, () => {
      const { claims, claimSets, matchAttributes } = lookedUp(
        nodes,
        { deviceClasses },
        { classes, devices: found },
      ).scheduling;
      assert.deepEqual({ claims, claimSets, matchAttributes }, want);
    });

  const gpus = onBoth(devices("gpu.nvidia.com", ["a"]));
  const refused: Record<string, [args: object, found: Map<string, Device[]>]> = {
    "deviceClasses[1]: the Kubernetes cluster has no DeviceClass roce; it has dranet, gpu.nvidia.com, large": [
      { deviceClasses: ["gpu.nvidia.com", "roce"] },
      gpus,
    ],
    "deviceClasses[0]: the devices of large cannot be counted by its CEL selector; add claims to the scheduling…": [
      { deviceClasses: ["large"] },
      gpus,
    ],
    "deviceClasses[0]: 1 of 2 nodes have no device of gpu.nvidia.com; select other nodes, or remove it": [
      { deviceClasses: ["gpu.nvidia.com"] },
      new Map([["node-0", devices("gpu.nvidia.com", ["a"])]]),
    ],
    "fabric: the pods claim the devices of dra.net; remove fabric or the DeviceClass": [
      { deviceClasses: ["dranet"], fabric: "rdma/ib" },
      onBoth(devices("dra.net", ["a"])),
    ],
  };
  for (const [message, [args, found]] of Object.entries(refused))
    it(message, () => {
      const messages = messagesOf(lookedUp(nodes, args, { classes, devices: found }));
      assert.deepEqual(abbreviated(messages, [message]), [message]);
    });

  it("are counted as GPUs and as interfaces of the network", () => {
    const found = onBoth(devices("gpu.nvidia.com", ["a", "b"]), devices("dra.net", ["a", "b"]));
    const { scheduling } = lookedUp(
      nodes,
      { deviceClasses: ["gpu.nvidia.com", "dranet"] },
      { classes, devices: found },
    );
    const { gpus: count, fabric, fabricInterfaces } = scheduling.node;
    assert.deepEqual({ count, fabric, fabricInterfaces }, { count: 2, fabric: "rdma", fabricInterfaces: 2 });
    assert.deepEqual([scheduling.resources, scheduling.lockMemory], [{}, true]);
  });
});
