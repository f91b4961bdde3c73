import * as assert from "node:assert/strict";
import * as fc from "fast-check";
import { printable } from "../../../provider/shared/printable";

describe("text that goes to a terminal", () => {
  const cases: { name: string; text: string; want: string }[] = [
    {
      name: "keeps letters of all scripts, tabs and lines",
      text: "héllo\tworld\n日本 🚀",
      want: "héllo\tworld\n日本 🚀",
    },
    { name: "loses colours", text: "\u001b[1;31mred\u001b[0m", want: "red" },
    { name: "loses eight-bit sequences", text: "\u009b2Jcleared", want: "cleared" },
    { name: "loses a title, with its text", text: "\u001b]0;title\u0007after", want: "after" },
    {
      name: "loses a link, and keeps what it shows",
      text: "\u001b]8;;http://a\u001b\\here\u001b]8;;\u001b\\",
      want: "here",
    },
    { name: "loses the start of a sequence that is cut off", text: "text\u001b[31", want: "text31" },
    { name: "keeps the lines after a title that has no end", text: "\u001b]0;a\nb", want: "\nb" },
    { name: "loses carriage returns and backspaces", text: "a\rb\bc\u0000d", want: "abcd" },
  ];
  for (const { name, text, want } of cases) it(name, () => assert.equal(printable(text), want));

  it("holds no control character, whatever it was", () => {
    const pieces = fc.constantFrom(
      "\u001b",
      "[",
      "]",
      "P",
      "\u0007",
      "\\",
      "\u009b",
      "\u009d",
      "3",
      "m",
      "\r",
      "\u202e",
      "x",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        // eslint-disable-next-line no-control-regex
        assert.doesNotMatch(printable(parts.join("")), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      }),
    );
  });
});
