import * as assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { inputPropertiesError, inputProblems, userError } from "../../../provider/shared/errors";

describe("input problems", () => {
  it("have paths as the engine does", () => {
    const paths: Record<string, PropertyKey[]> = {
      "": [],
      "containers[0].image": ["containers", 0, "image"],
      'containers[1].volumes["my.data"].path': ["containers", 1, "volumes", "my.data", "path"],
      'pod.labels["example.com/a-b"]': ["pod", "labels", "example.com/a-b"],
      'a["quo\\"te"]': ["a", 'quo"te'],
      'a[""]': ["a", ""],
      'a["7"]': ["a", "7"],
    };
    const issues = Object.values(paths).map((path) => ({ code: "custom" as const, path, message: "m" }));
    const found = inputProblems(new z.ZodError(issues)).map(({ propertyPath }) => propertyPath);
    assert.deepEqual(found, Object.keys(paths));
  });

  it("are one for each unknown key, with its own line of the message", () => {
    const issue = { code: "unrecognized_keys" as const, keys: ["a", "b-c"], path: ["pod"], message: "one\nother" };
    assert.deepEqual(inputProblems(new z.ZodError([issue])), [
      { propertyPath: "pod.a", reason: "one" },
      { propertyPath: 'pod["b-c"]', reason: "other" },
    ]);
  });

  it("of arguments that are no object are of the arguments", () => {
    const error = inputPropertiesError("MiniCluster demo", [{ propertyPath: "", reason: "no object" }]);
    assert.match(error.message, /^ {2}the arguments: no object$/m);
  });
});

it("an error of the user begins with what has happened, regardless of the SDK's prefixes", () => {
  const error: Error = userError("the Job has failed");
  error.message = `error serializing property "outputs": ${error.message}`;
  assert.deepEqual([error.message, error.stack, inspect(error)], Array(3).fill("the Job has failed"));
  assert.ok(pulumi.RunError.isInstance(error));
});
