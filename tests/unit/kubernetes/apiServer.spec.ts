import * as assert from "node:assert/strict";
import fc from "fast-check";
import { podTemplateRule } from "../../../provider/kubernetes/pod";
import { structure } from "../../../provider/kubernetes/structure";
import { podOfJob, refusalOf } from "../../support/dryRun";
import { mutants } from "../../support/random/mutants";
import { clusterIfAny, type SharedCluster } from "../../support/sandboxHooks";

const name = "trial";

/** What the rules have against a pod template. */
function ours(template: object): string[] {
  const found: string[] = [];
  podTemplateRule(template, (path, message) => found.push(`${path.map(String).join(".")}: ${message}`));
  return found;
}

describe("the API server and the rules on pod templates", function () {
  this.timeout(300_000);

  let cluster: SharedCluster;
  let namespace: string;
  before(async function () {
    const found = clusterIfAny();
    if (!found) return this.skip();
    cluster = found;
    namespace = await cluster.newNamespace();
  });

  /** What the API server has against a Job with a pod template, and against its pods. */
  async function theirs(template: object): Promise<string[]> {
    const counts = { completionMode: "Indexed", completions: 1, parallelism: 1 };
    const job = { metadata: { name, namespace }, spec: { ...counts, template } };
    const pod = podOfJob(name, namespace, template as { spec: object });
    const found = await Promise.all([
      refusalOf(cluster.kube, "job", namespace, job),
      refusalOf(cluster.kube, "pod", namespace, pod),
    ]);
    // A Job has a separate rule on this field, which is an argument.
    return found.flat().filter((text) => !/spec\.template\.spec\.restartPolicy: /.test(text));
  }

  it("agree on the fields", async () => {
    interface Schemas {
      components: { schemas: Record<string, { properties?: object }> };
    }
    const { components } = await cluster.kube.request<Schemas & { metadata: never }>("GET", "/openapi/v3/api/v1");
    const declared = [...structure.keys()].map((type) => {
      const [, schema] = Object.entries(components.schemas).find(([key]) => key.endsWith(`.${type}`)) ?? [];
      return [type, Object.keys(schema?.properties ?? {}).sort()] as const;
    });
    const known = [...structure].map(([type, fields]) => [type, [...fields.keys()].sort()]);
    assert.deepEqual(
      known,
      declared.map((each) => [...each]),
    );
  });

  const another = Math.floor(Math.random() * 2 ** 31);
  for (const [seed, count] of [
    [1, 270],
    [another, 30],
  ] as const)
    it(`agree on ${count} templates with random changes (seed ${seed})`, async () => {
      for (const { template, changes } of fc.sample(mutants, { seed, numRuns: count })) {
        const [one, other] = [ours(template), await theirs(template)];
        assert.equal(one.length > 0, other.length > 0, [...changes, "ours:", ...one, "theirs:", ...other].join("\n"));
      }
    });
});
