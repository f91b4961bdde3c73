import type * as Toml from "smol-toml" with { "resolution-mode": "import" };
import { z } from "zod";
import { properties, text } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import { reservedDirectories } from "../paths";
import { isWithin } from "./volume";

/** A whole broker configuration, and the paths that it has for its files. */
export const brokerConfig = text.transform((toml, context) => {
  const { parse, TomlError } = parser();
  try {
    const { bootstrap, resource } = parse(toml);
    const certificate = pathIn(bootstrap, "curve_cert");
    if (reservedDirectories.some((directory) => isWithin(certificate, directory)))
      context.addIssue({
        code: "custom",
        message: `${certificate} is on a read-only mount; choose another curve_cert`,
      });
    return { toml, certificate, resources: pathIn(resource, "path"), hosts: hostsIn(bootstrap) };
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

/** Every host of the configuration, in rank order, as a Flux hostlist. */
function hostsIn(bootstrap: unknown): string | undefined {
  const { hosts } = properties(bootstrap as { hosts?: unknown } | undefined);
  if (!Array.isArray(hosts)) return undefined;
  const names = hosts.map((entry: unknown) => properties(entry as { host?: unknown }).host);
  return names.length > 0 && names.every((name) => typeof name === "string") ? names.join(",") : undefined;
}

function pathIn(table: unknown, key: string): string | undefined {
  const value = isPlainObject(table) ? table[key] : undefined;
  return typeof value === "string" && value.startsWith("/") ? value : undefined;
}
