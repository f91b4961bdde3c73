import {
  type Document,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  Scalar,
  type ScalarTag,
  type Tags,
} from "yaml";

/** A problem at an offset of a text. */
export interface TextProblem {
  offset: number;
  message: string;
}

/** The documents of a text, without empty documents. */
export interface ParsedText {
  documents: Document[];
  problems: TextProblem[];
  position: (offset: number) => Position;
}

/** A position in a text. Lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

// The size limit of an object in etcd: no manifest that was ever applied is larger.
const maxBytes = 1.5 * 1024 * 1024;

/** Parses YAML 1.1 with the types of kubectl, which uses Go's `sigs.k8s.io/yaml`. */
export function parseYaml(text: string): ParsedText {
  const lineCounter = new LineCounter();
  const position = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refusal = refusalOf(text);
  if (refusal !== undefined) return { documents: [], problems: [{ offset: 0, message: refusal }], position };
  const documents: Document[] = parseAllDocuments(text, { ...options, lineCounter });
  const problems = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ pos, code, message }) => ({ offset: pos[0], message: messageOf(code, message) })),
  );
  return { documents: documents.filter(({ contents }) => !isNull(contents)), problems, position };
}

function refusalOf(text: string): string | undefined {
  if (Buffer.byteLength(text) > maxBytes) return "is larger than 1.5 MiB; Kubernetes stores no object of this size";
  return text.includes("\0") ? "has NUL characters, probably because it is UTF-16; save it as UTF-8" : undefined;
}

const isNull = (node: Node | null) => node === null || (isScalar(node) && node.value === null);

/** The key of a merged map, as a value. */
export const mergeKey = Symbol("<<");

// The float tag of the package also matches "e2" and ".", as NaN. A number that Go cannot represent, such as the hash
// 12e4567, is a string.
const float: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  test: /^[-+]?(\d[\d_]*(\.[\d_]*)?|\.\d[\d_]*)([eE][-+]?\d+)?$/,
  resolve: (text) => {
    const value = Number(text.replaceAll("_", ""));
    return Number.isFinite(value) ? value : text;
  },
};

/** A merge key as Go reads it: the merged entries replace those before it. An earlier map of a list takes precedence. */
const merge: ScalarTag = {
  tag: "tag:yaml.org,2002:merge",
  default: "key",
  test: /^<<$/,
  resolve: () =>
    Object.assign(new Scalar(mergeKey), {
      addToJSMap: ((context, map, value) => {
        const sources: unknown = isNode(value) ? value.toJSON(null, context) : value;
        for (const source of [sources].flat().reverse()) Object.assign(map, source);
      }) satisfies Scalar["addToJSMap"],
    }),
};

// Go has no numbers of base 60 and no timestamps, and supports none of the other tags; it has octal numbers such as 0o17.
const isOfGo = (tag: Tags[number]) =>
  typeof tag === "object" &&
  !/:(binary|merge|omap|pairs|set|timestamp)$/.test(tag.tag) &&
  !("test" in tag && ["1:00", "1:00.0", "e2", "."].some((text) => tag.test?.test(text)));

const options = {
  version: "1.1",
  schema: "yaml-1.1",
  customTags: (tags: Tags): Tags => [...tags.filter(isOfGo), "intOct", float, merge],
  resolveKnownTags: false,
  // kubectl accepts duplicate keys.
  uniqueKeys: false,
  // A code frame would print secrets.
  prettyErrors: false,
} as const;

/** A message of the parser without its quotations of the text. */
const messageOf = (code: string, message: string) => ownMessages[code] ?? message.replace(/(?<! ): [\s\S]*$/, "");

const ownMessages: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED:
    "its tag is unknown, or does not match the value; remove it, or put the value in quotes if it begins with !",
  BAD_DIRECTIVE: "unsupported directive; remove it, or put the value in quotes if it begins with %",
  BAD_DQ_ESCAPE: "invalid escape sequence in double quotes; write \\\\ for a backslash",
  RESOURCE_EXHAUSTION: "is nested too deep",
};
