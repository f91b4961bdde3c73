import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { unfinishedShell } from "../../../provider/shared/shell";

/** True if bash reads a text to its end. */
const isReadable = (text: string) => spawnSync("bash", ["-n"], { input: text }).status === 0;

const finished = [
  "echo 'a b' \"c 'd'\" it\\'s",
  'echo "$(echo "inner")" `date` ${x:-"y"} $\'it\\\'s\'',
  "# it's a comment\necho a # and it's another",
  "echo a#b 'c'",
  "cat <<EOF\nit's (open\nEOF\necho done",
  "cat <<-'EOF' && echo more\n\tit's\n\tEOF",
  "cat <<E\n'\\\nE\n'",
  "cat <<E\n\\\nE\necho 'a'",
  "cat <<'E'\n\\\nE\necho 'a'",
  "cat <(a)# <<E $(b)# <<F $((1))# <<G\n'",
  "(a)# it's a comment",
  "case a in a) echo 'x' ;; esac",
  "echo $((1 + (2 * 3)))",
  "((x = 1)) && (cd / && ls)",
  "(>((${)))",
  "a=(1 2 3); for i in 1 2; do echo $i; done",
  "diff <(sort a) <(sort b) > out 2>&1",
  "mpirun -np 2 \\\n  lmp -v x 2",
  "[[ $a =~ (a|b) ]] || exit",
  "echo one &&\n  echo two |\n  cat",
  "cat <<<'word'",
  "",
];

const unfinished: [text: string, line: number, message: string][] = [
  ["echo 'oops", 1, "a quote (') is not closed"],
  ["cat <<-E\n\t\tE\necho 'a", 3, "a quote (') is not closed"],
  ["echo it's", 1, "a quote (') is not closed"],
  ['true\necho "oops $(date)', 2, 'a quote (") is not closed'],
  ["echo $'a\\'", 1, "a quote (') is not closed"],
  ["echo `date", 1, "a backtick is not closed"],
  ["echo $(date", 1, "a parenthesis is not closed"],
  ["echo ${HOME", 1, "a brace is not closed"],
  ["(cd /tmp", 1, "a parenthesis is not closed"],
  ["echo a &&", 1, "nothing follows &&"],
  ["echo a\necho b |", 2, "nothing follows |"],
  ["echo a >", 1, "nothing follows >"],
  ["&& echo a", 1, "nothing precedes &&"],
];

describe("text of bash", () => {
  for (const text of finished)
    it(`is finished: ${JSON.stringify(text)}`, () => {
      assert.ok(isReadable(text));
      assert.equal(unfinishedShell(text), undefined);
    });

  for (const [text, line, message] of unfinished)
    it(`is not finished: ${JSON.stringify(text)}`, () => {
      assert.ok(!isReadable(text));
      assert.deepEqual(unfinishedShell(text), { line, message });
    });

  const operators = "' \" ` $( ${ ( ) } \\ $' (( )) $(( # a x=1 && | > < ; <( case $x <<<".split(" ");
  const pieces = [...operators, " ", "\n", "<<E\n", "\nE\n", "echo b"];
  it("is never refused where bash reads it", function () {
    this.timeout(120_000);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (words) => {
        const text = words.join("");
        return unfinishedShell(text) === undefined || !isReadable(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("of any length is read in no time", () => {
    for (const piece of pieces) unfinishedShell(piece.repeat(100_000));
  });
});
