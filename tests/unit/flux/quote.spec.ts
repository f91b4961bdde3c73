import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { quoteToml, quoteWord, splitWords } from "../../../provider/minicluster/flux/quote";
import { findProgram } from "../../support/scripts/root";
import { parseToml } from "../../support/scripts/toml";

const nasty = [
  "", " ", "a b", "'", "''", "it's", '"', "\\", "\\\\", "\\'", "$HOME", "${HOME}", "$(id)", "`id`", "!!", "#", "a#b", "~",
  "~root", "*", "?", "[a-z]", "{a,b}", "-n", "--", "a;b", "a&b", "a|b", "<a>", "(a)", "a=b", "A=~", "%s", "a\tb", "\n",
  "a\nb\n", "\r\n", "it's\n$HOME\\n", "\\\n", "$'x'", "é漢🚀", "a\u00a0b", "\u2028", "\u0001\u001b[0m\u007f", "\t", "\\x41\n", "'\n'",
]; // prettier-ignore

/** Random text of the characters that quoting is about. The seed is fixed, so a failure comes again. */
function randomTexts(count: number): string[] {
  const alphabet = [..."ab \t\n\r'\"\\$`!#~*?[]{}()<>;&|=%-é漢🚀\u0001"];
  let state = 20_260_101;
  const next = (below: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 65_521) % below;
  return Array.from({ length: count }, () =>
    Array.from({ length: next(12) }, () => alphabet[next(alphabet.length)]).join(""),
  );
}

/** The words that bash makes of a script that prints the ones it was given. */
function wordsOfBash(script: string): string[] {
  const run = spawnSync(findProgram("bash"), { input: script, encoding: "utf8", env: { HOME: "/home/user" } });
  assert.equal(run.stderr, "");
  return run.stdout.split("\0").slice(0, -1);
}

describe("quoteWord", () => {
  const texts = [...nasty, ...randomTexts(500)];

  it("is one word for bash, of exactly the text", () => {
    assert.deepEqual(wordsOfBash(`printf '%s\\0' ${texts.map(quoteWord).join(" ")}\n`), texts);
  });

  it("is one element of an array", () => {
    assert.deepEqual(wordsOfBash(`all=(\n${texts.map(quoteWord).join("\n")}\n)\nprintf '%s\\0' "\${all[@]}"\n`), texts);
  });

  it("is one line", () => {
    assert.deepEqual(
      texts.filter((text) => /[\n\r]/.test(quoteWord(text))),
      [],
    );
  });

  it("leaves plain words plain", () => {
    for (const word of ["lmp", "-n", "--x=1,2", "a/b.c", "A=b", "user@host:1", "50%"])
      assert.equal(quoteWord(word), word);
  });
});

describe("splitWords", () => {
  const cases: [text: string, words: string[] | undefined][] = [
    ["", []],
    [" \t\n ", []],
    ["a", ["a"]],
    ["  -c 4\t-o x\n--flag ", ["-c", "4", "-o", "x", "--flag"]],
    ["'a b' \"c d\"", ["a b", "c d"]],
    ["a'b c'\"d e\"f", ["ab cd ef"]],
    ["'' \"\"", ["", ""]],
    ["a\\ b \\' \\\" \\\\", ["a b", "'", '"', "\\"]],
    [`"it's" 'a "b"'`, ["it's", 'a "b"']],
    [`"\\" \\$ \\\` \\\\ \\n"`, ['" $ ` \\ \\n']],
    ["'\\n'", ["\\n"]],
    ["$HOME `id` $(id) *", ["$HOME", "`id`", "$(id)", "*"]],
    ['"two\nlines"', ["two\nlines"]],
    ["-c 4 \\\n  -o x \\\n", ["-c", "4", "-o", "x"]],
    ['a\\\nb "c\\\nd"', ["ab", "cd"]],
    ["\\\n", []],
    ["é 漢字", ["é", "漢字"]],
    ["a#b", ["a#b"]],
    ["'open", undefined],
    ['"open', undefined],
    ["a 'b' \"c", undefined],
    ["it's", undefined],
    ["ends with \\", undefined],
  ];
  for (const [text, words] of cases)
    it(`makes ${words ? JSON.stringify(words) : "nothing"} of ${JSON.stringify(text)}`, () => {
      assert.deepEqual(splitWords(text), words);
    });

  it("agrees with bash wherever nothing is to be expanded", () => {
    const texts = randomTexts(1500).filter((text) => /^[ab \t'"\\=%é漢🚀-]*$/u.test(text) && splitWords(text));
    assert.ok(texts.length > 50);
    const script = texts.map((text) => `printf '%s\\0' start ${text}`).join("\n");
    assert.deepEqual(
      wordsOfBash(script),
      texts.flatMap((text) => ["start", ...splitWords(text)!]),
    );
  });

  it("gives back the words that were quoted", () => {
    const words = nasty.filter((word) => !/[\n\r]/.test(word));
    assert.deepEqual(splitWords(words.map(quoteWord).join(" ")), words);
  });

  it("takes time in proportion to the text", () => {
    assert.equal(splitWords("a".repeat(100_000) + "'"), undefined);
    assert.equal(splitWords('"'.repeat(100_001)), undefined);
    assert.equal(splitWords("a ".repeat(50_000))?.length, 50_000);
  });
});

describe("quoteToml", () => {
  it("is read back as exactly the text", async () => {
    const texts = [...nasty, ...randomTexts(300)];
    const toml = texts.map((text, index) => `k${index} = ${quoteToml(text)}\n`).join("");
    assert.deepEqual(await parseToml(toml), Object.fromEntries(texts.map((text, index) => [`k${index}`, text])));
  });

  it("is one line", () => {
    assert.ok(nasty.every((text) => !/[\n\r]/.test(quoteToml(text))));
  });
});
