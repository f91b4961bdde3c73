import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { MiniClusterArgs } from "../../../provider";
import { imageNames } from "../../sandbox/real";
import { saidBy } from "../../support/clusters";
import { realContainer, withRealCluster } from "../clusters";

/** A program for an architecture on which no test runs: an ELF header of 64 bits with the machine SPARC V9. */
const foreign = Buffer.alloc(64);
foreign.write("7f454c460201010000000000000000000200", "hex");
foreign.writeUInt16LE(43, 18);

describe("a cluster whose containers cannot start", () => {
  let directory: string;
  before(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-foreign-"));
    fs.writeFileSync(path.join(directory, "bash"), foreign, { mode: 0o755 });
  });
  after(() => fs.rmSync(directory, { recursive: true }));

  const failing = (args: Partial<MiniClusterArgs>) =>
    withRealCluster({ backoffLimit: 0, ...args }, async ({ stack }) => {
      said = await saidBy(stack.up());
    });
  let said: string;

  it("says that its image has no bash", async () => {
    await failing({ containers: [realContainer({ image: imageNames.pause })] });
    assert.match(
      said,
      /container demo ended with status 128 \(StartError\): the image has no bash, .*; use an image with bash/,
    );
  });

  it("says that its image is for another architecture", async () => {
    const volumes = { bash: { path: "/usr/bin/bash", hostPath: path.join(directory, "bash") } };
    await failing({ containers: [realContainer({ volumes })] });
    assert.match(
      said,
      /container demo ended .*: the image is for another architecture than the node; use an image for /,
    );
  });

  it("names network.affinity where each pod waits for a separate node", async () => {
    await failing({ size: 12, waitTimeoutSeconds: 20 });
    assert.match(said, /Unschedulable: .*each pod needs a separate node; add nodes, or set network.affinity to "none"/);
  });
});
