import * as assert from "node:assert/strict";
import type { MiniClusterContainerArgs } from "../../../../../provider";
import { aContainer, aMiniClusterArgs, withTemplate } from "../../../../support/fixtures";
import { problemsOf, validating } from "../../../../support/problems";

const { rejects } = validating();

const withContainer = (container: Partial<MiniClusterContainerArgs>) => ({ containers: [aContainer(container)] });

describe("what no API server needs to judge", () => {
  rejects({
    'podTemplate.spec.containers[0].resources.requests.cpu: "1GB" must be a Kubernetes quantity such as…': withTemplate(
      { containers: [{ name: "demo", resources: { requests: { cpu: "1GB" } } }] },
    ),
  });

  it("is refused with the sizes: scripts that no ConfigMap holds, at the longest of them", () => {
    const services = [{ image: "i", name: "s", command: "y\n".repeat(300_000) }];
    const [problem, ...others] = problemsOf(
      aMiniClusterArgs({ ...withContainer({ command: "x\n".repeat(350_000) }), services }),
    );
    assert.equal(problem?.propertyPath, "containers[0].command");
    assert.match(problem?.reason ?? "", /^the scripts .* have 13\d{5} bytes, above the 1048576 of a ConfigMap; move/);
    assert.deepEqual(others, []);
  });

  it("is refused with the sizes: pods that are too long for what Kubernetes stores", () => {
    const environment = Object.fromEntries([..."ABCDEFGHIJKLMNOP"].map((name) => [name, "x".repeat(100_000)]));
    const [problem] = problemsOf(aMiniClusterArgs(withContainer({ environment })));
    assert.equal(problem?.propertyPath, "containers[0].environment");
    assert.match(problem?.reason ?? "", /^the Job has 16\d{5} bytes, above the 1572864 that Kubernetes stores/);
  });
});
