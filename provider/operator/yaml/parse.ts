import { type Document, Lexer, LineCounter, parseAllDocuments, type ParsedNode, type Tags } from "yaml";

/** Something that is wrong at a place of a text. */
export interface TextProblem {
  offset: number;
  message: string;
}

/** The documents of a text, without the empty ones. */
export interface ParsedText {
  documents: Document.Parsed<ParsedNode>[];
  problems: TextProblem[];
  place: Place;
}

/** Tells an offset of a text as a line and a column, which count from 1. */
export type Place = (offset: number) => { line: number; column: number };

// What etcd takes as one object: no manifest that ever reached a cluster is larger.
const maxBytes = 1.5 * 1024 * 1024;

// A MiniCluster has ten levels.
const maxDepth = 100;

/**
 * Parses YAML as kubectl does: version 1.1, where yes, no, on and off are booleans, without the times of day and dates that
 * kubectl leaves as strings. Never throws for what stands in the text, and looks at no more than a cluster would.
 */
export function parseYaml(text: string): ParsedText {
  const counter = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refused = (message: string) => ({ documents: [], problems: [{ offset: 0, message }], place });
  if (Buffer.byteLength(text) > maxBytes) return refused("is larger than 1.5 MiB; Kubernetes takes no such object");
  if (isTooDeep(text)) return refused(`is nested more than ${maxDepth} levels deep`);
  const documents = documentsOf(text, counter);
  const problems = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ pos, message }) => ({ offset: pos[0], message: withoutQuotation(message) })),
  );
  return { documents: documents.filter(isNotEmpty), problems, place };
}

/** Whether a text has more levels than the parser, which calls itself once for each, takes in good time. */
function isTooDeep(text: string): boolean {
  if (!couldBeDeep(text)) return false;
  let brackets = 0;
  let signsInLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (/^[\r\n]/.test(token)) signsInLine = 0;
    else if (/^[[{]$/.test(token)) brackets++;
    else if (/^[\]}]$/.test(token)) brackets = Math.max(brackets - 1, 0);
    // Within brackets these signs stand beside each other, not in each other.
    else if (brackets === 0 && /^([-?:]$|[&!])/.test(token)) signsInLine++;
    if (brackets > maxDepth || signsInLine > maxDepth || widestIndent.test(token)) return true;
  }
  return false;
}

const widestIndent = /^ {400,}$/;

/** A first look, for the manifests that people write: whether there are as many brackets, or lines as long. */
function couldBeDeep(text: string): boolean {
  return (text.match(/[[{]/g)?.length ?? 0) > maxDepth || /^.{200}/m.test(text);
}

function documentsOf(text: string, lineCounter: LineCounter): Document.Parsed<ParsedNode>[] {
  const parsed = parseAllDocuments<ParsedNode>(text, {
    version: "1.1",
    schema: "yaml-1.1",
    customTags,
    merge: false,
    // Compares each key with every other: `inspectNodes` finds them in one pass.
    uniqueKeys: false,
    // A code frame would print secrets.
    prettyErrors: false,
    lineCounter,
  });
  return Array.isArray(parsed) ? parsed : [];
}

// Of the types of YAML 1.1, those that JSON has, too.
const customTags = (tags: Tags): Tags =>
  tags.filter(
    (tag) => typeof tag !== "string" && /:(map|seq|str|null|bool|int|float)$/.test(tag.tag) && tag.format !== "TIME",
  );

const isNotEmpty = ({ contents }: Document.Parsed<ParsedNode>) =>
  !(contents === null || ("value" in contents && contents.value === null));

/** A message of the parser without the text that it quotes. */
const withoutQuotation = (message: string) => message.replace(/: "[\s\S]*$/, "");
