import { writeGo } from "./go";
import type { GoTypes } from "./goTypes";
import { isWritable, readProgram } from "./model";
import { writePython } from "./python";

/** A program on a page: in TypeScript, and folded below it in the other languages. */
export interface PageProgram {
  /** Line of its first line of code. */
  line: number;
  /** By language, as the page calls it: TypeScript, Python, Go, YAML. */
  texts: Map<string, string>;
}

const programs =
  /^```ts\n([^]*?)^```\n((?:\n<details>\n<summary>\w+<\/summary>\n\n```\w+\n[^]*?^```\n\n<\/details>\n)*)/gm;
const folded = /\n<details>\n<summary>(\w+)<\/summary>\n\n```\w+\n([^]*?)^```\n\n<\/details>\n/gm;

/** The programs of a page, in order. */
export const programsOn = (page: string): PageProgram[] =>
  [...page.matchAll(programs)].map(({ 1: typescript = "", 2: others = "", index }) => ({
    line: page.slice(0, index).split("\n").length + 1,
    texts: new Map([["TypeScript", typescript], ...textsIn(others)]),
  }));

/** Writes the programs of a page in Python and in Go, from what they are in YAML. */
export const withLanguages = (page: string, types: GoTypes): string =>
  page.replace(programs, (whole: string, _typescript: string, others: string) => {
    const texts = textsIn(others);
    const yaml = texts.get("YAML");
    if (yaml === undefined) return whole;
    return whole.slice(0, whole.length - others.length) + inOtherLanguages(yaml, texts, types);
  });

/** The programs of a page one below the other, as Pulumi's registry takes them. */
export const unfolded = (page: string): string =>
  page.replaceAll(/^<\/?details>\n(<summary>.*<\/summary>\n)?\n?/gm, "");

/** The program of a component's description in the schema, as it stands on a page. */
export function foldedExample(description: string): string {
  const texts = [...description.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
  const named = new Map(texts.map(([, language = "", text = ""]) => [language, text]));
  const others = languages.flatMap(([name, language]) => {
    const text = named.get(language);
    return text === undefined ? [] : [foldedFence(name, language, text)];
  });
  const typescript = named.get("typescript");
  return typescript === undefined ? "" : `\`\`\`ts\n${typescript}\`\`\`\n${others.join("")}`.trimEnd();
}

/** The languages that are folded, as the page calls them and as its code is marked. */
const languages = [
  ["Python", "python"],
  ["Go", "go"],
  ["YAML", "yaml"],
] as const;

const textsIn = (others: string) =>
  new Map([...others.matchAll(folded)].map(([, language = "", text = ""]) => [language, text]));

function inOtherLanguages(yaml: string, written: Map<string, string>, types: GoTypes): string {
  // A program with resources of other packages is written by hand in each language.
  const program = isWritable(yaml) ? readProgram(yaml) : undefined;
  const texts: Partial<Record<string, string>> = {
    Python: program ? writePython(program, types) : written.get("Python"),
    Go: program ? writeGo(program, types) : written.get("Go"),
    YAML: yaml,
  };
  return languages
    .flatMap(([name, language]) => (texts[name] === undefined ? [] : [foldedFence(name, language, texts[name])]))
    .join("");
}

const foldedFence = (name: string, language: string, text: string) =>
  `\n<details>\n<summary>${name}</summary>\n\n\`\`\`${language}\n${text}\`\`\`\n\n</details>\n`;
