import type { z } from "zod";
import {
  dnsLabel,
  integer,
  labelValue,
  list,
  map,
  nonEmptyText,
  object,
  objectName,
  pattern,
  qualifiedName,
} from "../../../shared/checks";
import { ruleOn, rules } from "../../../shared/rules";
import { givenPrice, isAccelerator, nodeFields, taint } from "../../nodes/parse/pool";

/** Selects the network by hand: no network. */
export const noFabric = "none";

const fields = object({
  selector: map(qualifiedName, labelValue).default({ "kubernetes.io/os": "linux" }),
  name: dnsLabel.default("nodes"),
  fabric: pattern(
    /^(none|[^/\s]+\/[^/\s]+)$/,
    'the name of an extended resource such as "rdma/ib", or "none"',
  ).optional(),
  deviceClasses: list(objectName).default([]),
  node: object(nodeFields).optional(),
  taints: list(taint).optional(),
  price: givenPrice.optional(),
  maxNodes: integer(1, 100_000).optional(),
  kubeconfig: nonEmptyText.optional(),
  context: nonEmptyText.optional(),
});

const rule = ruleOn<z.output<typeof fields>>();

const kindRule = rule(["node.fabric"], ({ node }, addIssue) => {
  if (node?.fabric !== undefined)
    addIssue(["node", "fabric"], 'the kind of the network follows from its resource; set fabric, such as "rdma/ib"');
});

const acceleratorRule = rule(["fabric"], ({ fabric }, addIssue) => {
  if (fabric !== undefined && isAccelerator(fabric))
    addIssue(["fabric"], `${fabric} is no network; pods request the GPUs of the nodes without it`);
});

const architectureRule = rule(["selector[]", "node.arch"], ({ selector, node }, addIssue) => {
  const label = selector["kubernetes.io/arch"];
  if (label !== undefined && node?.arch !== undefined && label !== node.arch)
    addIssue(["node", "arch"], `is not the architecture of the selector, ${label}; remove one of the two`);
});

/** The arguments of `lookupNodes`. */
export const lookupNodesFields = fields.check(rules(kindRule, acceleratorRule, architectureRule));

export type LookupNodesFields = z.output<typeof fields>;
