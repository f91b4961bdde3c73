import type * as Toml from "smol-toml" with { "resolution-mode": "import" };
import { z } from "zod";
import { text } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";

/** A whole broker configuration, and where it wants its files. */
export const brokerConfig = text.transform((toml, context) => {
  const { parse, TomlError } = parser();
  try {
    const { bootstrap, resource } = parse(toml);
    return { toml, certificate: pathIn(bootstrap, "curve_cert"), resources: pathIn(resource, "path") };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ""] = error.message.split("\n");
    context.addIssue({ code: "custom", message: `line ${error.line}, column ${error.column}: ${message}` });
    return z.NEVER;
  }
});

/** The parser, loaded when it is needed: few clusters bring a configuration. */
function parser(): typeof Toml {
  // The package has a CommonJS build, and types for ES modules alone: an import would not compile here.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require("smol-toml") as typeof Toml;
}

function pathIn(table: unknown, key: string): string | undefined {
  const value = isPlainObject(table) ? table[key] : undefined;
  return typeof value === "string" && value.startsWith("/") ? value : undefined;
}
