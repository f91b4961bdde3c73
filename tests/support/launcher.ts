import * as fs from "node:fs";
import * as path from "node:path";

/** Puts an executable into a directory that runs a command with whatever arguments it is given. */
export function writeLauncher(directory: string, name: string, command: string[]): void {
  const script = `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`;
  fs.writeFileSync(path.join(directory, name), script, { mode: 0o755 });
}
