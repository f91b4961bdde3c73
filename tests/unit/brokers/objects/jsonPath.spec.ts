import * as assert from "node:assert/strict";
import * as fc from "fast-check";
import { query } from "jsonpath-rfc9535";
import { type MiniClusterArgs, MiniClusterResize, MiniClusterWait } from "../../../../provider";
import { waitForAnnotation } from "../../../../provider/brokers/objects/job";
import { readJsonPaths } from "../../../sandbox/standIns/kubernetes/jsonPath";
import { aHome, aMiniCluster } from "../../../support/fixtures";
import { prepareJsonPath } from "../../../support/jsonPath";
import { sentFor } from "../../../support/manifests";

/** Arguments that may change what a wait is for. */
const variants: Partial<MiniClusterArgs>[] = [
  {},
  { gang: { queueName: "hpc" } },
  { gang: { native: {} } },
  { size: 0 },
  { suspend: true },
  { maxSize: 4, autoscale: { max: 4 } },
];

const waits = Object.values(MiniClusterWait).flatMap((wait) =>
  Object.values(MiniClusterResize).flatMap((resize) => variants.map((variant) => ({ wait, resize, ...variant }))),
);

/** Each annotation of the Jobs, once. */
function jobExpressions(): string[] {
  const specs = waits.flatMap((args) => {
    try {
      return [aMiniCluster(args)];
    } catch {
      return []; // A combination that is refused renders nothing.
    }
  });
  return [...new Set(specs.map(waitForAnnotation))];
}

/** The expression as the provider hands it to its parser. */
function inside(annotation: string): string {
  const path = /^jsonpath=\{(.*)\}$/s.exec(annotation)?.[1] ?? assert.fail(annotation);
  return path.startsWith("$") ? path : `$${path}`;
}

const expressionOf = (object: unknown) =>
  (object as { metadata: { annotations: Record<string, string> } }).metadata.annotations["pulumi.com/waitFor"] ?? "";

const accepted = (expressions: string[]) =>
  assert.deepEqual(
    readJsonPaths(expressions.map((expression) => ({ expression }))).flatMap(({ error }, index) =>
      error === undefined ? [] : [`${error}: ${expressions[index]}`],
    ),
    [],
  );

const operand = fc.constantFrom(
  "@.ready == $.spec.parallelism",
  "@.ready >= $.spec.parallelism",
  "@.completionTime",
  "@.conditions[?@.type == 'Failed']",
  "@.suspend == true",
  "@.annotations['minicluster/template-hash']",
  "!@.annotations['minicluster/template-hash']",
  "!$.status.terminating",
  "$.status.terminating == 0",
  "@.uid",
);

/**
 * Conditions as this package writes them: two operands of `&&`, in parentheses. The provider's parser refuses some
 * longer chains, and the one of the tests drops their third operand.
 */
const { condition } = fc.letrec<{ condition: string; group: string }>((tie) => ({
  group: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    operand,
    fc.tuple(tie("group"), tie("group")).map(([one, other]) => `(${one} && ${other})`),
    fc.array(tie("group"), { minLength: 2, maxLength: 3 }).map((parts) => `(${parts.join(" || ")})`),
  ),
  condition: fc.array(tie("group"), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(" || ")),
}));

const count = fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined });
const live = fc
  .record({
    status: fc.record({ ready: count, terminating: count, completionTime: fc.constantFrom(undefined, "2026-01-01") }),
    parallelism: fc.integer({ min: 1, max: 2 }),
    suspend: fc.boolean(),
    failed: fc.constantFrom(undefined, "Failed", "Complete"),
    patched: fc.boolean(),
  })
  .map(({ status, parallelism, suspend, failed, patched }) => ({
    metadata: { uid: "0b3a", annotations: { a: "b", ...(patched && { "minicluster/template-hash": "c383" }) } },
    spec: { parallelism, suspend },
    status: { ...status, ...(failed && { conditions: [{ type: failed, status: "True" }] }) },
  }));
// Neither Go nor RFC 9535 has an order for the members of an object.
const unordered = (nodes: unknown[]) => nodes.map((node) => canonical(node)).sort();
const canonical = (node: unknown): string =>
  JSON.stringify(node, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
const plain = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object;

describe("the expressions that Pulumi's Kubernetes provider waits by", () => {
  before(prepareJsonPath);

  it("are read by its own parser, whatever is waited for", () => {
    const expressions = jobExpressions();
    assert.ok(expressions.length >= 10);
    accepted(expressions.map(inside));
  });

  it("are read by its own parser for a load balancer and for the agent", async () => {
    const loadBalancer = { cloud: "aws" as const, sourceRanges: ["10.0.0.0/8"] };
    const balanced = await sentFor(aHome({}, { expose: { loadBalancer } }));
    const following = await sentFor(aMiniCluster({ interactive: true, autoscale: { max: 4 } }));
    const { deployment } = following.agent as Record<string, unknown>;
    accepted([balanced.leadService, deployment].map(expressionOf).map(inside));
  });

  it("are of a form that it always reads, and that means the same to the evaluator of the tests", () => {
    const samples = fc.sample(fc.tuple(condition, fc.array(live.map(plain), { minLength: 4, maxLength: 4 })), 1_000);
    const requests = samples.map(([text, objects]) => ({ expression: `$[?${text}]`, objects }));
    accepted(requests.map(({ expression }) => expression));
    for (const [index, { results }] of readJsonPaths(requests).entries()) {
      const { expression = "", objects = [] } = requests[index] ?? {};
      const ours = objects.map((object) => query(object as Parameters<typeof query>[0], expression));
      assert.deepEqual(ours.map(unordered), results?.map(unordered), expression);
    }
  });
});
