import * as assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as YAML from "yaml";
import { scripts } from "../../provider/core/flux/scripts";
import { queueScripts } from "../../provider/forecast/flux/scripts";
import { archiveScripts, storageScripts } from "../../provider/storage/flux/scripts";
import { isMap } from "./differences";

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

/** The data of a golden file. */
export const readGolden = (file: string): unknown => YAML.parse(readFileSync(join(directory, file), "utf8"));

/** Columns of a golden file, if no text needs more. */
const width = 120;

/** Readable YAML: short values on one line, and texts of several lines as block scalars. */
export function toYaml(data: unknown): string {
  const document = new YAML.Document(data, { aliasDuplicateObjects: false });
  compact(document.contents, 0);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, blockQuote: "literal" });
}

function compact(node: unknown, indent: number, key = ""): void {
  if (!YAML.isCollection(node)) return;
  const line = YAML.stringify(node, {
    lineWidth: 0,
    collectionStyle: "flow",
    flowCollectionPadding: false,
  }).trim();
  node.flow = !line.includes("\n") && indent + key.length + line.length < width;
  if (node.flow) return;
  for (const item of node.items)
    if (YAML.isPair(item)) compact(item.value, indent + 2, YAML.isScalar(item.key) ? String(item.key.value) : "");
    else compact(item, indent + 2);
}

/** Files of the pods that are the same for every cluster, by their texts. */
const fixedTexts = new Map(
  Object.entries({ ...scripts, ...storageScripts, ...queueScripts, ...archiveScripts }).map(([name, text]) => [
    text,
    name,
  ]),
);

/** A value without the files of every cluster, hashes and values known only later. */
export function withoutTexts(value: unknown): unknown {
  if (typeof value === "string") return withoutText(value);
  if (pulumi.Output.isInstance(value)) return "(known later)";
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutTexts(item)]));
}

function withoutText(text: string): string {
  const name = fixedTexts.get(text);
  if (name !== undefined) return `(the file ${name})`;
  if (/^[0-9a-f]{16}$/.test(text)) return "(hash)";
  return text.replace(/ sha256:[0-9a-f]{12}$/, " sha256:(hash)");
}
