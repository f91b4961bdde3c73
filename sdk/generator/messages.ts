import * as fs from "node:fs";
import * as path from "node:path";
import ts from "typescript";

const provider = path.resolve(__dirname, "../../provider");

/** Sources without messages: files and commands of pods and nodes, and the tables of machines. */
const rendered =
  /^((brokers|study)\/flux\/(?!hosts)|brokers\/(objects|parse\/(names|paths))|clouds\/\w+\/machines|shared\/quote)\b/;

/** A text of several words in a source, with `${…}` for values that are inserted at run time. */
interface Message {
  line: number;
  text: string;
}

/** Every message of the provider that a user may see, by file: issues, notices, warnings and errors, in the order of the sources. */
export function messagesByFile(): Map<string, Message[]> {
  const files = fs.readdirSync(provider, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const found = files
    .sort()
    .filter((file) => !rendered.test(file))
    .map((file) => [file, messagesIn(fs.readFileSync(path.join(provider, file), "utf8"))] as const);
  return new Map(found.filter(([, messages]) => messages.length > 0));
}

/** The messages of one source. */
function messagesIn(source: string): Message[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const messages: Message[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && !isRendered(text) && /[a-z]\S* [a-z]/.test(text))
      messages.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
    // The parts of a text belong to it; inserted values may contain other messages.
    if (text !== undefined) valuesIn(node).forEach(visit);
    else if (!ts.isImportDeclaration(node)) node.forEachChild(visit);
  };
  visit(file);
  return messages;
}

/** Whether a text is code, a table, a style or a filter of OData, and not a message. */
function isRendered(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (/^(#|- )| eq '|sans-serif/.test(text) || lines.length > 10) return true;
  return lines.length > 1 && lines.every((line) => /^\s*\S+:( |$)/.test(line));
}

/** A text in the form of the source, with its inserted values, or undefined for any other expression. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => hole(span.expression) + span.literal.text).join("");
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const sides = [node.left, node.right].map((side) => ({ side, text: textOf(side) }));
    if (sides.some(({ text }) => text !== undefined)) return sides.map(({ side, text }) => text ?? hole(side)).join("");
  }
  return undefined;
}

const hole = (expression: ts.Expression) => `\${${expression.getText().replace(/\s+/g, " ")}}`;

/** The expressions that are inserted into a text. */
function valuesIn(node: ts.Node): ts.Expression[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (!ts.isBinaryExpression(node)) return [];
  return [node.left, node.right].flatMap((side) => (textOf(side) === undefined ? [side] : valuesIn(side)));
}

if (require.main === module)
  for (const [file, messages] of messagesByFile()) {
    console.log(`provider/${file}`);
    for (const { line, text } of messages) console.log(`${String(line).padStart(5)}  ${text}`);
  }
