import { folding, withPrograms } from "./folding";
import { writeGo } from "./go";
import type { GoTypes } from "./goTypes";
import { isWritable, readProgram } from "./model";
import { writePython } from "./python";

/** Writes the programs of a page in Python and in Go, from their YAML. */
export const withLanguages = (page: string, types: GoTypes): string =>
  withPrograms(page, (typescript, others) => {
    const yaml = others.get("YAML");
    // A program with resources of other packages is written by hand in each language.
    const program = yaml !== undefined && isWritable(yaml) ? readProgram(yaml) : undefined;
    const texts = new Map([
      ...others,
      ...(program
        ? ([
            ["Python", writePython(program, types)],
            ["Go", writeGo(program, types)],
          ] as const)
        : []),
    ]);
    return folding(typescript, (name) => texts.get(name));
  });

/** The program of a component's description in the schema, in the layout of a page. */
export function foldedExample(description: string): string {
  const texts = [...description.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
  const named = new Map(texts.map(([, mark = "", text = ""]) => [mark, text]));
  const typescript = named.get("typescript");
  return typescript === undefined ? "" : folding(typescript, (_name, mark) => named.get(mark)).trimEnd();
}
