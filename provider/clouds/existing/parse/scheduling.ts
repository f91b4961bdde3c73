import { andList } from "../../../shared/printable";
import type { Issue } from "../../../shared/errors";
import { nearest } from "../../../shared/nearest";
import type { AddIssue } from "../../../shared/rules";
import type { NodePoolNode, NodePoolScheduling, NodePoolTaint } from "../../nodes/args";
import { claimSetsOf } from "../../nodes/parse/scheduling";
import { levelsWith } from "../../nodes/parse/topology";
import { claimsOn, type FoundDevices } from "./claims";
import { fabricOn, gpusOn } from "./devices";
import { type FabricRow, fabricRowOf, requestedUnits } from "./fabrics";
import { type LookupNodesFields, noFabric } from "./fields";
import { archOf, commonHardware, labelOf, machineTypeOf } from "./hardware";
import { amountOn, networksAnnotation, type NetworkAttachment, type Node, resourceAnnotation } from "./clusterObjects";
import { commonTaints, lastingTaints, taintText, untolerated } from "./taints";

/** What was read of a Kubernetes cluster. */
export interface FoundNodes extends FoundDevices {
  /** The nodes with the labels of the selector, and all nodes if there are none. */
  nodes: Node[];
  /** NetworkAttachmentDefinitions, if the network of the nodes needs them. */
  attachments: NetworkAttachment[];
}

/** What existing nodes give to a cluster, and what is wrong with the arguments on these nodes. */
export interface ExistingNodes {
  scheduling: NodePoolScheduling;
  nodeCount?: number;
  issues: Issue[];
  warnings: string[];
}

/** The value of `pool` by the arguments alone, if the nodes are not known. */
export function givenScheduling(args: LookupNodesFields): NodePoolScheduling {
  const { name, selector, node = {}, taints = [], price, fabric, maxNodes } = args;
  const row = fabric === undefined || fabric === noFabric ? undefined : fabricRowOf(fabric);
  const { gpus = 0, fabricInterfaces = row ? 1 : 0 } = node;
  return {
    pool: name,
    nodeSelector: selector,
    taints,
    node: { ...node, gpus, fabricInterfaces, ...(row && { fabric: row.fabric }) },
    ...(price && { pricePerHour: price.perHour }),
    ...(price?.currency !== undefined && { currency: price.currency }),
    ...(maxNodes !== undefined && { maxNodes }),
    resources: {
      ...(gpus > 0 && { [givenGpus]: String(gpus) }),
      ...(fabric !== undefined && row && { [fabric]: String(requestedUnits(row, fabricInterfaces)) }),
    },
    ...(row && settingsOf(row)),
  };
}

/** The resource of GPUs that no node has reported yet. */
const givenGpus = "nvidia.com/gpu";

const settingsOf = ({ environment, lockMemory }: FabricRow) => ({ environment, lockMemory });

/** The value of `pool` on the nodes that were found. */
export function schedulingOn(args: LookupNodesFields, found: FoundNodes): ExistingNodes {
  const issues: Issue[] = [];
  const warnings: string[] = [];
  const addIssue: AddIssue = (path, message) => issues.push({ path, message });
  const given = givenScheduling(args);
  const taints = args.taints ?? commonTaints(found.nodes.filter((node) => hasLabels(node, args.selector)));
  const usable = usableNodes({ ...args, taints }, found.nodes, addIssue, warnings);
  if (usable.length === 0) return { scheduling: given, nodeCount: 0, issues, warnings };
  const claimed = claimsOn(args.deviceClasses, usable, found, addIssue);
  const gpus = gpusOn(args, usable, claimed, addIssue);
  const fabric = fabricOn(args, gpus.nodes, claimed, addIssue);
  const nodes = fabric.nodes;
  const resources = { ...gpus.resources, ...fabric.resources };
  warnings.push(...weakNodes(nodes, resources));
  const attached = attachedNetworks(fabric.units ?? [], found.attachments, warnings);
  const read = commonHardware(nodes);
  warnings.push(...unknownHardware({ ...read, gpus: gpus.count, ...args.node }, nodes));
  const zones = [...new Set(nodes.flatMap((node) => labelOf(node, "topology.kubernetes.io/zone") ?? []))].sort();
  const types = [...new Set(nodes.flatMap((node) => machineTypeOf(node) ?? []))].sort();
  const interfaces = fabric.row ? fabric.interfaces : 0;
  const topologyLevels = levelsWith((label) => nodes.every((node) => (labelOf(node, label) ?? "") !== ""));
  return {
    scheduling: {
      ...given,
      ...(types.length > 0 && { machineType: types.join(", ") }),
      taints,
      node: {
        ...read,
        gpus: gpus.count,
        fabricInterfaces: interfaces,
        ...args.node,
        ...(fabric.row && { fabric: fabric.row.fabric }),
      },
      ...(zones.length > 0 && { zones }),
      ...(topologyLevels && { topologyLevels }),
      resources,
      ...(claimed.claims.length > 0 &&
        claimSetsOf(
          claimed.claims.map(({ claim }) => claim),
          claimed.alignment,
        )),
      ...(fabric.row && settingsOf(fabric.row)),
      ...(attached !== undefined && { annotations: { [networksAnnotation]: attached } }),
    },
    nodeCount: nodes.length,
    issues,
    warnings,
  };
}

