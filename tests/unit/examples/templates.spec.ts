import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";
import packageJson from "../../../package.json";
import { address } from "../../../sdk/generator/address";

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

  it("name the packages of this version", () => {
    const [major, minor] = packageJson.version.split(".");
    const { dependencies } = JSON.parse(read("minicluster-typescript", "package.json")) as { dependencies: object };
    assert.deepEqual(Object.entries(dependencies).at(-1), [packageJson.name, `^${packageJson.version}`]);
    assert.match(
      read("minicluster-python", "requirements.txt"),
      new RegExp(`pulumi_minicluster>=${major}\\.${minor},`),
    );
    assert.match(read("minicluster-go", "go.mod"), new RegExp(`/sdk/go v${packageJson.version}\n`));
    const { packages } = parse(read("minicluster-yaml", "Pulumi.yaml")) as { packages: object };
    const repository = address.url.replace("https://", "");
    assert.deepEqual(packages, { minicluster: `${repository}@v${packageJson.version}` });
  });
});
