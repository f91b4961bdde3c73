import { Lexer } from "yaml";

// The parser takes up to a second for as many. A manifest of 5,000 fields has 35,000.
const maxTokens = 50_000;

// A long script in a manifest has thousands.
const maxLines = 100_000;

/** Levels of a text. The parser recurses once per level; a MiniCluster has ten. */
export const maxDepth = 100;

/** A text that is not parsed, with the reason. */
export class TooLarge extends Error {}

/** The YAML tokens of a text. Throws `TooLarge` if the parser would need more than about a second for it. */
export function* limitedTokens(text: string): Generator<string> {
  let [count, lines, brackets, signsInLine] = [0, 0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    if (/^[\r\n]/.test(token)) signsInLine = 0;
    else if (/^[[{]$/.test(token)) brackets++;
    else if (/^[\]}]$/.test(token)) brackets = Math.max(brackets - 1, 0);
    // Within brackets these tokens are siblings, not nested.
    else if (brackets === 0 && /^([-?:]$|[&!])/.test(token)) signsInLine++;
    if (brackets > maxDepth || signsInLine > maxDepth || widestIndent.test(token))
      throw new TooLarge(`is nested more than ${maxDepth} levels deep`);
    if (++count > maxTokens) throw new TooLarge(`has more than ${maxTokens} YAML tokens; split it into several files`);
    lines += linesIn(token);
    if (lines > maxLines) throw new TooLarge(`has more than ${maxLines} lines; split it into several files`);
    yield token;
  }
}

/** Throws `TooLarge` for a text that the parser would need more than about a second for. */
export function checkSize(text: string): void {
  const tokens = limitedTokens(text);
  while (!tokens.next().done);
}

const widestIndent = /^ {400,}$/;

function linesIn(token: string): number {
  let lines = 0;
  for (let at = token.indexOf("\n"); at >= 0; at = token.indexOf("\n", at + 1)) lines++;
  return lines;
}
