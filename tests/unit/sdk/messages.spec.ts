import assert from "node:assert/strict";
import { messagesIn } from "../../../sdk/generator/messages";

describe("the list of messages", () => {
  it("has texts as they are written, in one piece, with what is put into them", () => {
    const source = [
      'import a from "a b";',
      "addIssue([`size`], `size ${size} is above ` +",
      '  `maxSize ${isLow ? "of the pool" : max}`);',
      'const schema = z.string({ error: "must be text" });',
    ];
    assert.deepEqual(messagesIn(source.join("\n")), [
      { line: 2, text: 'size ${size} is above maxSize ${isLow ? "of the pool" : max}' },
      { line: 3, text: "of the pool" },
      { line: 4, text: "must be text" },
    ]);
  });
});
