import * as assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { commandWords, userCommand } from "../../../provider/core/flux/commands";
import { execWords, isPlain, quoteWord, splitWords } from "../../../provider/shared/quote";
import { aContainer, aMiniCluster } from "../../support/fixtures";
import { findProgram } from "../../support/scripts/root";

const nasty = [
  "", " ", "a b", "'", "''", "it's", '"', "\\", "\\\\", "\\'", "$HOME", "${HOME}", "$(id)", "`id`", "!!", "#", "a#b",
  "~", "~root", "*", "?", "[a-z]", "{a,b}", "-n", "--", "a;b", "a&b", "a|b", "<a>", "(a)", "a=b", "A=~", "%s", "a\tb",
  "\n", "a\nb\n", "\r\n", "it's\n$HOME\\n", "\\\n", "$'x'", "é漢🚀", "a\u00a0b", "\u2028", "\u0001\u001b[0m\u007f", "\t",
  "\\x41\n", "'\n'",
]; // prettier-ignore

/** Lists of texts of the characters that quoting is about, and of others. */
const textLists = fc.array(
  fc.oneof(
    fc.constantFrom(...nasty),
    fc.string({ unit: fc.constantFrom(..."ab \t\n\r'\"\\$`!#~*?[]{}()<>;&|=%-é漢🚀\u0001"), maxLength: 12 }),
    fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
  ),
  { size: "+1" },
);

/** Holds for many lists of texts, of which the smallest that fails is shown. Bash is started once for each list. */
const forTexts = (check: (texts: string[]) => void) =>
  fc.assert(fc.property(textLists, check), { examples: [[nasty]], ...repeatable });

// The seed is fixed, so that a failure comes again.
const repeatable = { numRuns: 30, seed: 20_260_101 };

/** The words that bash makes of a script that prints the ones it was given. */
function wordsOfBash(script: string): string[] {
  const run = spawnSync(findProgram("bash"), { input: script, encoding: "utf8", env: { HOME: "/home/user" } });
  assert.equal(run.stderr, "");
  return run.stdout.split("\0").slice(0, -1);
}

/** A script that prints the words of a text as bash takes them. Without arguments printf would print an empty word. */
const printing = (words: string) => `set -- ${words}\n[ $# = 0 ] || printf '%s\\0' "$@"\n`;

describe("quoteWord", () => {
  it("is one word for bash and one element of an array, of exactly the text, on one line", () =>
    forTexts((texts) => {
      const words = texts.map(quoteWord);
      assert.deepEqual(wordsOfBash(printing(words.join(" "))), texts);
      assert.deepEqual(wordsOfBash(`all=(\n${words.join("\n")}\n)\n${printing('"${all[@]}"')}`), texts);
      assert.ok(words.every((word) => !/[\n\r]/.test(word)));
    }));
});

describe("splitWords", () => {
  it("joins lines after a backslash, and makes nothing of what is not closed", () => {
    assert.deepEqual(splitWords("-c 4 \\\n  -o x \\\n"), ["-c", "4", "-o", "x"]);
    for (const text of ["'open", "it's", '"open', "ends with \\"]) assert.equal(splitWords(text), undefined, text);
  });

  it("agrees with bash wherever nothing is to be expanded", () => {
    const plain = fc.string({ unit: fc.constantFrom(..."ab \t'\"\\=%é漢🚀-"), maxLength: 12 });
    const whole = fc.array(plain.filter((text) => splitWords(text) !== undefined && !/\\$/.test(text)));
    fc.assert(
      fc.property(whole, (texts) => {
        const script = texts.map((text) => `printf '%s\\0' start ${text}`).join("\n");
        const words = texts.flatMap((text) => ["start", ...(splitWords(text) ?? [])]);
        assert.deepEqual(wordsOfBash(script), words);
      }),
      repeatable,
    );
  });

  it("gives back the words that were quoted", () =>
    forTexts((texts) => {
      const words = texts.filter((word) => !/[\n\r]/.test(word));
      assert.deepEqual(splitWords(words.map(quoteWord).join(" ")), words);
    }));
});

const main = (command: string) => aMiniCluster({ containers: [aContainer({ command })] }).main;

describe("command words", () => {
  const plain: [command: string, words: string[]][] = [
    ["  ./run.sh\t--a=b,c  ", ["./run.sh", "--a=b,c"]],
    ["python3 -m app user@host:80 50%", ["python3", "-m", "app", "user@host:80", "50%"]],
    ["echo hi\n", ["echo", "hi"]],
    ["env A=1 prog", ["env", "A=1", "prog"]],
    [" \n", []],
  ];
  for (const [command, words] of plain)
    it(`are the words themselves of ${JSON.stringify(command)}`, () => {
      assert.deepEqual([commandWords(main(command)), userCommand(main(command))], [words, undefined]);
      assert.deepEqual(execWords(command), words);
    });

  const shell = [
    "a | b", "a && b", "a; b", "a &", "a > b", "echo $HOME", "echo `id`", "echo 'a'", 'echo "a"', "a\nb", "a \\\nb",
    "ls *.c", "ls ?", "ls [a]", "ls {a,b}", "ls ~", "a # b", "! a", "(a)", "A=1 prog", "=x", "cd /tmp",
    ". ./env", "source env",     "[[ -f x ]]", "a\u00a0b", "a\rb", "a\fb", "é",
  ]; // prettier-ignore
  for (const command of shell)
    it(`are a script's for ${JSON.stringify(command)}`, () => {
      assert.deepEqual(commandWords(main(command)), ["bash", "/etc/minicluster/config/demo.command.sh"]);
      assert.equal(userCommand(main(command)), command);
      assert.deepEqual(execWords(command), ["bash", "-c", command]);
    });

  it("are a script's for every word that bash has and no program is called by", () => {
    const words = execFileSync(findProgram("bash"), ["-c", "compgen -bk"], { encoding: "utf8" }).trim().split("\n");
    const plain = words.filter((word) => isPlain(`${word} x`));
    assert.equal([...new Set(plain)].sort().join(), "echo,false,kill,printf,pwd,test,true");
  });
});
