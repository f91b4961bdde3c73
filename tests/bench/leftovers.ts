import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { startJanitor } from "../sandbox/controlPlane/processes";

/** Creates one directory for all temporary files, which is removed however this process ends, even by SIGKILL. */
export function keepTemporaryFilesTogether(): { clean(): Promise<void> } {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-bench-"));
  process.env.TMPDIR = directory;
  return startJanitor({ directory });
}
