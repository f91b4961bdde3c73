import * as fs from "node:fs";
import * as path from "node:path";
import { consoleTexts } from "../../provider/brokers/flux/programs";
import { mirroredFields } from "./conformance";
import { schemaFile } from "./schema";
import { renderConformance } from "./pages/conformance";
import { renderReference } from "./pages/reference";
import { type OpenApi, renderRestApi } from "./pages/restApi";
import type { PackageSchema } from "./pages/schema";

/** Where the pages lie. */
export const docsDirectory = path.resolve(__dirname, "../../docs");

export const readSchema = () => JSON.parse(fs.readFileSync(schemaFile, "utf8")) as PackageSchema;

/** The pages that are written by this program, by file. */
export const renderPages = (): Record<string, string> => ({
  ...renderReference(readSchema(), mirroredFields),
  "conformance.md": renderConformance(),
  "reference/rest-api.md": renderRestApi(JSON.parse(consoleTexts["openapi.json"]) as OpenApi),
});

if (require.main === module) {
  // The page of a component that is gone must not stay behind.
  fs.rmSync(path.join(docsDirectory, "reference"), { recursive: true, force: true });
  fs.mkdirSync(path.join(docsDirectory, "reference"));
  for (const [file, text] of Object.entries(renderPages())) fs.writeFileSync(path.join(docsDirectory, file), text);
}
