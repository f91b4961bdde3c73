/**
 * Common parts of the pictures without Graphviz. They have the background and the font of the pictures with Graphviz.
 */
export const background = "#f7f9fc";
export const ink = "#1f2a44";
export const faint = "#5a6b8c";

/** Attributes of an element of SVG. Lengths are in pixels. */
type Attributes = Record<string, string | number>;

/** An element with its content. */
export function element(name: string, attributes: Attributes, content?: string): string {
  const given = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === "number" ? Math.round(10 * value) / 10 : value}"`,
  );
  return `<${name}${given.join("")}${content === undefined ? "/>" : `>${content}</${name}>`}`;
}

/** A line of text from its left end. Spaces are kept. */
export function text(x: number, y: number, words: string, attributes: Attributes = {}): string {
  const escaped = words.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter] as string);
  return element("text", { x, y, ...attributes }, escaped);
}

/** A whole picture on its background. */
export function picture(width: number, height: number, content: string[]): string {
  const all = [element("rect", { width, height, rx: 6, fill: background }), ...content].join("\n");
  const font = { "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": 12, fill: ink };
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  return `${element("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, ...font }, `\n${all}\n`)}\n`;
}
