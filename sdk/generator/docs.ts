import * as fs from "node:fs";
import * as path from "node:path";
import { sourceText } from "../../provider/shared/sources";
import { mirroredFields } from "./conformance";
import { schemaFile } from "./schema";
import { renderConformance } from "./pages/conformance";
import { renderReference } from "./pages/reference";
import { type OpenApi, renderRestApi } from "./pages/restApi";
import type { PackageSchema } from "./pages/schema";
import { readGoTypes } from "./programs/goTypes";
import { withLanguages } from "./programs/pages";

/** Directory of the pages. */
export const docsDirectory = path.resolve(__dirname, "../../docs");

export const readSchema = () => JSON.parse(fs.readFileSync(schemaFile, "utf8")) as PackageSchema;

/** The generated pages, by file. */
export const renderPages = (): Record<string, string> => ({
  ...renderReference(readSchema(), mirroredFields),
  "conformance.md": renderConformance(),
  "reference/rest-api.md": renderRestApi(JSON.parse(sourceText("console/programs/openapi.json")) as OpenApi),
});

const rootDirectory = path.dirname(docsDirectory);

/** The handwritten pages, with their programs in each language, by file. */
export function renderPrograms(): Record<string, string> {
  const types = readGoTypes();
  const pages = ["docs", "sdk/generator/examples"].flatMap((folder) =>
    fs
      .readdirSync(path.join(rootDirectory, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !/^reference[/\\]/.test(file))
      .map((file) => path.join(folder, file)),
  );
  const files = ["README.md", ...pages.sort()];
  const read = (file: string) => fs.readFileSync(path.join(rootDirectory, file), "utf8");
  return Object.fromEntries(files.map((file) => [file, withLanguages(read(file), types)]));
}

if (require.main === module) {
  for (const [file, text] of Object.entries(renderPrograms())) fs.writeFileSync(path.join(rootDirectory, file), text);
  // The page of a removed component must not remain.
  fs.rmSync(path.join(docsDirectory, "reference"), { recursive: true, force: true });
  fs.mkdirSync(path.join(docsDirectory, "reference"));
  for (const [file, text] of Object.entries(renderPages())) fs.writeFileSync(path.join(docsDirectory, file), text);
}
