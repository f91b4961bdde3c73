import * as fs from "node:fs";
import * as path from "node:path";

/**
 * Text of a file beside a module. `provider/bundle.mjs` copies these files for the npm package, and in the executable, which is one
 * file, it replaces each call with the text: write it as `textFile(__dirname, "name")`, with the name as a literal.
 */
export const textFile = (directory: string, name: string) => fs.readFileSync(path.join(directory, name), "utf8");
