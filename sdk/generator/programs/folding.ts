// The layout of programs on a page. It imports nothing, because the configuration of the site imports it as well.

/** A program on a page: in TypeScript, and folded below it in the other languages. */
export interface PageProgram {
  /** Line of its first line of code. */
  line: number;
  /** By language, under the page's names: TypeScript, Python, Go, YAML. */
  texts: Map<string, string>;
}

/** The folded languages, by their name on the page and the mark of their code. */
const languages = [
  ["Python", "python"],
  ["Go", "go"],
  ["YAML", "yaml"],
] as const;

const programs =
  /^```ts\n([^]*?)^```\n((?:\n<details>\n<summary>\w+<\/summary>\n\n```\w+\n[^]*?^```\n\n<\/details>\n)*)/gm;
const folded = /\n<details>\n<summary>(\w+)<\/summary>\n\n```\w+\n([^]*?)^```\n\n<\/details>\n/gm;

/** The programs of a page, in order. */
export const programsOn = (page: string): PageProgram[] =>
  [...page.matchAll(programs)].map(({ 1: typescript = "", 2: others = "", index }) => ({
    line: page.slice(0, index).split("\n").length + 1,
    texts: new Map([["TypeScript", typescript], ...textsIn(others)]),
  }));

/** A page with each of its programs replaced by its texts in TypeScript and in the other languages. */
export const withPrograms = (
  page: string,
  write: (typescript: string, others: Map<string, string>) => string,
): string =>
  page.replace(programs, (_whole: string, typescript: string, others: string) => write(typescript, textsIn(others)));

/** A program on a page, in all its languages. */
export function folding(typescript: string, textOf: (name: string, mark: string) => string | undefined): string {
  const others = languages.map(([name, mark]) => {
    const text = textOf(name, mark);
    if (text === undefined) return "";
    return `\n<details>\n<summary>${name}</summary>\n\n${fence(mark, text)}\n</details>\n`;
  });
  return fence("ts", typescript) + others.join("");
}

/** The programs of a page one below the other, in the format of Pulumi's registry. */
export const unfolded = (page: string): string =>
  page.replaceAll(/^<\/?details>\n(<summary>.*<\/summary>\n)?\n?/gm, "");

/** The programs of a page as the tabs of VitePress. A program in TypeScript alone stays unchanged. */
export const withTabs = (page: string): string =>
  withPrograms(page, (typescript, others) => {
    if (others.size === 0) return fence("ts", typescript);
    const each = languages.flatMap(([name, mark]) => {
      const text = others.get(name);
      return text === undefined ? [] : [fence(`${mark} [${name}]`, text)];
    });
    return `::: code-group\n\n${[fence("ts [TypeScript]", typescript), ...each].join("\n")}\n:::\n`;
  });

const fence = (mark: string, text: string) => `\`\`\`${mark}\n${text}\`\`\`\n`;

const textsIn = (others: string) =>
  new Map([...others.matchAll(folded)].map(([, language = "", text = ""]) => [language, text]));
