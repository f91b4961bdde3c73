import * as assert from "node:assert/strict";
import type { Obj } from "../rpc/values";
import { prepareJsonPath } from "../../../support/jsonPath";
import { parseCondition, waitForConditions } from "./waitFor";

const podsReadyOrOver =
  "jsonpath={$[?@.ready == $.spec.parallelism || @.completionTime || @.conditions[?@.type == 'Failed']]}";

const job = (status: Obj): Obj => ({ metadata: { generation: 1 }, spec: { parallelism: 4 }, status });

describe("a waitFor expression", () => {
  before(prepareJsonPath);

  const cases: { name: string; expression: string; object: Obj; want: boolean }[] = [
    { name: "waits while pods are missing", expression: podsReadyOrOver, object: job({ ready: 3 }), want: false },
    { name: "waits while there is no status", expression: podsReadyOrOver, object: job({}), want: false },
    { name: "ends when every pod is ready", expression: podsReadyOrOver, object: job({ ready: 4 }), want: true },
    {
      name: "ends when the Job is done",
      expression: podsReadyOrOver,
      object: job({ ready: 0, completionTime: "2024-01-01T00:00:00Z" }),
      want: true,
    },
    {
      name: "ends when the Job has failed",
      expression: podsReadyOrOver,
      object: job({ conditions: [{ type: "Failed", status: "True" }] }),
      want: true,
    },
    {
      name: "goes on while the Job is suspended",
      expression: podsReadyOrOver,
      object: job({ conditions: [{ type: "Suspended", status: "True" }] }),
      want: false,
    },
    { name: "compares with a value", expression: "jsonpath={.status.ready}=4", object: job({ ready: 4 }), want: true },
    { name: "distinguishes values", expression: "jsonpath={.status.ready}=4", object: job({ ready: 40 }), want: false },
    {
      name: "reads conditions in any case",
      expression: "condition=complete",
      object: job({ conditions: [{ type: "Complete", status: "True" }] }),
      want: true,
    },
    {
      name: "reads the status of conditions",
      expression: "condition=Complete=False",
      object: job({ conditions: [{ type: "Complete", status: "True" }] }),
      want: false,
    },
    {
      name: "waits until the controller has seen the last change",
      expression: "jsonpath={.status.ready}",
      object: { metadata: { generation: 2 }, status: { observedGeneration: 1, ready: 4 } },
      want: false,
    },
  ];
  for (const { name, expression, object, want } of cases)
    it(name, () => assert.equal(parseCondition(expression)(object), want));

  const refused: [expression: string, message: RegExp][] = [
    ["{.status}", /expected a "jsonpath=" or "condition=" prefix/],
    ["jsonpath=.status", /should be wrapped in brackets/],
    ["jsonpath='{.status}'", /should omit shell quotes/],
    ["jsonpath={.a}=", /requires a value/],
    ["jsonpath={.a}=b=c", /format should be/],
    ["jsonpath={$[?}", /parsing/],
    // Allowed by RFC 9535, and refused by the parser of the real plugin.
    ["jsonpath={$[?@.a || @.b && (@.c) || @.d]}", /unexpected '\|'/],
    ["jsonpath={$[?@.a || @.b && !@.c || @.d]}", /unexpected '\|'/],
  ];
  for (const [expression, message] of refused)
    it(`is refused when it is ${expression}`, () => assert.throws(() => parseCondition(expression), message));

  it("fails on an object where a value is expected", () => {
    const condition = parseCondition("jsonpath={.status}=ready");
    assert.throws(() => condition(job({ ready: 4 })), /has a non-primitive value/);
  });

  it("comes alone, in a list, or not at all", () => {
    const annotated = (waitFor?: string): Obj => ({ metadata: { annotations: { "pulumi.com/waitFor": waitFor } } });
    assert.equal(waitForConditions(annotated("condition=Ready")).length, 1);
    assert.equal(waitForConditions(annotated('["condition=Ready", "jsonpath={.status}"]')).length, 2);
    assert.equal(waitForConditions(annotated()).length, 0);
    assert.throws(() => waitForConditions(annotated("[]")), /at least one condition/);
  });
});
