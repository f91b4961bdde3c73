import { element, faint, ink, picture, text } from "./svg";

const width = 760;
const [margin, lineHeight, padding] = [20, 19, 12];

/** The change of a program in the pull request. */
const change = ['  const lammps = new MiniCluster("lammps", {', "-   size: 4,", "+   size: 8,", "    maxSize: 8,"];

/** Colours of a line by its first letter. */
const colours: Record<string, string> = { "-": "#b3261e", "+": "#1a7f37", "~": "#8a5a00" };

/** A pull request for its reviewer: a changed number, and the preview that a workflow adds. */
export function drawPullRequest(preview: string): string {
  const [diff, comment] = [change, preview.trimEnd().split("\n")];
  const boxesTop = 52;
  const commentTop = boxesTop + heightOf(diff) + 16;
  return picture(width, commentTop + heightOf(comment) + margin, [
    text(margin, 32, "Run on 8 hosts", { "font-size": 16, "font-weight": "bold" }),
    text(width - margin, 32, "a pull request", { "text-anchor": "end", fill: faint }),
    ...box(boxesTop, "index.ts", diff),
    ...box(commentTop, "pulumi preview on acme/lammps/prod", comment),
  ]);
}

const heightOf = (lines: string[]) => lineHeight * (lines.length + 1) + 2 * padding + 6;

/** Lines in a frame with a title. */
function box(top: number, title: string, lines: string[]): string[] {
  const [x, wide] = [margin, width - 2 * margin];
  const first = top + padding + lineHeight + 6;
  return [
    element("rect", { x, y: top, width: wide, height: heightOf(lines), rx: 6, fill: "#ffffff", stroke: "#c9d3e4" }),
    element("path", { d: `M${x} ${top + 30}h${wide}`, stroke: "#c9d3e4" }),
    text(x + padding, top + 20, title, { fill: faint }),
    ...lines.map((line, index) =>
      text(x + padding, first + lineHeight * (index + 0.7), line, {
        "font-family": "DejaVu Sans Mono,Consolas,Menlo,monospace",
        "xml:space": "preserve",
        fill: colours[line.trimStart()[0] ?? ""] ?? ink,
      }),
    ),
  ];
}
