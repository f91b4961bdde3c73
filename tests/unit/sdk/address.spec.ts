import assert from "node:assert/strict";
import schema from "../../../sdk/schema.json";
import { address, addressOf } from "../../../sdk/generator/address";

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

  it("is in the schema, and no other namespace beside it", () => {
    const { language } = schema;
    assert.deepEqual(
      [schema.repository, schema.homepage, schema.pluginDownloadURL, schema.publisher],
      [address.url, address.url, address.pluginDownloadURL, address.owner],
    );
    assert.equal(language.go.importBasePath, `${address.goModule}/minicluster`);
    assert.equal(language.csharp.rootNamespace, address.dotnetNamespace);
    assert.equal(language.java.basePackage, address.javaPackage);
  });
});
