import { createHash } from "node:crypto";
import { userError } from "../../../shared/errors";
import { builtText, sourceText } from "../../../shared/sources";
import { version } from "../../../shared/version";
import { zipOf } from "../../../shared/zip";

/** A program of the pods: a Python module, the modules that it imports, and data. */
interface Program {
  /** Module with the function `run`. */
  main: string;
  /** Files below `provider` that the program reads. */
  data?: string[];
}

/** The page of the console, which `npm run prepare` builds from the sources in `console/page`. */
const pageFile = "console/programs/page.html";

const programs = {
  agent: { main: "autoscale.programs.agent" },
  console: { main: "console.programs.console", data: ["console/programs/openapi.json", pageFile] },
  lead: { main: "minicluster.programs.lead", data: ["bursting/programs/frobnicator.py"] },
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

/** Imports of other modules of the package `<room>.programs`, in any block of a module. */
const imports = /^ *(?:from (\w+\.programs)(?:\.(\w+))? import (.*)|import (\w+\.programs)\.(\w+))$/gm;

/** File of a module, below `provider`. */
const fileOf = (module: string) => `${module.replaceAll(".", "/")}.py`;

/** Modules that a module imports. */
function importedBy(module: string): string[] {
  return [...sourceText(fileOf(module)).matchAll(imports)].flatMap(([, from, name, names = "", imported, last]) => {
    if (imported !== undefined) return [`${imported}.${last}`];
    return name === undefined ? names.split(",").map((each) => `${from}.${each.trim()}`) : [`${from}.${name}`];
  });
}

/** A module with all modules that it imports, directly or not. */
function withImports(module: string): string[] {
  const found = new Set([module]);
  for (const each of found) for (const other of importedBy(each)) found.add(other);
  return [...found];
}

/** The start of a program. It ends with a sentence on a Python that cannot read the modules. */
const start = (module: string) => `import sys

if sys.version_info < (3, 8):
    sys.exit("minicluster: this program requires Python 3.8 or later, and here is " + sys.version.split()[0])

from ${module} import run

run()
`;

function dataOf(name: string): string {
  if (name !== pageFile) return sourceText(name);
  const page = builtText(name);
  if (page === undefined) throw userError("the web page of the console is not built; run `npm run prepare` first");
  return page;
}

/** The files of a program by their paths in its archive. */
export function programTexts(name: ProgramName): Record<string, string> {
  const { main, data = [] }: Program = programs[name];
  const modules = withImports(main).map(fileOf);
  const files = [...modules, ...data];
  // Regular packages: of two packages with one name, a later one on the path would hide a namespace package.
  const packages = new Set(files.flatMap((file) => [file.split("/")[0], file.split("/").slice(0, 2).join("/")]));
  return {
    "__main__.py": start(main),
    ...Object.fromEntries([...packages].map((folder) => [`${folder}/__init__.py`, ""])),
    ...Object.fromEntries(modules.map((file) => [file, sourceText(file)])),
    ...Object.fromEntries(data.map((file) => [file, dataOf(file)])),
  };
}

const archives = new Map<ProgramName, Buffer>();

/** A program as an executable archive of Python (zipapp): the same bytes in every process. */
export function programArchive(name: ProgramName): Buffer {
  const archive = archives.get(name) ?? zipOf(programTexts(name));
  archives.set(name, archive);
  return archive;
}

/** Version of this package and hash of some programs, for people: it changes when one of the archives does. */
export function programsVersion(names: ProgramName[]): string {
  const hash = createHash("sha256");
  for (const name of names) hash.update(programArchive(name));
  return `${version} sha256:${hash.digest("hex").slice(0, 12)}`;
}
