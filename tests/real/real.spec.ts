import { readdirSync } from "node:fs";
import * as path from "node:path";

import { realNodesObstacle } from "../sandbox/real";
import { startLab, stopLab } from "./lab";
import { beginRows, rowsEnded } from "./rows";

// One file for mocha, and so one worker: all parts share one set of nodes.
describe("on real nodes", function () {
  this.timeout(600_000);
  // If the tests cannot run, the reason is shown.
  const obstacle = realNodesObstacle();
  if (obstacle) return void it.skip(obstacle);

  before(function () {
    this.timeout(1_800_000);
    return startLab({ spares: 2 }).then(beginRows);
  });
  after(() => rowsEnded().finally(stopLab));

  const parts = path.join(__dirname, "parts");
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  for (const part of readdirSync(parts).sort()) require(path.join(parts, part));
});
