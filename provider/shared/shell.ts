/** The token that bash would miss at the end of a text, and where the construct began. */
export interface Unfinished {
  /** Line of the text, from 1. */
  line: number;
  message: string;
}

/**
 * The first construct of a bash text that is opened and not closed, or an operator without a command, which makes bash read none of
 * it. It errs on one side: `bash -n` also rejects every text that it reports, and a text that it cannot judge passes.
 */
export function unfinishedShell(text: string): Unfinished | undefined {
  // A pattern of `case` has an unpaired closing parenthesis, and only a whole parser could recognize it.
  if (/\bcase\b/.test(text)) return undefined;
  try {
    new Scanner(text).scan();
    return undefined;
  } catch (error) {
    if (error instanceof Open) return { line: text.slice(0, error.offset).split("\n").length, message: error.message };
    if (error instanceof Unclear) return undefined;
    throw error;
  }
}

class Open extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

class Unclear extends Error {}

interface HereDocument {
  end: string;
  isIndented: boolean;
  /** True where a backslash at the end of a line is plain text. */
  isQuoted: boolean;
}

// Depth of nested substitutions, of which real code has two or three.
const deepest = 100;

interface Operator {
  offset: number;
  text: string;
}

/** Characters that neither open nor close a construct: most of a long text. */
const plainWord = /[\w./:,=+%@^-]+/y;

