import type * as Unbash from "unbash" with { "resolution-mode": "import" };
import { userError } from "./errors";

/** The parser of bash, loaded on demand. */
export function bash(): typeof Unbash {
  try {
    // The package is an ES module, with types only for ES modules: an import would not compile here.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require("unbash") as typeof Unbash;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_REQUIRE_ESM") throw error;
    throw userError(`minicluster needs Node.js 20.19, 22.12 or newer; this is ${process.version}`);
  }
}
