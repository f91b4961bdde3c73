import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf, withWarnings } from "../support/mocks";

const endless = "cleanup waits for the end of the Job, and a cluster without a command ends when it is shut down";
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
