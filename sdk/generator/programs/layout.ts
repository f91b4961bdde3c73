/** A piece of code: words, or brackets with items, on one line if they fit. */
export type Code = string | Brackets;

export interface Brackets {
  open: string;
  close: string;
  items: Item[];
  /** Separator of items. Default: a comma, also after the last item if each is on its own line. */
  separator?: string;
  /** Padding inside the brackets on one line. Default: none. */
  padding?: string;
  /** Whether a single item on its own line is followed by a comma. Default: true. */
  trailing?: boolean;
}

/** An item: the text before its value, such as a key, and a comment on the lines above. */
export interface Item {
  before?: string;
  value: Code;
  comment?: string[];
}

/** The line-break rules of a language. */
export interface Style {
  columns: number;
  indent: string;
  /** Columns of one indent. */
  indentColumns: number;
}

/** Writes a piece of code at an indentation; `used` is the number of other columns in its line. */
export function layOut(code: Code, style: Style, depth: number, used: number): string {
  if (typeof code === "string") return code;
  const flat = onOneLine(code);
  if (flat !== undefined && depth * style.indentColumns + used + flat.length <= style.columns) return flat;
  const { open, close, items, separator = ",", trailing = true } = code;
  const [outer, inner] = [style.indent.repeat(depth), style.indent.repeat(depth + 1)];
  const lines = items.flatMap(({ before = "", value, comment = [] }, index) => {
    const isLast = index === items.length - 1;
    const behind = isLast && (separator !== "," || (items.length === 1 && !trailing)) ? "" : separator;
    const text = layOut(value, style, depth + 1, before.length + behind.length);
    return [...comment, `${before}${text}${behind}`].map((line) => inner + line);
  });
  return [open, ...lines, `${outer}${close}`].join("\n");
}

function onOneLine(code: Code): string | undefined {
  if (typeof code === "string") return code;
  const { open, close, items, separator = ",", padding = "" } = code;
  if (separator !== ",") return undefined;
  const texts = items.map(({ before = "", value, comment }) => {
    const text = comment ? undefined : onOneLine(value);
    return text === undefined ? undefined : before + text;
  });
  if (texts.includes(undefined)) return undefined;
  return items.length === 0 ? open + close : `${open}${padding}${texts.join(", ")}${padding}${close}`;
}
