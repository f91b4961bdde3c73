import * as assert from "node:assert/strict";
import type { LookupNodesArgs } from "../../../../provider";
import type { NetworkAttachment, Node } from "../../../../provider/clouds/existing/parse/clusterObjects";
import { lookupNodesFields } from "../../../../provider/clouds/existing/parse/fields";
import {
  type ExistingNodes,
  type FoundNodes,
  schedulingOn,
} from "../../../../provider/clouds/existing/parse/scheduling";
import { propertyPath } from "../../../../provider/shared/errors";
import { checked } from "../../../../provider/shared/rules";
import type { NodeShape } from "../../../sandbox/nodes/simulated";
import { places } from "../../../support/existingPlaces";
import { abbreviated } from "../../../support/problems";

/** A node as the API server has it. */
export interface TestNode extends NodeShape {
  name?: string;
  allocatable?: Record<string, string>;
}

export function aNode({ name = "node-0", labels, taints = [], architecture = "amd64", ...given }: TestNode = {}): Node {
  const capacity = { cpu: "96", memory: "384Gi", pods: "110", ...given.capacity };
  return {
    metadata: { name, labels: { "kubernetes.io/os": "linux", "kubernetes.io/arch": architecture, ...labels } },
    spec: { taints },
    status: { capacity, allocatable: { ...capacity, ...given.allocatable }, nodeInfo: { architecture } },
  };
}

/** Nodes with numbered names. */
export const nodesOf = (...shapes: TestNode[]): Node[] =>
  shapes.map((shape, index) => aNode({ name: `node-${index}`, ...shape }));

/** The nodes of a place of docs/how-to/existing-nodes.md. */
export function nodesAt(place: string): Node[] {
  const { count, ...shape } = places[place] ?? assert.fail(`no place ${place}`);
  return nodesOf(...Array.from({ length: count }, () => shape));
}

/** A NetworkAttachmentDefinition for the interfaces of a resource. */
export const anAttachment = (name: string, resource: string): NetworkAttachment => ({
  metadata: { name, namespace: "default", annotations: { "k8s.v1.cni.cncf.io/resourceName": resource } },
});

/** Valid arguments, parsed. */
export function fieldsOf(args: LookupNodesArgs) {
  const { data, issues } = checked(lookupNodesFields, args, () => undefined);
  return data ?? assert.fail(JSON.stringify(issues));
}

const nothing: FoundNodes = { nodes: [], classes: [], devices: new Map(), attachments: [] };

/** What `lookupNodes` finds on some nodes. */
export const lookedUp = (nodes: Node[], args: LookupNodesArgs = {}, more: Partial<FoundNodes> = {}): ExistingNodes =>
  schedulingOn(fieldsOf(args), { ...nothing, nodes, ...more });

/** The errors with their paths, or the warnings. */
export const messagesOf = ({ issues, warnings }: ExistingNodes): string[] =>
  issues.length > 0 ? issues.map(({ path, message }) => `${propertyPath(path)}: ${message}`) : warnings;

/** The same without the warning of unknown cores, which most of the nodes in tests would have. */
export const otherMessagesOf = (found: ExistingNodes): string[] =>
  messagesOf(found).filter((message) => !message.startsWith("the number of cores is not known"));

/** A case: what the nodes and the arguments give, and every message on them, of which parts may be omitted ("…"). */
export interface Case {
  nodes: TestNode[];
  args?: LookupNodesArgs;
  want: object;
  messages?: string[];
}

/** One test for each case. */
export function itFinds(cases: Record<string, Case>, viewOf: (found: ExistingNodes) => object): void {
  for (const [name, { nodes, args, want, messages = [] }] of Object.entries(cases))
    it(name, () => {
      const found = lookedUp(nodesOf(...nodes), args);
      assert.deepEqual(abbreviated(otherMessagesOf(found), messages), messages);
      assert.deepEqual(viewOf(found), want);
    });
}
