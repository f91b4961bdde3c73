import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

// Turns of phrase that a reader has to translate back, and what to write. The subject of a sentence is the thing, and its verb the
// technical one, as in the documentation of Kubernetes and Pulumi.
const words: [phrase: string, instead: string][] = [
  ["(tells?|told)", "reports, sends, passes, shows"],
  ["knows", "has, finds, supports, lists"],
  ["asks", "reads, requests, queries"],
  ["(nobody|whoever)", "the thing or the role itself"],
  ["of (its|their|his) own", "another, separate, custom, or nothing"],
  ["anew", "again; is replaced"],
  [', too(?=[.,;:)`"]|$)', "also, before the verb"],
  ["goe?s? by", "is scaled by, follows, uses"],
  ["as far as", "where, if, those that"],
  ["sees? to", "ensures"],
  ["(has|have) to be there", "must exist"],
  ["comes? and goe?s?", "is created and deleted"],
  ["(his|takes no|without a) word", "takes precedence; rejects; by default"],
  ["is no whole number", "must be an integer"],
  ["stands? (here|in|for)", "is listed here, is in, replaces"],
  ["(is|are) asked for", "is requested"],
  ["whatever", "any, regardless of"],
];

const patterns = words.map(([phrase, instead]) => {
  // A sentence may go on in the next line of a comment.
  const source = phrase.replaceAll(" ", String.raw`(?:\s+(?:[*#>]+\s+|//\s+)?)`);
  return { pattern: new RegExp(phrase.startsWith(",") ? source : String.raw`\b${source}\b`, "gim"), instead };
});

/** Files whose comments, texts and sentences are checked. */
const checked =
  /^((provider|sdk\/generator|tests)\/.*\.(tsx?|py|sh|go)|templates\/.*|(docs|examples|\.github)\/.*\.md|[A-Z]+\.md)$/;

/** Files that are generated, and the phrases themselves. */
const passedOver = /^(docs\/(reference|conformance)|sdk\/generator\/words\.ts|tests\/unit\/sdk\/words\.spec\.ts)/;

/** Every phrase of the list in a text: its line, and what to write. */
export function wordsIn(text: string): { line: number; phrase: string; instead: string }[] {
  return patterns
    .flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map(({ index, 0: phrase }) => ({
        line: text.slice(0, index).split("\n").length,
        phrase: phrase.replace(/\s+(?:[*#>]+\s+|\/\/\s+)?/g, " "),
        instead,
      })),
    )
    .sort((one, other) => one.line - other.line);
}

if (require.main === module) {
  const root = path.resolve(__dirname, "../..");
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const lines = files
    .filter((file) => checked.test(file) && !passedOver.test(file) && fs.existsSync(path.join(root, file)))
    .flatMap((file) =>
      wordsIn(fs.readFileSync(path.join(root, file), "utf8")).map(
        ({ line, phrase, instead }) => `${file}:${line}: "${phrase}"; write: ${instead}`,
      ),
    );
  for (const line of lines) console.log(line);
  if (lines.length > 0) process.exitCode = 1;
}
