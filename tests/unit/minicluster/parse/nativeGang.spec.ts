import * as assert from "node:assert/strict";
import { parseMiniClusterArgs } from "../../../../provider/minicluster/parse";
import type { MiniClusterArgs } from "../../../../provider";
import { itJudges } from "../../../support/cases";
import { aMiniClusterArgs } from "../../../support/fixtures";

describe("the rules of a gang of Kubernetes itself", () => {
  itJudges(String.raw`
gang: {native: true}
  gang.native: is a boolean; must be an object with properties
gang: {native: {minCount: 0, version: v1}}
  gang.native.minCount: 0 must be an integer from 1 to 100000
  gang.native.version: must be one of "v1beta1", "v1alpha2"
{size: 2, maxSize: 8, gang: {native: {minCount: 3}}}
  gang.native.minCount: minCount 3 is above size 2, with which no pod would ever be placed; lower minCount or raise size
{interactive: true, autoscale: {min: 2, max: 8}, gang: {native: {minCount: 3}}}
  gang.native.minCount: minCount 3 is above autoscale.min 2, with which no pod would ever be placed; lower minCount or raise autoscale.min
gang: {native: {}, queueName: hpc}
  gang.native: Kueue admits the pods all together by itself; keep queueName or native
{gang: {native: {}, schedulerName: fluence}}
  gang.native: is for Kubernetes' own scheduler; keep schedulerName or native
{gang: {native: {}}, pod: {schedulerName: volcano}, podTemplate: {spec: {schedulerName: volcano, schedulingGroup: {podGroupName: mine}}}}
  pod.schedulerName: another scheduler may know no gang.native; keep one of them
  podTemplate.spec.schedulerName: another scheduler may know no gang.native; keep one of them
  podTemplate.spec.schedulingGroup: is the PodGroup of gang.native; keep one of them
{gang: {native: {version: v1alpha2}}, size: 2, maxSize: 4}
  gang.native.version: the API server of Kubernetes 1.36 refuses another number of pods of a gang; set resize to "manifest", and each resize replaces the Job, or use "v1beta1"
{gang: {native: {version: v1alpha2}}, interactive: true, autoscale: {max: 4}}
  gang.native.version: the API server of Kubernetes 1.36 refuses another number of pods of a gang, which autoscale sets; use "v1beta1", or remove autoscale
# as many as there are, fewer, and as many as the least
{size: 4, gang: {native: {minCount: 4}}}
{size: 4, maxSize: 8, gang: {native: {minCount: 2, version: v1beta1}}}
{interactive: true, autoscale: {min: 2, max: 8}, gang: {native: {minCount: 2}}}
# a Job that each resize replaces
{gang: {native: {version: v1alpha2}}, resize: manifest, size: 2, maxSize: 4}
`);

  it("needs as many pods as the instance waits for, unless told otherwise", () => {
    const least = (args: Partial<MiniClusterArgs>) =>
      parseMiniClusterArgs("demo", aMiniClusterArgs({ gang: { native: {} }, ...args })).podGroup?.minCount;
    const size = { size: 4, maxSize: 8 };
    assert.deepEqual(
      [
        size,
        { ...size, minSize: 3 },
        { ...size, minSize: 3, gang: { native: { minCount: 2 } } },
        { interactive: true, autoscale: { min: 2, max: 8 } },
        { ...size, gang: {} },
      ].map(least),
      [4, 3, 2, 2, undefined],
    );
  });
});
