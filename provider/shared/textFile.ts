import * as fs from "node:fs";
import * as path from "node:path";

/**
 * Text of a file beside a module. `provider/bundle.mjs` copies these files for the npm package. In the executable,
 * which is one file, it replaces each call by the text: the call must have the form `textFile(__dirname, "name")`, with
 * a literal name.
 */
export const textFile = (directory: string, name: string) => fs.readFileSync(path.join(directory, name), "utf8");
