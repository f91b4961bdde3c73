import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { casesOf, valueIn } from "../../../support/cases";
import { manifestsOf, sentManifests } from "../../../support/manifests";
import { changedPaths } from "../../../support/propertyPaths";

/** Settings in which a size could hide. */
const shapes = casesOf(`
{}
tasks: 64
tasks: 0
minSize: 1
interactive: true
containers: [!broker {command: "a\\nb", batch: true}]
containers: [!broker {launcher: true}]
{services: [{image: i, name: store, command: serve, ports: [80]}], network: {policy: brokerPort}}
{archive: {path: /state/a.tgz}, podSecurity: restricted}
flux: {minimalService: true}
flux: {container: {imageVolume: true}, mungeSecret: munge}
flux: {bursting: {clusters: [{size: 4}]}}
{flux: {brokerConfig: "[resource]\\n"}, podTemplate: {spec: {containers: [{name: demo, tty: true}]}}}
{pool: !gpus {zones: [a], taints: [{key: gpu, effect: NoSchedule}]}, prepull: true}
{pool: !pool {staticCpu: true}, flux: {container: {disable: true}}, containers: [!broker {resources: {limits: {cpu: "8", memory: 8Gi}}}]}
{pool: !pool {nodes: 1}, network: {affinity: none}}
gang: {native: {minCount: 1}}
{gang: {queueName: hpc}, cleanup: true}
{flux: {container: {disable: true}}, containers: [!broker {}, !side {ports: [80], serviceName: side}]}
`);

describe("the scaling promise", () => {
  for (const { title: name, given } of shapes) {
    const shape = valueIn(given) as Partial<MiniClusterArgs>;

    it(`changes only the counts when the size of a cluster with ${name} changes`, async () => {
      const before = await sentManifests({ ...shape, size: 4, maxSize: 16 });
      const after = await sentManifests({ ...shape, size: 9, maxSize: 16 });
      assert.deepEqual(changedPaths(before, after), [
        "configMap.data.size",
        "configScale.data.size",
        "job.spec.completions",
        "job.spec.parallelism",
        "jobScale.spec.completions",
        "jobScale.spec.parallelism",
      ]);
    });

    it(`writes the same bytes for 3 and for 99999 hosts of a cluster with ${name}, but for digits`, () => {
      const bytes = (maxSize: number) => {
        const { data } = manifestsOf({ ...shape, size: 1, maxSize }).configMap;
        // Where the lead broker has an address of its own, the list of the others begins with 1.
        return JSON.stringify(data).replace(new RegExp(`-\\[([01])-${maxSize - 1}\\]`, "g"), "-[$1-…]");
      };
      assert.equal(bytes(99_999), bytes(3));
    });
  }

  it("changes the template with maxSize, because every broker has to know the new hosts", async () => {
    const before = await sentManifests({ size: 4, maxSize: 16 });
    const after = await sentManifests({ size: 4, maxSize: 17 });
    assert.deepEqual(changedPaths(before, after).sort(), [
      'configMap.data["broker.sh"]',
      'configMap.data["broker.toml"]',
      'configScale.metadata.annotations["minicluster/template-hash"]',
      'job.spec.template.metadata.annotations["minicluster/config-hash"]',
      'jobScale.metadata.annotations["minicluster/template-hash"]',
    ]);
  });
});
