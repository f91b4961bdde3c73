import { createHash } from "node:crypto";
import { userError } from "../../shared/errors";
import { getOrMake } from "../../shared/objects";
import { builtText, sourceText } from "../../shared/sources";
import { version } from "../../shared/version";
import { zipOf } from "../../shared/zip";

/** A program of the pods: a Python module, the modules that it imports, and data. */
export interface Program {
  /** Name of its archive and of its settings. */
  name: string;
  /** Module with the function `run`. */
  main: string;
  /** Files below `provider` that the program reads. */
  data?: string[];
  /** A file that `npm run prepare` builds, and its name in messages. */
  built?: { file: string; what: string };
}

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

/** Module that reads the contract between the languages, and its data. */
const contract = { module: "core.programs.contract", data: "core/contract.json" };

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

function textOf({ file, what }: NonNullable<Program["built"]>): string {
  const text = builtText(file);
  if (text === undefined) throw userError(`${what} is not built; run \`npm run prepare\` first`);
  return text;
}

const texts = new Map<string, Record<string, string>>();

/** The files of a program by their paths in its archive. */
export const programTexts = (program: Program): Record<string, string> =>
  getOrMake(texts, program.name, () => textsOf(program));

function textsOf({ main, data = [], built }: Program): Record<string, string> {
  const imported = withImports(main);
  const modules = imported.map(fileOf);
  const texts = [...data, ...(imported.includes(contract.module) ? [contract.data] : [])];
  // Regular packages: of two packages with one name, a later one on the path would hide a namespace package.
  const packages = new Set(modules.flatMap((file) => [file.split("/")[0], file.split("/").slice(0, 2).join("/")]));
  return {
    "__main__.py": start(main),
    ...Object.fromEntries([...packages].map((folder) => [`${folder}/__init__.py`, ""])),
    ...Object.fromEntries(modules.map((file) => [file, sourceText(file)])),
    ...Object.fromEntries(texts.map((file) => [file, sourceText(file)])),
    ...(built && { [built.file]: textOf(built) }),
  };
}

const archives = new Map<string, Buffer>();

/** A program as an executable archive of Python (zipapp): the same bytes in every process. */
export const programArchive = (program: Program): Buffer =>
  getOrMake(archives, program.name, () => zipOf(programTexts(program)));

/** Version of this package and hash of some programs, for users: it changes when one of the archives changes. */
export function programsVersion(programs: Program[]): string {
  const hash = createHash("sha256");
  for (const program of programs) hash.update(programArchive(program));
  return `${version} sha256:${hash.digest("hex").slice(0, 12)}`;
}
