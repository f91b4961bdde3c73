import * as assert from "node:assert/strict";
import type { EksNodePoolArgs } from "../../../../provider";
import { anEksPoolArgs, eksProblemsOf, outputOf } from "./fixtures";

const problemsOf = (args: unknown) =>
  eksProblemsOf(args).map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`);

const hardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 32_768 } as const;

describe("the rules of an EKS pool", () => {
  const malformed: [name: string, args: Partial<EksNodePoolArgs>][] = [
    ["hardware without anything", { machineTypes: ["m99.large"], hardware: {} as never }],
    ["an accelerator of no kind", { machineTypes: ["m99.large"], hardware: { ...hardware, accelerator: {} as never } }],
    ["an output as hardware", { machineTypes: ["m99.large"], hardware: outputOf(hardware) }],
    [
      "outputs inside hardware",
      { machineTypes: ["m99.large"], hardware: { ...hardware, vcpus: outputOf(8), arch: outputOf("arm64") } },
    ],
    ["null in place of a list", { machineTypes: null as never, zones: null as never, taints: null as never }],
    ["null in a list", { machineTypes: [null as never], taints: [null as never, null as never] }],
  ];
  for (const [name, args] of malformed)
    it(`leave ${name} to the checks of the single properties`, () => {
      const problems = problemsOf(anEksPoolArgs({ fabric: "efa", arch: "amd64", autoscale: null as never, ...args }));
      for (const problem of problems) assert.doesNotMatch(problem, /undefined|Output|twice|null/, problem);
      assert.ok(problems.length > 0);
    });
});
