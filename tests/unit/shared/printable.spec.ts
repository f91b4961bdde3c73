import * as assert from "node:assert/strict";
import * as fc from "fast-check";
import { printable } from "../../../provider/shared/printable";

describe("text that goes to a terminal", () => {
  const cases: [name: string, text: string, want: string][] = [
    ["keeps letters of all scripts, tabs and lines", "héllo\tworld\n日本 🚀", "héllo\tworld\n日本 🚀"],
    ["loses colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["loses eight-bit sequences", "\u009b2Jcleared", "cleared"],
    ["loses a title, with its text", "\u001b]0;title\u0007after", "after"],
    ["loses a link, and keeps what it shows", "\u001b]8;;http://a\u001b\\here\u001b]8;;\u001b\\", "here"],
    ["loses the start of a sequence that is cut off", "text\u001b[31", "text"],
    ["keeps the lines after a title that has no end", "\u001b]0;a\nb", ";a\nb"],
    ["loses carriage returns and backspaces", "a\rb\bc\u0000d", "abcd"],
  ];
  for (const [name, text, want] of cases) it(name, () => assert.equal(printable(text), want));

  it("holds no control character of any input", () => {
    const pieces = fc.constantFrom(..."\u001b []P\u0007\\\u009b\u009d3m\r\u202ex");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        // eslint-disable-next-line no-control-regex
        assert.doesNotMatch(printable(parts.join("")), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      }),
    );
  });
});
