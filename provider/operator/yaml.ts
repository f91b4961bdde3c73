import { Composer, type Document, isScalar, LineCounter, type Node, type ParsedNode, Parser } from "yaml";
import { limitedTokens, maxDepth, TooLarge } from "../shared/yamlTokens";
import { plainScalar } from "./scalar";

/** A problem at an offset of a text. */
export interface TextProblem {
  offset: number;
  message: string;
}

/** The documents of a text, without the empty ones. */
export interface ParsedText {
  documents: YamlDocument[];
  problems: TextProblem[];
  position: (offset: number) => Position;
}

export type YamlDocument = Document.Parsed<ParsedNode>;

/** A position in a text. Lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

// The size limit of an object in etcd: no manifest that was ever applied is larger.
const maxBytes = 1.5 * 1024 * 1024;

/**
 * Parses YAML into documents of strings, whose types `plainScalar` finds as kubectl does. Never throws because of the text, and
 * limits its work.
 */
export function parseYaml(text: string): ParsedText {
  const lineCounter = new LineCounter();
  const position = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    checkCharacters(text);
    const documents = parseDocuments(text, lineCounter);
    const problems = documents.flatMap(({ errors, warnings }) =>
      [...errors, ...warnings].map(({ pos, code, message }) => ({ offset: pos[0], message: messageOf(code, message) })),
    );
    return { documents: documents.filter(isNotEmpty), problems, position };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { documents: [], problems: [{ offset: 0, message: error.message }], position };
  }
}

function checkCharacters(text: string): void {
  if (Buffer.byteLength(text) > maxBytes)
    throw new TooLarge("is larger than 1.5 MiB; Kubernetes stores no object of this size");
  if (text.includes("\0")) throw new TooLarge("has NUL characters, as UTF-16 read as UTF-8 has; save it as UTF-8");
}

function parseDocuments(text: string, lineCounter: LineCounter): YamlDocument[] {
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  const composer = new Composer({
    version: "1.1",
    schema: "failsafe",
    customTags: (known) => [...known, ...scalarTags.map((name) => ({ tag: longTag(name), resolve: String }))],
    resolveKnownTags: false,
    // The parser compares each key with all others. The reader of the documents uses a map instead.
    uniqueKeys: false,
    // A code frame would print secrets.
    prettyErrors: false,
  });
  return [...composer.compose(syntaxOf(text, parser))] as YamlDocument[];
}

/** The tags of YAML 1.1 that set the type of a scalar, such as `!!int 5`. */
export const scalarTags = ["null", "bool", "int", "float"] as const;
export const longTag = (name: string) => `tag:yaml.org,2002:${name}`;

function* syntaxOf(text: string, parser: Parser) {
  for (const lexeme of limitedTokens(text)) yield* parser.next(lexeme);
  yield* parser.end();
}

const isNotEmpty = ({ contents }: YamlDocument) => !isNull(contents);

const isNull = (node: Node | null) =>
  node === null || (isScalar(node) && node.type === "PLAIN" && !node.tag && plainScalar(node.source ?? "") === null);

/** A message of the parser without its quotations of the text. */
function messageOf(code: string, message: string): string {
  return ownMessages[code] ?? message.replace(/(?<! ): [\s\S]*$/, "");
}

const ownMessages: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: "unsupported tag; remove it, or put the value in quotes if it begins with !",
  BAD_DIRECTIVE: "unsupported directive; remove it, or put the value in quotes if it begins with %",
  BAD_DQ_ESCAPE: "invalid escape sequence in double quotes; write \\\\ for a backslash",
  RESOURCE_EXHAUSTION: `is nested more than ${maxDepth} levels deep`,
};
