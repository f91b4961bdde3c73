import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { MiniClusterResize } from "../core/args";
import { choice, nonEmptyText, object, text } from "../shared/checks";
import { type InputProblem, inputProblems, inputPropertiesError, problemsOf } from "../shared/errors";
import { type MiniClusterManifestArgs, type MiniClusterManifestOptions, MiniClusterUnknownFields } from "./args";
import { type ClusterReading, type MiniClusterFromManifest, type ReadCluster, readClusters } from "./cluster";
import { Overrides, overridesField } from "./overrides";
import { manifestError } from "./problems";
import { templateProblem } from "./template";
import { parseYaml } from "./yaml";

/**
 * Reads the MiniClusters of a manifest of the Flux Operator, v1alpha1 or v1alpha2. Throws one error with all problems
 * of the manifest, each with its line.
 */
export function readMiniClusterManifest(
  text: string,
  options: MiniClusterManifestOptions = {},
): MiniClusterFromManifest[] {
  return readWith(text, options, { overrides: new Overrides() });
}

function readWith(
  text: string,
  { unknownFields, fileName = "manifest" }: MiniClusterManifestOptions,
  { overrides, resize }: Pick<ClusterReading, "overrides" | "resize">,
): MiniClusterFromManifest[] {
  const { documents, problems: textProblems, position } = parseYaml(text);
  const problems = textProblems.map(({ offset, message }) => ({ path: "", ...position(offset), message }));
  // After a syntax error, further problems are meaningless.
  if (problems.length > 0) throw manifestError(fileName, templateProblem(text, problems) ?? problems);
  if (documents.length === 0)
    problems.push({ path: "", ...position(0), message: "contains no document; must contain a MiniCluster" });
  const isStrict = unknownFields !== MiniClusterUnknownFields.Warn;
  const reading = { isStrict, overrides, resize, position, problems };
  const clusters = documents.flatMap((document) => readClusters(document, reading));
  reportDuplicates(clusters);
  if (problems.length > 0)
    throw manifestError(fileName, templateProblem(text, problems) ?? problems, problemsOf(overrides.issues));
  return clusters.flatMap(({ cluster }) => cluster ?? []);
}

/** Reads the MiniClusters of a manifest file, as `readMiniClusterManifest` does. */
export function readMiniClusterManifestFile(
  path: string,
  options: MiniClusterManifestOptions = {},
): MiniClusterFromManifest[] {
  const { fileName = path } = options;
  return readMiniClusterManifest(readText(path, fileName), { ...options, fileName });
}

// No manifest is that large. For smaller files, the limit of a text applies.
const largestFile = 16 * 1024 * 1024;

function readText(path: string, fileName: string): string {
  const refusal = (message: string) => manifestError(fileName, [{ path: "", line: 1, column: 1, message }]);
  try {
    // The message of `statSync` contains the directory in which the file was searched.
    const stats = statSync(resolve(path));
    // A pipe or a device may never end.
    if (!stats.isFile()) throw refusal("is not a file");
    if (stats.size > largestFile) throw refusal("is too large for a manifest");
    return decode(readFileSync(path));
  } catch (error) {
    if (pulumi.InputPropertiesError.isInstance(error)) throw error;
    throw refusal(`cannot be read: ${(error as Error).message}`);
  }
}

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark, which redirections of PowerShell write. */
function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("latin1");
  const encoding = mark === "\xff\xfe" ? "utf-16le" : mark === "\xfe\xff" ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`its bytes are not valid ${encoding.toUpperCase()}; save it as UTF-8`);
  }
}

/** Reports clusters that conflict with each other: with one name, or with one name for their services. */
function reportDuplicates(clusters: ReadCluster[]): void {
  const names = new Set<string>();
  const services = new Map<string, string>();
  for (const { namespace, name, headlessName, sidecarServices, addNameIssue } of clusters) {
    const sidecars: [service: string, remedy: string][] = sidecarServices.map((each) => [each, "rename the container"]);
    const all: typeof sidecars = [[headlessName, "set another network.headlessName"], ...sidecars];
    if (names.has(`${namespace}/${name}`)) addNameIssue(`${namespace}/${name} is a duplicate; rename one of them`);
    else
      for (const [service, remedy] of all) {
        const holder = services.get(`${namespace}/${service}`);
        if (holder !== undefined) addNameIssue(`its Service ${service} is also the Service of ${holder}; ${remedy}`);
      }
    names.add(`${namespace}/${name}`);
    for (const [service] of all) services.set(`${namespace}/${service}`, name);
  }
}

const fields = object({
  text: text.optional(),
  file: nonEmptyText.optional(),
  unknownFields: choice(MiniClusterUnknownFields).default(MiniClusterUnknownFields.Error),
  resize: choice(MiniClusterResize).optional(),
  overrides: overridesField.optional(),
});

const schema = fields.superRefine(({ text, file }, context) => {
  if ((text === undefined) === (file === undefined))
    context.addIssue({ code: "custom", path: ["text"], message: "set either text or file", input: text });
});

/** The clusters of the manifest in the arguments, and the name of the manifest in warnings. */
export function readSource(
  name: string,
  args: MiniClusterManifestArgs,
): { clusters: MiniClusterFromManifest[]; fileName: string } {
  const refuse = (problems: InputProblem[]) => inputPropertiesError(`MiniClusterManifest ${name}`, problems);
  const parsed = schema.safeParse(args);
  if (!parsed.success) throw refuse(inputProblems(parsed.error));
  const { text, file, unknownFields, resize } = parsed.data;
  const overrides = new Overrides(parsed.data.overrides);
  const fileName = file ?? name;
  const source = file === undefined ? (text ?? "") : readText(file, fileName);
  const clusters = readWith(source, { unknownFields, fileName }, { overrides, resize });
  overrides.checkNames();
  if (overrides.issues.length > 0) throw refuse(problemsOf(overrides.issues));
  return { fileName, clusters };
}