/** The nodes with the labels, no other taints, and the architecture of the arguments. */
function usableNodes(
  { selector, node: given, taints }: LookupNodesFields & { taints: NodePoolTaint[] },
  all: Node[],
  addIssue: AddIssue,
  warnings: string[],
): Node[] {
  const matching = all.filter((node) => hasLabels(node, selector));
  if (matching.length === 0) {
    if (given) warnings.push("no node has the labels of the selector now; what is given as node counts");
    else addIssue(["selector"], noMatch(selector, all));
    return [];
  }
  const open = matching.filter((node) => untolerated(node, taints).length === 0);
  if (open.length === 0) {
    addIssue(
      ["taints"],
      `each of the ${matching.length} nodes has other taints (${taintsOf(matching)}); set the taints that pods tolerate`,
    );
    return [];
  }
  const closed = matching.filter((node) => !open.includes(node));
  if (closed.length > 0)
    warnings.push(
      `${closed.length} of ${matching.length} nodes are not used, because pods do not tolerate ${taintsOf(closed)}; add it to taints to ` +
        "use them",
    );
  const ofArch = given?.arch === undefined ? open : open.filter((node) => archOf(node) === given.arch);
  const architectures = [...new Set(open.map(archOf))].sort();
  if (given?.arch === undefined && architectures.length > 1)
    addIssue(
      ["node", "arch"],
      `the nodes are ${andList(architectures)}, and pods have one architecture; set it to one of them`,
    );
  if (ofArch.length === 0)
    addIssue(["node", "arch"], `the nodes are ${andList(architectures)}; correct it, or the selector`);
  return ofArch;
}

const hasLabels = (node: Node, labels: Record<string, string>) =>
  Object.entries(labels).every(([key, value]) => labelOf(node, key) === value);

/** The networks that Multus attaches for these units of resources; undefined, with a warning, if none are known. */
function attachedNetworks(units: string[], all: NetworkAttachment[], warnings: string[]): string | undefined {
  if (units.length === 0) return undefined;
  const networks = new Map(
    [...new Set(units)].map((unit) => [
      unit,
      all
        .filter(({ metadata: { annotations = {} } }) => annotations[resourceAnnotation] === unit)
        .map(({ metadata: { name, namespace } }) => `${namespace}/${name}`),
    ]),
  );
  const unclear = [...networks].find(([, names]) => names.length !== 1);
  if (!unclear) return units.flatMap((unit) => networks.get(unit) ?? []).join(",");
  const [unit, names] = unclear;
  const has = names.length > 0 ? `has ${andList(names)}` : "shows none";
  warnings.push(
    `Multus attaches ${unit} by a NetworkAttachmentDefinition, and the Kubernetes cluster ${has} for it; set pod.annotations ` +
      `${networksAnnotation}`,
  );
  return undefined;
}

/** Message of a selector without a node, with the nearest label that nodes have. */
function noMatch(selector: Record<string, string>, nodes: Node[]): string {
  if (nodes.length === 0) return "the Kubernetes cluster has no nodes; add nodes, or describe them as node";
  const lacking = Object.entries(selector).find(([key, value]) => !nodes.some((node) => labelOf(node, key) === value));
  if (!lacking) return "no node has all of these labels together; remove one of them";
  const [key, value] = lacking;
  const values = [...new Set(nodes.flatMap((node) => labelOf(node, key) ?? []))].sort();
  if (values.length > 0) return `no node has ${key}=${value}; the nodes have ${key}: ${values.slice(0, 8).join(", ")}`;
  const meant = nearest(key, [...new Set(nodes.flatMap(({ metadata: { labels = {} } }) => Object.keys(labels)))]);
  return `no node has the label ${key}${meant === undefined ? "; correct it" : `; did you mean ${meant}?`}`;
}

const taintsOf = (nodes: Node[]) => [...new Set(nodes.flatMap(lastingTaints).map(taintText))].join(", ");

/** Warnings of hardware that all nodes would need to have in common. */
const unknownHardware = ({ vcpus, cores, gpus = 0 }: NodePoolNode, nodes: Node[]): string[] => [
  ...(vcpus === undefined ? [differingCpus(nodes)] : []),
  ...(cores === undefined && gpus > 0
    ? [
        `the number of cores is not known, so ${vcpus === undefined ? "Flux may find no GPUs" : "two CPUs count as a core in Flux"}; set ` +
          "node.cores, or install Node Feature Discovery",
      ]
    : []),
];

function differingCpus(nodes: Node[]): string {
  const counts = nodes.map((node) => amountOn(node, "cpu"));
  return (
    `the nodes have ${Math.min(...counts)} to ${Math.max(...counts)} CPUs, so pods request no share of them; select nodes of one kind, ` +
    "or set node.vcpus"
  );
}

/** Warnings of nodes with fewer devices than a pod requests, such as a GPU that has failed. */
const weakNodes = (nodes: Node[], resources: Record<string, string>): string[] =>
  Object.entries(resources)
    .filter(([resource]) => resource.includes("/"))
    .flatMap(([resource, requested]) =>
      nodes
        .map((node) => ({ name: node.metadata.name, has: amountOn(node, resource, "allocatable") }))
        .filter(({ has }) => has < Number(requested))
        .map(
          ({ name, has }) =>
            `node ${name} offers ${has} of ${requested} ${resource}; check its device plugin, or cordon it`,
        ),
    );
