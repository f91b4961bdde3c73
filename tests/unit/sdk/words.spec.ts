import * as assert from "node:assert/strict";
import { backReferencesIn, countBackReferences, mostBackReferences, wordsIn } from "../../../sdk/generator/words";

const phrasesIn = (text: string, file?: string) => wordsIn(text, file).map(({ line, phrase }) => `${line}: ${phrase}`);

describe("the check of words", () => {
  it("finds a phrase in comments, texts and pages, in any case, with its line", () =>
    assert.deepEqual(
      phrasesIn('/** The agent tells the size. */\nconst a = "Nobody may join";\n\nIt is made anew.\n'),
      ["1: tells", "2: Nobody", "4: anew"],
    ));

  it("finds a phrase that goes on in the next line of a comment", () => {
    assert.deepEqual(phrasesIn("/**\n * Each has a queue of its\n * own, by default.\n */"), ["2: of its own"]);
    assert.deepEqual(phrasesIn("  // Each has a queue of\n  // its own."), ["1: of its own"]);
  });

  it("finds a last word alone, and no part of a word or of a list", () => {
    assert.deepEqual(phrasesIn("It counts, too."), ["1: , too"]);
    assert.deepEqual(phrasesIn("a, too small, or b; unknown, knowledge, basks; as far east"), []);
  });

  it("finds some phrases only outside of tests", () => {
    const text = "It waits in vain for the other one.";
    assert.deepEqual(phrasesIn(text, "provider/a.ts"), ["1: the other one", "1: in vain"]);
    assert.deepEqual(phrasesIn(text, "tests/a.ts"), []);
  });

  it('counts "that of" and "those of", also over the end of a line', () => {
    assert.equal(backReferencesIn("that of a, // those\n// of b, and those\n * of c; a hat of that offer"), 3);
    assert.equal(backReferencesIn("of that, of those"), 0);
  });

  it("limits their number in the sources and on the pages", () => {
    const count = countBackReferences();
    assert.ok(count <= mostBackReferences, `${count} "that of" and "those of", at most ${mostBackReferences}`);
  });
});
