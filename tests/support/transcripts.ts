import { programsOn } from "../../sdk/generator/programs/folding";
import { fencesOn, readPage } from "./fences";

/** A command on a page. */
export interface Command {
  /** Page and line. */
  place: string;
  text: string;
  /** What it prints on the page: "…" replaces any number of lines, or the rest of one. Default: anything. */
  prints?: string[];
  /** The commands in the shell that it opens, up to `exit`. */
  inside?: Command[];
}

/** What a reader of a page does: in order, writes files and programs, changes a program, and runs commands. */
export type Step =
  | { kind: "file"; place: string; name: string; text: string }
  | { kind: "program"; place: string; yaml: string }
  | { kind: "change"; place: string; diff: string[] }
  | { kind: "command"; command: Command };

const skipped = /^<!-- not run: \S.* -->$/;

/** The steps on a page, or in one of its sections. */
export function stepsOn(page: string, section?: string): Step[] {
  const text = readPage(page);
  const lines = text.split("\n");
  const programs = programsOn(text);
  const isIn = (line: number) =>
    section === undefined ||
    lines
      .slice(0, line)
      .filter((above) => /^## /.test(above))
      .at(-1) === `## ${section}`;
  const isSkipped = (line: number) => {
    const above = lines.slice(0, line - 2).filter((before) => before !== "");
    return skipped.test(above.at(-1) ?? "");
  };
  return fencesOn(page).flatMap((fence): Step[] => {
    const { place, language, text: code } = fence;
    const line = Number(place.split(":").at(-1));
    if (!isIn(line) || isSkipped(line)) return [];
    const shown = code.replace(/\n$/, "").split("\n");
    if (language === "console") return commandsIn(shown, page, line, "$ ");
    if (language === "sh") return commandsIn(shown, page, line, "");
    if (language === "diff") return [{ kind: "change", place, diff: shown }];
    if (language === "ts") {
      const yaml = programs.find((program) => program.line === line)?.texts.get("YAML");
      if (yaml === undefined) throw new Error(`${place}: the program has no YAML, by which it could be run`);
      return [{ kind: "program", place, yaml }];
    }
    const name = /^# (\w[\w.-]*\.yaml)\n/.exec(code)?.[1];
    return language === "yaml" && name ? [{ kind: "file", place, name, text: code }] : [];
  });
}

/** The commands of a transcript, or of a script, whose lines have no prompt. */
function commandsIn(lines: string[], page: string, first: number, prompt: string): Step[] {
  const all: Command[] = [];
  let isContinued = false;
  for (const [index, line] of lines.entries()) {
    const last = all.at(-1);
    if (isContinued && last) last.text += `\n${line}`;
    else if (prompt === "" ? /^[^#\s]/.test(line) : line.startsWith(prompt)) {
      const command: Command = { place: `${page}:${first + index}`, text: line.slice(prompt.length) };
      all.push(prompt === "" ? command : { ...command, prints: [] });
    } else last?.prints?.push(line);
    isContinued = line.endsWith("\\") && last !== undefined;
  }
  return nested(all).map((command) => ({ kind: "command", command }));
}

/** Puts the commands before each `exit` into the one that opens their shell. */
function nested(all: Command[]): Command[] {
  const outer: Command[] = [];
  for (const command of all) {
    if (command.text !== "exit") {
      outer.push(command);
      continue;
    }
    const opener = outer.map(({ text, inside }) => text.startsWith('eval "$(') && !inside).lastIndexOf(true);
    const opening = outer[opener];
    if (!opening) throw new Error(`${command.place}: no command before it opens a shell`);
    outer[opener] = { ...opening, inside: outer.splice(opener + 1) };
  }
  return outer;
}

/** Applies a change that a page shows in TypeScript to the program in YAML. */
export function changed(yaml: string, diff: string[], place: string): string {
  const plain = (line = "") => line.trim().replace(/: "(.*)"$/, ": $1");
  const part = (marks: RegExp) =>
    diff.filter((line) => marks.test(line)).map((line) => line.slice(1).trim().replace(/,$/, ""));
  const before = part(/^[- ]/);
  const lines = yaml.split("\n");
  const isAt = (at: number) => before.every((line, offset) => plain(lines[at + offset]) === plain(line));
  const places = lines.flatMap((_, index) => (isAt(index) ? [index] : []));
  const [at = 0] = places;
  if (places.length !== 1)
    throw new Error(`${place}: ${places.length} places in YAML are\n${before.join("\n")}\n\n${yaml}`);
  const [indentation] = /^ */.exec(lines[at] ?? "") ?? [];
  lines.splice(at, before.length, ...part(/^[+ ]/).map((line) => `${indentation}${line}`));
  return lines.join("\n");
}

/** What differs between two runs, or between two machines, and its replacement. */
const variable: [RegExp, string][] = [
  // eslint-disable-next-line no-control-regex
  [/\u001b\[[\d;]*[A-Za-z]/g, ""],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, "TIME"],
  [/\b\d\d:\d\d:\d\d\b/g, "TIME"],
  [/(?<![\w.-])(\d+(\.\d+)?(ms|s|m|h|d))+(?![\w-])/g, "DURATION"],
  [/ƒ[0-9A-Za-z]+/g, "ƒID"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "ID"],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/g, "HASH"],
  // The pod of a host.
  [/\b([a-z][a-z0-9-]*-\d+)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "$1-ID"],
  [/\b\d+\.\d+\.\d+\.\d+\b/g, "ADDRESS"],
  // The cores of `flux resource list`.
  [/^( *(?:free|allocated|down) +\d+ +)\d+(?= |$)/g, "$1CORES"],
];

/** Lines of the engine while it works, of kubectl without a terminal, and empty ones. */
const isNoise = (line: string) => line === "" || line.startsWith("@ ") || line.startsWith("Unable to use a TTY - ");

/** The lines of an output that can be compared. */
export const comparable = (lines: string[]): string[] =>
  lines
    .map((line) => variable.reduce((text, [pattern, name]) => text.replace(pattern, name), line))
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter((line) => !isNoise(line));

/** The first lines on a page that an output does not have at their place; undefined where it has all. */
export function missing({ text, prints }: Command, output: string): string[] | undefined {
  if (!prints) return undefined;
  // The tasks of a job print in any order.
  const isUnordered = /^flux run |\blogs\b/.test(text) && !prints.includes("…");
  const [actual, expected] = [output.split("\n"), prints].map((lines) =>
    isUnordered ? comparable(lines).sort() : comparable(lines),
  ) as [string[], string[]];
  const parts = expected.reduce<string[][]>(
    (all, line) => (line === "…" ? [...all, []] : [...all.slice(0, -1), [...(all.at(-1) ?? []), line]]),
    [[]],
  );
  // At the end of a line it replaces the rest.
  const isLike = (line: string, found = "") =>
    line.endsWith("…") ? found.startsWith(line.slice(0, -1)) : found === line;
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const end = actual.length - part.length;
    const isLast = index === parts.length - 1;
    const first = isLast && index > 0 ? Math.max(from, end) : from;
    const last = index === 0 ? 0 : end;
    let at = first;
    while (at <= last && !part.every((line, offset) => isLike(line, actual[at + offset]))) at++;
    if (at > last || (isLast && at !== end)) return part;
    from = at + part.length;
  }
  return undefined;
}
