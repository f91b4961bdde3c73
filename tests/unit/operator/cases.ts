import { parse } from "yaml";

/** A case: lines of a manifest, and what is expected of them. */
export interface Case {
  /** What is given, on one line. */
  title: string;
  given: string;
  want: string[];
}

/**
 * The cases of a table: what is given begins at the margin, with `|` before each line but the first, and what is expected of it
 * is indented below.
 */
export function casesOf(table: string): Case[] {
  const blocks = table.trim().split(/\n(?=[^\s|])/);
  return blocks.map((block) => {
    const lines = block.split("\n");
    const given = lines.filter((line) => !line.startsWith("  ")).map((line) => line.replace(/^\|/, ""));
    const title = given.map((line) => line.trim()).join(" ");
    return {
      title,
      given: given.join("\n"),
      want: lines.filter((line) => line.startsWith("  ")).map((line) => line.trim()),
    };
  });
}

/** The value that a case expects, in YAML: `same` is what was given. */
export const wanted = ({ given, want }: Case): unknown => parse(want[0] === "same" ? given : want.join("\n"));
