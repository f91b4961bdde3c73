import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { parseAllDocuments } from "yaml";
import { readMiniClusterManifest } from "../../../provider/operator/read";
import { compilerErrors, fences, pages, readPage, usesCloud } from "../../support/fences";
import { allPrograms } from "../../support/pagePrograms";

const root = path.resolve(__dirname, "../../..");
describe("The code on the pages", () => {
  const all = fences();
  const inLanguage = (language: string) => all.filter((fence) => fence.language === language);

  it("is a program in each language, where it is one in TypeScript", () =>
    assert.deepEqual(
      allPrograms()
        .filter(({ texts }) => !usesCloud(texts.get("TypeScript") ?? ""))
        .flatMap(({ place, missing }) => (missing.length > 0 ? [[place, ...missing]] : [])),
      [],
    ));

  it("is in a language that a test compiles or reads, or is output", () => {
    // Python: pythonTypes.spec.ts. Go: tests/engine/pages.spec.ts, which has the SDK compiled. text: what a program
    // prints. console and diff: the pages that are run, on real nodes.
    const known = ["ts", "python", "go", "csharp", "yaml", "sh", "text", "console", "diff"];
    const others = all.filter(({ language }) => !known.includes(language));
    assert.deepEqual(others, []);
  });

  it("compiles, where it is TypeScript", function () {
    this.timeout(180_000);
    const programs = inLanguage("ts");
    assert.ok(programs.length > 25);
    const [withCloud = [], others = []] = [true, false].map((is) =>
      programs.filter(({ text }) => usesCloud(text) === is),
    );
    assert.deepEqual([...compilerErrors(others), ...compilerErrors(withCloud, true)], []);
  });

  const readers: Record<string, (text: string) => string> = {
    sh: (input) => spawnSync("bash", ["-n"], { input, encoding: "utf8" }).stderr,
    yaml: yamlProblem,
  };
  for (const [language, problemOf] of Object.entries(readers))
    it(`is what it says, where it is ${language}: a manifest of a MiniCluster as well`, () => {
      const texts = inLanguage(language);
      assert.ok(texts.length > 10);
      const problems = texts.map(({ place, text }) => ({ place, problem: problemOf(text) }));
      assert.deepEqual(
        problems.filter(({ problem }) => problem !== ""),
        [],
      );
    });

  // The engine runs the programs: tests/engine/pages.spec.ts.
  function yamlProblem(text: string): string {
    const documents = parseAllDocuments(text);
    const [error] = documents.flatMap(({ errors }) => errors);
    if (error) return error.message;
    const [first] = documents.map((document) => document.toJS() as { kind?: string });
    return first?.kind === "MiniCluster" ? wrongManifest(text) : "";
  }

  function wrongManifest(text: string): string {
    try {
      readMiniClusterManifest(text);
      return "";
    } catch (error) {
      return String(error);
    }
  }
});

describe("The links on the pages", () => {
  /** Anchors of the headings of a page, as GitHub makes them. */
  const anchors = (page: string) =>
    [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .replace(/\s/g, "-"),
    );

  const links = pages().flatMap((page) =>
    [...readPage(page).matchAll(/(?:\]\(|href=")(?!https?:|mailto:)([^)"\s]+)[)"]/g)].map(([, target = ""]) => ({
      page,
      target,
    })),
  );

  it("lead to a file, and to a heading of it", () => {
    assert.ok(links.length > 60);
    const broken = links.filter(({ page, target }) => {
      const [file = "", anchor] = target.split("#");
      const found = file === "" ? page : path.join(path.dirname(page), file);
      if (!fs.existsSync(path.join(root, found))) return true;
      return anchor !== undefined && !anchors(found).includes(anchor);
    });
    assert.deepEqual(broken, []);
  });

  it("lead from the README into what npm packs", () => {
    const { files } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as { files: string[] };
    const folders = files.map((file) => file.split("/")[0]);
    // npm packs the README itself; what only contributors read is not in it.
    const outside = links.filter(({ page, target }) => page === "README.md" && target !== "CONTRIBUTING.md");
    const unpacked = outside.filter(({ target }) => !folders.includes(target.split("/")[0]));
    assert.deepEqual(unpacked, []);
  });
});
