import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import ts from "typescript";
import packageJson from "../../../package.json";
import packageLock from "../../../package-lock.json";
import { sdkLanguages, writeLanguageSdks } from "../../../sdk/generator/languages";
import schema from "../../../sdk/schema.json";

const root = path.resolve(__dirname, "../../..");
const sdks = path.join(root, "sdk");
const read = (...parts: string[]) => fs.readFileSync(path.join(...parts), "utf8");

/** What git ignores in a directory and below: tools of the language leave their files there. */
function ignored(directory: string): RegExp {
  const file = path.join(directory, ".gitignore");
  const lines = fs.existsSync(file) ? read(file).split("\n") : [];
  const names = lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.replace(/\/$/, ""));
  const patterns = names.map((name) => name.replaceAll(".", "\\.").replaceAll("*", "[^/]*"));
  return new RegExp(`(^|/)(${patterns.join("|")})(/|$)`);
}

/** Every file below a directory with its bytes, but for what git ignores. */
function filesIn(directory: string): Map<string, Buffer> {
  const rules = [ignored(directory), ignored(root)];
  const files = fs.readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) => path.relative(directory, path.join(parentPath, name)));
  const kept = names.filter((name) => !rules.some((rule) => rule.test(name))).sort();
  return new Map(kept.map((name) => [name, fs.readFileSync(path.join(directory, name))]));
}

/** What a user writes: each component, one that takes what another one gives, and one with a misspelt argument. */
const program = `
import * as minicluster from "./index";

const pool = new minicluster.EksNodePool("hpc", {
  clusterName: "flux", nodeRoleArn: "role", subnetIds: ["subnet"], machineTypes: ["m7i.large"], size: 2,
});
const home = new minicluster.MiniCluster("home", {
  size: 2,
  containers: [{ image: "ubuntu:noble", command: "hostname" }],
  pool: pool.scheduling,
  wait: minicluster.types.enums.MiniClusterWait.Ready,
  bursting: { clusters: [{ name: "far", maxSize: 4 }], expose: { endpoint: { address: "lead.example.com" } } },
  podTemplate: { spec: { tolerations: [{ operator: "Exists" }] } },
});
const containers = [{ image: "ubuntu:noble" }];
new minicluster.BurstCluster("far", { root: home.burst.apply((root) => root!), containers });
new minicluster.MiniClusterManifest("old", { file: "minicluster.yaml" });
new minicluster.MiniCluster("a", { containers: [], sise: 2 });
export const hosts = home.hostlist.apply((hostlist) => hostlist.length);
`;

describe("the SDKs", function () {
  // The first time the generator is built, with all of Pulumi's own.
  this.timeout(20 * 60_000);

  let directory: string;
  before(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-sdks-"));
    writeLanguageSdks(directory, [...sdkLanguages, "nodejs"]);
  });
  after(() => fs.rmSync(directory, { recursive: true }));

  for (const language of sdkLanguages)
    it(`are current: ${language} (npm run sdk rewrites it)`, () => {
      const [fresh, kept] = [filesIn(path.join(directory, language)), filesIn(path.join(sdks, language))];
      assert.deepEqual([...kept.keys()], [...fresh.keys()]);
      const differing = [...fresh.keys()].filter((name) => !kept.get(name)?.equals(fresh.get(name)!));
      assert.deepEqual(differing, []);
    });

  it("for Node.js, which pulumi package add writes, compiles, and refuses what the schema does not have", () => {
    const sdk = path.join(directory, "nodejs");
    fs.symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"));
    const file = path.join(sdk, "program.ts");
    fs.writeFileSync(file, program);
    const { config } = ts.readConfigFile(path.join(sdk, "tsconfig.json"), (name) => ts.sys.readFile(name)) as {
      config: object;
    };
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, sdk);
    const compiler = ts.createProgram([...fileNames, file], { ...options, skipLibCheck: true, noEmit: true });
    const errors = ts.getPreEmitDiagnostics(compiler);
    const said = errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
    assert.equal(said.length, 1, said.join("\n"));
    assert.match(said[0] ?? "", /'sise' does not exist/);
  });
});

it("the version of the package is that of the lockfile, the schema and the first section of the changelog", () => {
  const [, first] = /^## \[?([^\s,\]]+)/m.exec(read(root, "CHANGELOG.md")) ?? [];
  // The SDKs are generated from the schema, and have its version.
  assert.deepEqual([packageLock.version, schema.version, first], Array(3).fill(packageJson.version));
});

describe("the SDK for .NET", () => {
  it("has no member with the name of its class, which C# does not allow", () => {
    const sources = [...filesIn(path.join(sdks, "dotnet"))].filter(([file]) => file.endsWith(".cs"));
    const twice = sources.flatMap(([, content]) =>
      content
        .toString()
        .split(/(?= (?:class|struct) \w)/)
        .filter((part) =>
          new RegExp(`^ (class|struct) (\\w+)\\b[^]*\\n\\s+public [^(\\n]*[ ]\\2 (=>|\\{|=|;)`).test(part),
        )
        .map((part) => part.slice(0, part.indexOf("\n"))),
    );
    assert.deepEqual(twice, []);
  });
});
