import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { writeLauncher } from "./launcher";

const root = path.resolve(__dirname, "../..");

/** A directory with the package's provider plugin as an executable. */
export function pluginDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-plugin-"));
  // As it is installed: compiled, by the step that precedes the tests.
  const command = [path.join(root, "bin/pulumi-resource-minicluster")];
  writeLauncher(directory, "pulumi-resource-minicluster", command);
  return directory;
}
