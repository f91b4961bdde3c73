import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import packageJson from "../../../package.json";
import schema from "../../../sdk/schema.json";
import { address, addressOf } from "../../../sdk/generator/address";
import { filesWithAddress } from "../../../sdk/generator/setAddress";

const root = path.resolve(__dirname, "../../..");

describe("the address of the package", () => {
  it("names the repository, the plugin and the packages of each language", () =>
    assert.deepEqual(addressOf("git+https://github.com/4flux-labs/minicluster.git"), {
      owner: "4flux-labs",
      url: "https://github.com/4flux-labs/minicluster",
      pluginDownloadURL: "github://api.github.com/4flux-labs/minicluster",
      goModule: "github.com/4flux-labs/minicluster/sdk/go",
      dotnetNamespace: "_4fluxLabs",
      javaPackage: "io.github._4fluxlabs",
    }));

  for (const wrong of ["", "https://example.com/a/b", "https://github.com/a", "https://github.com/-a/b"])
    it(`is refused where it is no repository: ${JSON.stringify(wrong)}`, () =>
      assert.throws(() => addressOf(wrong), /write https:\/\/github\.com\/<owner>\/<name>/));

  it("is in the schema, and nobody else's namespace beside it", () => {
    const { language } = schema;
    assert.deepEqual(
      [schema.repository, schema.homepage, schema.pluginDownloadURL, schema.publisher],
      [address.url, address.url, address.pluginDownloadURL, address.owner],
    );
    assert.equal(language.go.importBasePath, `${address.goModule}/minicluster`);
    assert.equal(language.csharp.rootNamespace, address.dotnetNamespace);
    assert.equal(language.java.basePackage, address.javaPackage);
  });

  it("is the one that the programs in Go import", () => {
    const programs = filesWithAddress().filter((file) => !/(Pulumi\.yaml|installation-configuration\.md)$/.test(file));
    assert.ok(programs.length >= 5);
    for (const file of programs) {
      const imported = fs.readFileSync(file, "utf8").match(/\S*\/sdk\/go\b(?=["/ ])/g) ?? [];
      const foreign = imported.filter((module) => !/^"?(github\.com\/pulumi\/|(\.\.\/)+sdk)/.test(module));
      assert.deepEqual([...new Set(foreign.map((module) => module.replace('"', "")))], [address.goModule], file);
    }
  });

  it("stands in package.json alone, for what is written by hand", () => {
    const name = packageJson.repository.url.replace(/.*\/([\w-]+)\.git$/, "$1");
    const places = ["README.md", "CONTRIBUTING.md", "docs", "templates", ".github", "provider", "sdk/release"];
    const files = places.flatMap((place) => filesIn(path.join(root, place)));
    assert.ok(files.length > 50);
    const naming = files.filter((file) => fs.readFileSync(file, "utf8").includes(`${address.owner}/${name}`));
    // What is generated, or rewritten by npm run address, follows it.
    const own = naming.filter((file) => !filesWithAddress().includes(file));
    assert.deepEqual(own, []);
  });
});

function filesIn(place: string): string[] {
  if (fs.statSync(place).isFile()) return [place];
  return fs
    .readdirSync(place, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !/[\\/](node_modules|\.vitepress[\\/](dist|cache))([\\/]|$)/.test(entry.parentPath),
    )
    .map((entry) => path.join(entry.parentPath, entry.name));
}
