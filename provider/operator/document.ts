import { type Document, isMap, isScalar, type Node, type ParsedNode } from "yaml";
import { type Field, struct, text, type ValueOf } from "./fields/kinds";
import { metadata, serverMetadata } from "./fields/kubernetes";
import { type MiniClusterV1alpha1, v1alpha1 } from "./fields/v1alpha1";
import { type MiniClusterV1alpha2, v1alpha2 } from "./fields/v1alpha2";
import { pathOf } from "../shared/errors";
import { readField, type Reading } from "./readFields";
import { unknownFieldMessage } from "./unknownField";
import { entriesOf } from "./yaml/entries";
import { type AddIssueAt, inspectNodes, keyText, offsetOf } from "./yaml/inspect";

/** What one document of a manifest says, as it says it. */
export type ReadDocument = {
  metadata: ValueOf<typeof metadata>;
  /** Offset of everything that stands in the document, by path. */
  places: ReadonlyMap<string, number>;
} & ({ version: "v1alpha1"; spec: MiniClusterV1alpha1 } | { version: "v1alpha2"; spec: MiniClusterV1alpha2 });

/** How a document reports: problems of it, and fields that it should not have. */
export interface Reporting {
  addIssue: AddIssueAt;
  unknownField: AddIssueAt;
}

const group = "flux-framework.org";
const specs = { v1alpha1, v1alpha2 } as const;

/** A version of the operator's API. */
export type Version = keyof typeof specs;

/** Reads one document, or nothing when it is not a MiniCluster of a known version. */
export function readDocument(
  document: Document.Parsed<ParsedNode>,
  { addIssue, unknownField }: Reporting,
): ReadDocument | undefined {
  const root: Node = document.contents!;
  const aliases = inspectNodes(document, addIssue);
  if (!aliases) return undefined;
  if (!isMap<Node, Node | null>(root)) {
    addIssue("", offsetOf(root), "is no map of fields; a MiniCluster was expected");
    return undefined;
  }
  const parts = new Map(entriesOf(root, aliases).map((entry) => [keyText(entry.key), entry]));
  const reading: Reading = { aliases, places: new Map([["", offsetOf(root)]]), addIssue, unknown: () => undefined };
  const version = readVersion(parts, reading);
  if (!version) return undefined;
  reading.unknown = (name, parent, offset, { fields }) => {
    if (parent === "metadata" && serverMetadata.has(name)) return;
    unknownField(pathOf(parent, name), offset, unknownFieldMessage(name, parent, fields, version));
  };
  for (const [name, { key }] of parts)
    if (!Object.hasOwn(topLevel, name)) reading.unknown(name, "", offsetOf(key), struct(topLevel));
  return {
    ...{ version, places: reading.places },
    metadata: readPart("metadata", metadata, parts, reading) ?? {},
    spec: readPart("spec", specs[version], parts, reading) ?? {},
  };
}

// The status is the operator's own, and nobody's wish.
const topLevel = { apiVersion: text, kind: text, metadata, spec: text, status: text };

type Parts = ReadonlyMap<string, { key: Node; value: Node | null }>;

function readPart(name: string, field: Field, parts: Parts, reading: Reading): unknown {
  const part = parts.get(name);
  if (!part) return undefined;
  reading.places.set(name, offsetOf(isScalar(part.value) ? part.value : part.key));
  return part.value ? readField(part.value, field, name, reading) : undefined;
}

function readVersion(parts: Parts, reading: Reading): Version | undefined {
  const kind = readPart("kind", text, parts, reading);
  const apiVersion = readPart("apiVersion", text, parts, reading);
  const addIssue = (path: string, message: string) =>
    reading.addIssue(path, reading.places.get(path) ?? reading.places.get("") ?? 0, message);
  if (kind !== "MiniCluster") {
    const found = kind === undefined ? "is missing" : `is ${JSON.stringify(kind)}`;
    addIssue("kind", `${found}; only a MiniCluster can be read here`);
    // The version of another kind is no mistake of its own.
    return undefined;
  }
  const versions = Object.keys(specs) as Version[];
  const version = versions.find((name) => apiVersion === `${group}/${name}`);
  const found = apiVersion === undefined ? "is missing" : `is ${JSON.stringify(apiVersion)}`;
  const wanted = versions.map((name) => `${group}/${name}`).join(" or ");
  if (!version) addIssue("apiVersion", `${found}; must be ${wanted}`);
  return version;
}
