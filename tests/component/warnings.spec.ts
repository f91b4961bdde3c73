import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf, withWarnings } from "../support/mocks";

const endless =
  "cleanup has no effect until the Job ends, and without a command it ends only by a shutdown; remove cleanup";
const lost = "archive.path /a.tgz is not on a persistent volume, so the state is lost with the pods; mount a volume";

for (const preview of [false, true])
  it(`the warnings of a cluster are logged one by one, once${preview ? ", in a preview too" : ""}`, () =>
    withWarnings(async (warnings) => {
      await mockEngine({ preview });
      const args = aMiniClusterArgs({ cleanup: true, interactive: true, archive: { path: "/a.tgz" } });
      const cluster = new MiniCluster("demo", args);
      await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
      assert.deepEqual(
        warnings(),
        [lost, endless].map((text) => `warning: [runtime] ${text}`),
      );
    }));

for (const [ignoreChanges, remedy] of [
  [["size"], "use autoscale, with which the queue determines the size and updates keep it"],
  [["tasks", "flux"], "leave the argument unchanged instead"],
] as const)
  it(`a MiniCluster says that ignoreChanges of ${ignoreChanges.join(" and ")} has no effect`, () =>
    withWarnings(async (warnings) => {
      await mockEngine();
      const cluster = new MiniCluster("demo", aMiniClusterArgs(), { ignoreChanges: [...ignoreChanges] });
      await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
      const names = ignoreChanges.map((name) => JSON.stringify(name)).join(", ");
      const message = `ignoreChanges has no effect on a component, so a change of ${names} is applied; ${remedy}`;
      assert.deepEqual(warnings(), [`warning: [runtime] ${message}`]);
    }));
