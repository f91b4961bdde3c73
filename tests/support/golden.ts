import * as assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as YAML from "yaml";

const directory = join(__dirname, "..", "golden");

/** Compares data with a reviewed YAML file in tests/golden. With UPDATE_GOLDEN=1 the file is written instead. */
export function matchGolden(file: string, data: unknown): void {
  const path = join(directory, file);
  const actual = toYaml(data);
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(path, actual);
  assert.ok(existsSync(path), `${file} does not exist; write it with UPDATE_GOLDEN=1 and review it`);
  assert.equal(
    actual,
    readFileSync(path, "utf8"),
    `differs from tests/golden/${file}; if that is meant, rewrite it with UPDATE_GOLDEN=1 and review the difference`,
  );
}

/** YAML that people can read: no folded lines, no references, scripts as block scalars. */
export function toYaml(data: unknown): string {
  return YAML.stringify(data, { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: "literal" });
}
