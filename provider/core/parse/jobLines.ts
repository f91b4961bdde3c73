/** The jobs of a command, each with the number of its line. A backslash at the end continues a line, except for a comment. */
export function jobLines(command: string): [number: number, line: string][] {
  return command
    .replace(/^[ \t]*#.*|(?<!\\)((?:\\\\)*)\\\n/gm, (found, backslashes?: string) => backslashes ?? found)
    .split("\n")
    .map((line, number): [number, string] => [number, line.trim()])
    .filter(([, line]) => line !== "" && !line.startsWith("#"));
}
