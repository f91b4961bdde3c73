import * as assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { inputPropertiesError, inputProblems, userError } from "../../../provider/shared/errors";

describe("input problems", () => {
  const problems = (issues: z.core.$ZodIssue[]) => inputProblems(new z.ZodError(issues));
  const at = (path: PropertyKey[]) => problems([{ code: "custom", path, message: "m" }])[0]?.propertyPath;

  const paths: [path: PropertyKey[], want: string][] = [
    [[], ""],
    [["size"], "size"],
    [["containers", 0, "image"], "containers[0].image"],
    [["containers", 1, "volumes", "my.data", "path"], 'containers[1].volumes["my.data"].path'],
    [["pod", "labels", "example.com/a-b"], 'pod.labels["example.com/a-b"]'],
    [["a", 'quo"te'], 'a["quo\\"te"]'],
    [["a", ""], 'a[""]'],
    [["a", "7"], 'a["7"]'],
  ];
  for (const [path, want] of paths)
    it(`prints ${JSON.stringify(path)} as the engine does`, () => assert.equal(at(path), want));

  it("has one entry for each unknown key", () => {
    const issue = { code: "unrecognized_keys", keys: ["a", "b-c"], path: ["pod"], message: "" } as const;
    const reason = "unknown property; correct its name or remove it";
    assert.deepEqual(problems([{ ...issue, keys: [...issue.keys], path: [...issue.path] }]), [
      { propertyPath: "pod.a", reason },
      { propertyPath: 'pod["b-c"]', reason },
    ]);
  });
});

describe("the error that the engine prints", () => {
  const list = [
    { propertyPath: "size", reason: "too large" },
    { propertyPath: "", reason: "no object" },
  ];
  const error = inputPropertiesError("MiniCluster demo", list);

  it("is an InputPropertiesError with every problem", () => {
    assert.ok(pulumi.InputPropertiesError.isInstance(error));
    assert.deepEqual(error.errors, list);
  });

  it("has them all in its message, for programs that run outside the engine", () =>
    assert.equal(
      error.message,
      "MiniCluster demo: invalid arguments, nothing was created\n  size: too large\n  the arguments: no object",
    ));
});

describe("the error of the user's making", () => {
  it("begins with what has happened, whatever the SDK puts before it on the way", () => {
    const error: Error = userError("the Job has failed");
    error.message = `error serializing property "outputs": ${error.message}`;
    assert.deepEqual([error.message, error.stack, inspect(error)], Array(3).fill("the Job has failed"));
    assert.ok(pulumi.RunError.isInstance(error));
  });
});
