/** A bash word that expands to exactly this text, on one line. */
export function quoteWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // Inside single quotes, bash interprets only the single quote.
  if (!/[\n\r]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `$'${escaped}'`;
}

/**
 * The words of an option text such as `-o cpu-affinity=per-task --job-name "my job"`: blanks separate them, quotes and backslashes
 * keep blanks, and nothing is expanded. Undefined when a quote is not closed.
 */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  // As in a shell, a line that ends with a backslash continues in the next line.
  const blanks = /(?:\s|\\\n)*/y;
  const word = /(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/y;
  for (;;) {
    blanks.exec(text);
    if (blanks.lastIndex === text.length) return words;
    word.lastIndex = blanks.lastIndex;
    const match = word.exec(text);
    if (!match) return undefined;
    words.push(unquote(match[0]));
    blanks.lastIndex = word.lastIndex;
  }
}

function unquote(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g, (_, single, double, escaped) => {
    if (single !== undefined) return single as string;
    if (double !== undefined) return (double as string).replace(/\\(?:(["\\$`])|\n)/g, "$1");
    return escaped === "\n" ? "" : (escaped as string);
  });
}

/**
 * The words with which Kubernetes runs a command: the words of the command itself, or bash with the text if it needs a
 * shell.
 */
export const execWords = (command: string) =>
  isPlain(command) ? (splitWords(command) ?? []) : ["bash", "-c", command];

/** True for a command of plain words, which have the same meaning in any shell and without a shell. */
export function isPlain(command: string): boolean {
  const first = command.trim().split(/\s/)[0] ?? "";
  return !shellCharacters.test(command.trim()) && !first.includes("=") && !shellWords.has(first);
}

// Commands that only a shell has, and characters that only a shell interprets.
const shellWords = new Set(
  (
    ". : alias bg bind break builtin caller case cd command compgen complete compopt continue coproc " +
    "declare dirs disown do done elif else enable esac eval exec exit export fc fg fi for function getopts " +
    "hash help history if in jobs let local logout mapfile popd pushd read readarray readonly return select " +
    "set shift shopt source suspend then time times trap type typeset ulimit umask unalias unset until wait " +
    "while"
  ).split(" "),
);
const shellCharacters = /[^\w \t@%+=:,./-]/;

/** Text that ends with a line end, as files do. */
export const withLineEnd = (text: string) => (text.endsWith("\n") ? text : `${text}\n`);
