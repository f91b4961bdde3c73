import { MiniClusterResize } from "../minicluster/args";
import { choice, nonEmptyText, object, text } from "../shared/checks";
import { inputPropertiesError, inputProblems } from "../shared/errors";
import { type MiniClusterManifestArgs, MiniClusterUnknownFields } from "./args";
import type { MiniClusterFromManifest } from "./cluster";
import { readMiniClusterManifest, readMiniClusterManifestFile } from "./read";

const fields = object({
  text: text.optional(),
  file: nonEmptyText.optional(),
  unknownFields: choice(MiniClusterUnknownFields).default(MiniClusterUnknownFields.Error),
  resize: choice(MiniClusterResize).default(MiniClusterResize.Patch),
});

const schema = fields.superRefine(({ text, file }, context) => {
  if ((text === undefined) === (file === undefined))
    context.addIssue({ code: "custom", path: ["text"], message: "give one of text and file", input: text });
});

/** The clusters of a manifest that a program names, and what to call it in a warning. */
export function readSource(
  name: string,
  args: MiniClusterManifestArgs,
): { clusters: MiniClusterFromManifest[]; fileName: string } {
  const parsed = schema.safeParse(args);
  if (!parsed.success) throw inputPropertiesError(`MiniClusterManifest ${name}`, inputProblems(parsed.error));
  const { text, file, unknownFields, resize } = parsed.data;
  const fileName = file ?? name;
  const options = { unknownFields, fileName };
  const clusters =
    file === undefined ? readMiniClusterManifest(text ?? "", options) : readMiniClusterManifestFile(file, options);
  return { fileName, clusters: clusters.map((read) => ({ ...read, args: { ...read.args, resize } })) };
}
