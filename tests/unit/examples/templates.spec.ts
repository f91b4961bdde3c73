import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";

const templates = path.resolve(__dirname, "../../../templates");
const read = (...file: string[]) => fs.readFileSync(path.join(templates, ...file), "utf8");

/** Project file of a template. */
interface Template {
  name: string;
  description: string;
  template: { description: string; config: Record<string, { description: string; default?: string }> };
}

describe("The templates for pulumi new", () => {
  const folders = fs.readdirSync(templates).filter((name) => fs.existsSync(path.join(templates, name, "Pulumi.yaml")));

  for (const folder of folders)
    it(`take name and description from the user, and prompt for what the program reads: ${folder}`, () => {
      const { name, description, template } = parse(read(folder, "Pulumi.yaml")) as Template;
      assert.deepEqual([name, description], ["${PROJECT}", "${DESCRIPTION}"]);
      assert.deepEqual(Object.keys(template.config), ["kubernetes:context", "size"]);
      for (const setting of Object.values(template.config))
        assert.ok(setting.description && setting.default !== undefined);
    });

  for (const folder of folders)
    it(`need no published package: pulumi new writes the SDK of the clone beside the project: ${folder}`, () => {
      const { packages } = parse(read(folder, "Pulumi.yaml")) as { packages: object };
      assert.deepEqual(packages, { minicluster: "../minicluster" });
      const manifests = ["package.json", "requirements.txt", "go.mod"].filter((file) =>
        fs.existsSync(path.join(templates, folder, file)),
      );
      for (const file of manifests) assert.doesNotMatch(read(folder, file), /minicluster/);
    });
});