/** The operator at the beginning of a text, if a command or a file name must follow. */
const operatorAt = (rest: string) => /^(?:&&|\|\||\|&|\||<<<|>>|>\||[<>](?![<(]))/.exec(rest)?.[0];

class Scanner {
  private at = 0;
  private depth = 0;
  private documents: HereDocument[] = [];
  /** End of the last substitution: the word continues behind its parenthesis. */
  private substituted = -1;

  constructor(private readonly text: string) {}

  scan(): void {
    const [first] = /^\s*(?:&&|\|\|?)/.exec(this.text) ?? [];
    if (first !== undefined) throw new Open(0, `nothing precedes ${first.trim()}`);
    this.commands(undefined);
  }

  /** Commands up to the parenthesis that closes them, or to the end of the text. */
  private commands(opening: number | undefined): void {
    const parentheses: number[] = [];
    let operator: Operator | undefined;
    while (this.at < this.text.length) {
      const start = this.at;
      plainWord.lastIndex = start;
      const word = plainWord.exec(this.text)?.[0];
      if (word !== undefined) {
        this.at += word.length;
        operator = undefined;
        continue;
      }
      const rest = this.text.slice(start, start + 3);
      const found = operatorAt(rest);
      if (rest.startsWith("#") && this.beginsWord()) this.comment();
      else if (/^[ \t]/.test(rest)) this.at++;
      else if (rest.startsWith("\n")) {
        if (operator && /[<>]/.test(operator.text)) break;
        this.newline();
      } else if (rest.startsWith(")")) {
        this.at++;
        if (parentheses.pop() !== undefined) continue;
        if (opening !== undefined) return;
        throw new Unclear();
      } else if (found !== undefined) {
        this.at += found.length;
        operator = { offset: start, text: found };
      } else {
        operator = undefined;
        if (/^\((?!\()/.test(rest)) parentheses.push(this.at++);
        else this.opened(start, rest);
      }
    }
    if (operator) throw new Open(operator.offset, `nothing follows ${operator.text}`);
    const open = parentheses.pop() ?? opening;
    if (open !== undefined) throw new Open(open, "a parenthesis is not closed");
  }

  /** A character of a command, or the whole construct that it opens. */
  private opened(start: number, rest: string): void {
    if (rest.startsWith("<<")) this.hereDocument();
    else if (rest.startsWith("((")) this.arithmetic(start, 2);
    else if (/^[<>]\(\(/.test(rest)) this.arithmetic(start, 3);
    else if (/^[<>]\(/.test(rest)) this.substitution(start, 2);
    else this.part(false);
  }

  private beginsWord(): boolean {
    if (this.at === this.substituted) return false;
    return this.at === 0 || /[\s;&|()<>]/.test(this.text[this.at - 1] ?? "");
  }

  /** Commands in parentheses, whose text is put in their place. */
  private substitution(start: number, length: number): void {
    if (++this.depth > deepest) throw new Unclear();
    this.at += length;
    this.commands(start);
    this.depth--;
    this.substituted = this.at;
  }

  /** One character, or the whole construct that it opens. Single quotes are plain in double ones. */
  private part(isQuoted: boolean): void {
    if (++this.depth > deepest) throw new Unclear();
    const start = this.at;
    const rest = this.text.slice(start, start + 3);
    if (rest.startsWith("\\")) this.at += 2;
    else if (rest.startsWith('"')) this.double(start, 1);
    else if (rest.startsWith("`")) this.upTo("`", start, 1, "a backtick is not closed");
    else if (rest.startsWith("$((")) this.arithmetic(start, 3);
    else if (rest.startsWith("$(")) this.substitution(start, 2);
    else if (rest.startsWith("${")) this.braces(start, isQuoted);
    else if (!isQuoted && rest.startsWith("$'")) this.upTo("'", start, 2, "a quote (') is not closed");
    else if (!isQuoted && rest.startsWith("'")) this.single(start);
    else this.at++;
    this.depth--;
  }

  private single(start: number): void {
    const end = this.text.indexOf("'", start + 1);
    if (end < 0) throw new Open(start, "a quote (') is not closed");
    this.at = end + 1;
  }

  private double(start: number, length: number): void {
    this.at = start + length;
    while (this.at < this.text.length) {
      if (this.text[this.at] === '"') {
        this.at++;
        return;
      }
      this.part(true);
    }
    throw new Open(start, 'a quote (") is not closed');
  }

  /** Text up to a character without a backslash before it. */
  private upTo(end: string, start: number, length: number, message: string): void {
    this.at = start + length;
    while (this.at < this.text.length) {
      if (this.text[this.at] === end) {
        this.at++;
        return;
      }
      this.at += this.text[this.at] === "\\" ? 2 : 1;
    }
    throw new Open(start, message);
  }

  private braces(start: number, isQuoted: boolean): void {
    this.at = start + 2;
    while (this.at < this.text.length) {
      const character = this.text[this.at];
      if (character === "}") {
        this.at++;
        return;
      }
      // Whether it is one depends on the operator before it.
      if (isQuoted && character === "'") throw new Unclear();
      this.part(isQuoted);
    }
    throw new Open(start, "a brace is not closed");
  }

  private arithmetic(start: number, length: number): void {
    this.at = start + length;
    let depth = 2;
    while (this.at < this.text.length) {
      const character = this.text[this.at] ?? "";
      // A subshell in a subshell looks the same, and may contain them.
      if ("#<'".includes(character)) throw new Unclear();
      if (character === "(") depth++;
      if (character === ")") depth--;
      if (character === "(" || character === ")") this.at++;
      else this.partOfArithmetic();
      if (depth > 0) continue;
      if (length > 2) this.substituted = this.at;
      return;
    }
    throw new Open(start, "a parenthesis is not closed");
  }

  /** A part of an arithmetic expression. Bash reads one up to its parentheses, and checks its open constructs when it runs. */
  private partOfArithmetic(): void {
    try {
      this.part(false);
    } catch (error) {
      throw error instanceof Open ? new Unclear() : error;
    }
  }

  private comment(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private hereDocument(): void {
    const match = /^<<(-?)[ \t]*([\w.-]+|'[^'\n]*'|"[\w .-]*"|\\[\w.-]+)/.exec(this.text.slice(this.at));
    if (!match) throw new Unclear();
    const [whole, dash, word = ""] = match;
    this.documents.push({
      end: word.replace(/^['"\\]|['"]$/g, ""),
      isIndented: dash === "-",
      isQuoted: /^['"\\]/.test(word),
    });
    this.at += whole.length;
  }

  /** The end of a line, and the here-documents that follow it. */
  private newline(): void {
    this.at++;
    for (const { end, isIndented, isQuoted } of this.documents.splice(0)) {
      for (;;) {
        // Bash treats the end of the text as that of the document, with a warning.
        if (this.at >= this.text.length) throw new Unclear();
        const line = this.documentLine(isQuoted);
        if ((isIndented ? line.replace(/^\t+/, "") : line) === end) break;
      }
    }
  }

  /** A line of a here-document, with the lines that a backslash joins to it. */
  private documentLine(isQuoted: boolean): string {
    const joined: string[] = [];
    for (;;) {
      const next = this.text.indexOf("\n", this.at);
      const line = this.text.slice(this.at, next < 0 ? undefined : next);
      this.at = next < 0 ? this.text.length : next + 1;
      const [backslashes = ""] = /\\*$/.exec(line) ?? [];
      if (isQuoted || next < 0 || backslashes.length % 2 === 0) return [...joined, line].join("");
      joined.push(line.slice(0, -1));
    }
  }
}
