import { quoteWord } from "../../shared/quote";
import type { Settings } from "../parse/spec";

/** A file that defines settings, for a script to include. Its values are data: none of their text runs as code. */
export function renderSettings(settings: Settings): string {
  const lines = Object.entries(settings).map(([name, value]) => `MINICLUSTER_${name}=${settingWord(value)}\n`);
  return `# Settings of the scripts.\n${lines.join("")}`;
}

function settingWord(value: Settings[string]): string {
  if (Array.isArray(value)) return `(${value.map(quoteWord).join(" ")})`;
  if (typeof value === "boolean") return value ? "yes" : "";
  return value === "" ? "" : quoteWord(String(value));
}

/** A file that exports the variables of `flux.environment`. */
export const renderEnvironment = (environment: Record<string, string>) =>
  Object.entries(environment)
    .map(([name, value]) => `export ${name}=${quoteWord(value)}\n`)
    .join("");
