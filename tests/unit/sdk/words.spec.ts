import * as assert from "node:assert/strict";
import { wordsIn } from "../../../sdk/generator/words";

const phrasesIn = (text: string) => wordsIn(text).map(({ line, phrase }) => `${line}: ${phrase}`);

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
});
