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

/** Phrases that are refused in the sources of the package and on pages, but not in tests. */
const wordsOfSources: [phrase: string, instead: string][] = [
  ["the other one", "the noun"],
  ["(is|are) to have", "has, must have"],
  ["unless said", "Default: …"],
  ["in vain", "without a result; never ends"],
  ["gives? none", "returns undefined, returns no …"],
  ["in a preview too", "also in a preview"],
  ["look-ups?", "lookup"],
  ["(may|might) well", "may"],
  ["takes? away", "removes"],
  ["the way (there|to)", "the connection, the endpoint, the path"],
  ["(is|are) yours to", "you set"],
];

// A sentence may go on in the next line of a comment.
const gap = String.raw`(?:\s+(?:[*#>]+\s+|//\s+)?)`;

const patternsOf = (list: typeof words) =>
  list.map(([phrase, instead]) => {
    const source = phrase.replaceAll(" ", gap);
    return { pattern: new RegExp(phrase.startsWith(",") ? source : String.raw`\b${source}\b`, "gim"), instead };
  });

const patterns = patternsOf(words);
const patternsOfSources = patternsOf(wordsOfSources);

const isSource = (file: string) => !file.startsWith("tests/");

/**
 * Maximum number of "that of" and "those of" in `provider` and `docs`, generated pages included. A reader has to look back for the noun,
 * so it is named again, unless the noun directly precedes them.
 */
export const mostBackReferences = 39;

const backReference = new RegExp(String.raw`\b(that|those)${gap}of\b`, "gi");

/** Number of "that of" and "those of" in a text. */
export const backReferencesIn = (text: string): number => [...text.matchAll(backReference)].length;

/** Number of "that of" and "those of" in the files of `provider` and `docs`. */
export function countBackReferences(): number {
  const counted = filesOf().filter((file) => /^(provider|docs)\/.*\.(md|mjs|json|tsx?|py|sh)$/.test(file));
  return counted.reduce((sum, file) => sum + backReferencesIn(fs.readFileSync(path.join(root, file), "utf8")), 0);
}

/** Files whose comments, texts and sentences are checked. */
const checked =
  /^((provider|sdk\/generator|tests)\/.*\.(tsx?|py|sh|go)|templates\/.*|(docs|examples|\.github)\/.*\.md|[A-Z]+\.md)$/;

/** Files that are generated, and the phrases themselves. */
const passedOver = /^(docs\/(reference|conformance)|sdk\/generator\/words\.ts|tests\/unit\/sdk\/words\.spec\.ts)/;

const root = path.resolve(__dirname, "../..");

/** Paths of the files in the repository that exist. */
const filesOf = (): string[] =>
  execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && fs.existsSync(path.join(root, file)));

/** Every listed phrase in the text of a file: its line, and what to write. */
export function wordsIn(text: string, file = ""): { line: number; phrase: string; instead: string }[] {
  return [...patterns, ...(isSource(file) ? patternsOfSources : [])]
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
  const lines = filesOf()
    .filter((file) => checked.test(file) && !passedOver.test(file))
    .flatMap((file) =>
      wordsIn(fs.readFileSync(path.join(root, file), "utf8"), file).map(
        ({ line, phrase, instead }) => `${file}:${line}: "${phrase}"; write: ${instead}`,
      ),
    );
  const count = countBackReferences();
  if (count > mostBackReferences)
    lines.push(
      `"that of" and "those of": ${count} in provider and docs, at most ${mostBackReferences}; name the noun again`,
    );
  for (const line of lines) console.log(line);
  if (lines.length > 0) process.exitCode = 1;
}
