import type * as Toml from "smol-toml" with { "resolution-mode": "import" };

/** The reader and writer of TOML, loaded on demand. */
export function toml(): typeof Toml {
  // The package has a CommonJS build, but types only for ES modules: an import would not compile here.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require("smol-toml") as typeof Toml;
}
