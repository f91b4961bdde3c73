import * as fs from "node:fs";
import * as path from "node:path";
import { programsOn } from "../../sdk/generator/programs/folding";
import { pages, readPage } from "./fences";

/** A program of a page in each language. */
export interface PageProgram {
  /** Page, from the root of the package, and the line of the program. */
  place: string;
  typescript: string;
  python: string;
  go: string;
  yaml: string;
}

/** The languages of each program. */
export const pageLanguages = ["TypeScript", "Python", "Go", "YAML"];

/** The programs of all pages, each with the languages that it lacks. */
export const allPrograms = () =>
  pages().flatMap((page) => {
    const text = readPage(page);
    const programs = text.includes("{{< chooser ") ? [{ line: 1, texts: chosenIn(text) }] : programsOn(text);
    return programs.map(({ line, texts }) => ({
      place: `${page}:${line}`,
      missing: pageLanguages.filter((language) => !texts.has(language)),
      texts,
    }));
  });

/** The program of a page of Pulumi's registry, where the reader chooses the language. */
function chosenIn(page: string): Map<string, string> {
  const marks: Record<string, string> = { typescript: "TypeScript", python: "Python", go: "Go", yaml: "YAML" };
  const choices = page.matchAll(/^\{\{% choosable language (\w+) %\}\}\n\n```\w+\n([^]*?)^```$/gm);
  return new Map([...choices].map(([, mark = "", text = ""]) => [marks[mark] ?? mark, text]));
}

/**
 * The programs that have every language, each text once: the reference has those of the schema's examples. Stacks that
 * they refer to are in the given organization.
 */
export function pagePrograms(organization: string): PageProgram[] {
  const found = allPrograms()
    .filter(({ missing }) => missing.length === 0)
    .map(({ place, texts }) => {
      const [typescript = "", python = "", go = "", yaml = ""] = pageLanguages.map((language) =>
        texts.get(language)?.replaceAll("acme/home/prod", `${organization}/home/prod`),
      );
      return { place, typescript, python, go, yaml };
    });
  return found.filter(
    (program, index) =>
      found.findIndex(({ typescript, yaml }) => program.typescript === typescript && program.yaml === yaml) === index,
  );
}

/** Writes the programs of one language into folders, as its driver requires them, and returns the folders. */
export function writeFolders(directory: string, programs: PageProgram[], language: "python" | "go" | "yaml"): string[] {
  return programs.map((program, index) => {
    const folder = path.join(directory, language, String(index));
    fs.mkdirSync(folder, { recursive: true });
    const project = language === "yaml" ? program.yaml : `name: page\nruntime: ${language}\n`;
    fs.writeFileSync(path.join(folder, "Pulumi.yaml"), project);
    if (language === "python") fs.writeFileSync(path.join(folder, "__main__.py"), program.python);
    return folder;
  });
}
