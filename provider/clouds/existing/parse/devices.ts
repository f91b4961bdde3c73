import { andList } from "../../../shared/printable";
import type { AddIssue } from "../../../shared/rules";
import { isAccelerator } from "../../nodes/parse/pool";
import { type Claimed, devicesIn, isGpuDriver } from "./claims";
import { detectedRow, type FabricRow, fabricRowOf, requestedUnits } from "./fabrics";
import { type LookupNodesFields, noFabric } from "./fields";
import { shared, usualAmount } from "./hardware";
import { amountOn, type Node } from "./clusterObjects";

/** Resources of accelerators that the kubelets report. Neuron hardware counts under several names. */
const acceleratorsOf = (nodes: Node[]) =>
  advertisedBy(nodes).filter((name) => isAccelerator(name) && !/neuron(core|device)$/.test(name));

/** The GPUs that pods request by a number, and the nodes that have them. */
interface Gpus {
  nodes: Node[];
  count: number;
  resources: Record<string, string>;
}

/** The GPUs of the nodes. */
export function gpusOn({ node }: LookupNodesFields, nodes: Node[], claimed: Claimed, addIssue: AddIssue): Gpus {
  const wanted = node?.gpus;
  const byClaim = claimed.claims.filter(({ driver }) => isGpuDriver(driver));
  if (byClaim.length > 0) return { nodes, count: devicesIn(byClaim), resources: {} };
  if (wanted === 0) return { nodes, count: 0, resources: {} };
  const names = acceleratorsOf(nodes);
  const [name] = names;
  if (name === undefined) {
    if (wanted !== undefined) addIssue(["node", "gpus"], "no node offers GPUs; remove it, or correct the selector");
    return { nodes, count: 0, resources: {} };
  }
  if (names.length > 1) {
    addIssue(["selector"], `the nodes have ${andList(names)}, and pods request one of them; select nodes of one kind`);
    return { nodes, count: 0, resources: {} };
  }
  const having = nodes.filter(({ status }) => status?.capacity?.[name] !== undefined);
  const usual = usualAmount(having, name);
  const enough = wanted === undefined ? having : having.filter((each) => amountOn(each, name) >= wanted);
  if (wanted === undefined && having.length < nodes.length)
    addIssue(
      ["node", "gpus"],
      `${having.length} of ${nodes.length} nodes have ${name}; set it to ${usual} to use these nodes alone, or to 0 for no GPUs`,
    );
  if (wanted !== undefined && enough.length === 0)
    addIssue(["node", "gpus"], `is above the ${usual} ${name} of a node; lower it`);
  const count = wanted ?? usual;
  return { nodes: enough.length > 0 ? enough : nodes, count, resources: { [name]: String(count) } };
}

/** Names of resources that some of the nodes have. */
const advertisedBy = (nodes: Node[]) =>
  [...new Set(nodes.flatMap(({ status }) => Object.keys(status?.capacity ?? {})))].filter(
    (name) => usualAmount(nodes, name) > 0,
  );

/** True if Multus attaches the interfaces of the network between the nodes. */
export const needsAttachment = (fabric: string | undefined, nodes: Node[]) =>
  (fabric === undefined ? advertisedBy(nodes).filter((name) => detectedRow(name, nodes)) : [fabric]).some(
    (name) => fabricRowOf(name, nodes)?.attached,
  );

/** The network of the nodes, and the nodes that have it. */
interface Fabric {
  nodes: Node[];
  interfaces: number;
  resources: Record<string, string>;
  row?: FabricRow;
  /** Names of its interfaces, each once for an interface of a pod. */
  units?: string[];
}

/** The network between the nodes. */
export function fabricOn(args: LookupNodesFields, nodes: Node[], claimed: Claimed, addIssue: AddIssue): Fabric {
  const none: Fabric = { nodes, interfaces: 0, resources: {} };
  const byClaim = claimed.claims.filter(({ driver }) => !isGpuDriver(driver));
  const [first] = byClaim;
  if (first) {
    if (args.fabric !== undefined)
      addIssue(["fabric"], `the pods claim the devices of ${first.driver}; remove fabric or the DeviceClass`);
    return {
      ...none,
      interfaces: devicesIn(byClaim),
      row: fabricRowOf(first.claim.deviceClass) ?? fabricRowOf(first.driver),
    };
  }
  if (args.fabric === noFabric) return none;
  const advertised = advertisedBy(nodes);
  const names = args.fabric !== undefined ? [args.fabric] : advertised.filter((name) => detectedRow(name, nodes));
  const rows = [...new Set(names.map((name) => fabricRowOf(name, nodes)))];
  if (rows.length > 1) {
    addIssue(["fabric"], `the nodes advertise ${andList(names)}; set it to one of them, or to "none"`);
    return none;
  }
  if (names.length === 0) return none;
  const having = nodes.filter(({ status }) => names.every((name) => status?.capacity?.[name] !== undefined));
  if (args.fabric !== undefined && !advertised.includes(args.fabric)) {
    const others = advertised.filter((name) => detectedRow(name, nodes));
    const has = others.length > 0 ? `they advertise ${andList(others)}` : "they advertise no network that is known";
    addIssue(["fabric"], `no node advertises ${args.fabric}; ${has}`);
    return none;
  }
  if (args.fabric === undefined && having.length < nodes.length) {
    addIssue(
      ["fabric"],
      `${having.length} of ${nodes.length} nodes advertise ${andList(names)}; set it to ${JSON.stringify(names[0])} to use these nodes ` +
        'alone, or to "none"',
    );
    return none;
  }
  return { ...requestOf(names, rows[0], having), nodes: having };
}

function requestOf(names: string[], row: FabricRow | undefined, nodes: Node[]): Omit<Fabric, "nodes"> {
  const amounts = names.map((name) => [name, requestedUnits(row, usualAmount(nodes, name))] as const);
  const hugePages = row?.hugePages ? shared(nodes, ({ status }) => status?.capacity?.["hugepages-2Mi"]) : undefined;
  return {
    interfaces: amounts.reduce((sum, [, amount]) => sum + amount, 0),
    resources: {
      ...Object.fromEntries(amounts.map(([name, amount]) => [name, String(amount)])),
      ...(hugePages !== undefined && hugePages !== "0" && { "hugepages-2Mi": hugePages }),
    },
    ...(row && { row }),
    ...(row?.attached && { units: amounts.flatMap(([name, count]) => Array<string>(count).fill(name)) }),
  };
}
