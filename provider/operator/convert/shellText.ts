import type { Say } from "./say";

/**
 * What the operator's shell makes of a text in double quotes or in a here-document, as far as it can be known beforehand:
 * a backslash before one of `escapable`, or before the end of a line, is its own and goes away.
 */
export function withoutEscapes(text: string, escapable: string): string {
  return text.replace(/\\([\s\S])/g, (pair, next: string) => {
    if (next === "\n") return "";
    return escapable.includes(next) ? next : pair;
  });
}

/** Whether a shell would put something in the place of a part of such a text. */
export const isExpanded = (text: string) => /(^|[^\\])(\\\\)*(`|\$[\w({@*#?$!-])/.test(text);

/** Warns of a text that the operator's script expands when a pod starts. */
export function warnOfExpansion(text: string | undefined, here: string, path: string, warn: Say): void {
  if (text !== undefined && isExpanded(text))
    warn(path, `has "$" or backticks, which are expanded ${here}; the operator sees to them when the pod starts`);
}
