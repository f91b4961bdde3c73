import * as fs from "node:fs";
import * as path from "node:path";

/** The folder `provider`, of the sources or of the npm package. */
const provider = path.join(__dirname, "..");

/** The folder of built files: `bin/provider` beside the sources, and in the npm package the folder itself. */
const built = path.join(provider, "../bin/provider");

/**
 * Text of a file below `provider` that is not TypeScript. In the executable of the plugin, which is one file, `provider/bundle.mjs`
 * replaces this module with the texts; it copies their files for the npm package.
 */
export const sourceText = (name: string): string => fs.readFileSync(path.join(provider, name), "utf8");

/** Text of a file that `npm run prepare` builds, or undefined in a tree that is not built. */
export function builtText(name: string): string | undefined {
  const file = [path.join(provider, name), path.join(built, name)].find((each) => fs.existsSync(each));
  return file === undefined ? undefined : fs.readFileSync(file, "utf8");
}
