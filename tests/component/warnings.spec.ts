import * as assert from "node:assert/strict";
import { mock } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf } from "../support/mocks";

const endless = "cleanup waits for the end of the Job, and a cluster without a command ends when it is shut down";
const lost = "archive.path /a.tgz is on no volume that outlives the pods, so the state is lost with them; mount one";

for (const preview of [false, true])
  it(`the warnings of a cluster are said one by one, once${preview ? ", in a preview too" : ""}`, async () => {
    const said = mock.method(console, "warn", () => undefined);
    try {
      await mockEngine({ preview });
      const args = aMiniClusterArgs({ cleanup: true, interactive: true, archive: { path: "/a.tgz" } });
      const cluster = new MiniCluster("demo", args);
      await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
      const texts = said.mock.calls.map((call) => String((call.arguments as unknown[])[0]));
      assert.deepEqual(
        texts,
        [lost, endless].map((text) => `warning: [runtime] ${text}`),
      );
    } finally {
      said.mock.restore();
    }
  });
