import * as assert from "node:assert/strict";
import { mock } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, type MiniClusterArgs } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf } from "../support/mocks";

/** What is said while a cluster is made. */
async function warningsOf(args: Partial<MiniClusterArgs>, preview = false): Promise<string[]> {
  const said = mock.method(console, "warn", () => undefined);
  try {
    await mockEngine({ preview });
    const cluster = new MiniCluster("demo", aMiniClusterArgs(args));
    await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
    return said.mock.calls.map((call) => String((call.arguments as unknown[])[0]));
  } finally {
    said.mock.restore();
  }
}

const endless = "cleanup waits for the end of the Job, and a cluster without a command ends when it is shut down";
const lost = "archive.path /a.tgz is on no volume that outlives the pods, so the state is lost with them; mount one";

describe("the warnings of a cluster", function () {
  this.timeout(20_000);

  for (const preview of [false, true]) {
    it(`are none where there is nothing to say${preview ? ", in a preview neither" : ""}`, async () =>
      assert.deepEqual(await warningsOf({}, preview), []));

    it(`are said one by one, once${preview ? ", in a preview too" : ""}`, async () => {
      const args = { cleanup: true, interactive: true, archive: { path: "/a.tgz" } };
      assert.deepEqual(
        await warningsOf(args, preview),
        [lost, endless].map((text) => `warning: [runtime] ${text}`),
      );
    });
  }
});
