import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { parseAllDocuments } from "yaml";
import { readMiniClusterManifest } from "../../../provider/operator/read";
import { compilerErrors, fences, pages, readPage } from "../../support/fences";
import { readSchema } from "../../support/languages/packageSchema";
import { yamlProblems } from "../../support/languages/yamlCheck";

const root = path.resolve(__dirname, "../../..");

describe("The code on the pages", () => {
  const all = fences();
  const inLanguage = (language: string) => all.filter((fence) => fence.language === language);
  // Pieces of programs, on a page that is not finished.
  const unread = ["typescript", "go", "text", ""];

  it("is in languages that something here reads, or is no code", () => {
    const known = ["ts", "python", "yaml", "sh", ...unread];
    const others = all.filter(({ language }) => !known.includes(language));
    assert.deepEqual(others, []);
  });

  it("compiles, where it is TypeScript", function () {
    this.timeout(180_000);
    const programs = inLanguage("ts");
    assert.ok(programs.length > 25);
    assert.deepEqual(compilerErrors(programs), []);
  });

  const readers: Record<string, (text: string) => string> = {
    sh: (input) => spawnSync("bash", ["-n"], { input, encoding: "utf8" }).stderr,
    yaml: yamlProblem,
  };
  for (const [language, problemOf] of Object.entries(readers))
    it(`is what it says, where it is ${language}: a manifest of a MiniCluster and a program in YAML, too`, () => {
      const texts = inLanguage(language);
      assert.ok(texts.length > 10);
      const problems = texts.map(({ place, text }) => ({ place, problem: problemOf(text) }));
      assert.deepEqual(
        problems.filter(({ problem }) => problem !== ""),
        [],
      );
    });

  function yamlProblem(text: string): string {
    const documents = parseAllDocuments(text);
    const [error] = documents.flatMap(({ errors }) => errors);
    if (error) return error.message;
    const [first] = documents.map((document) => document.toJS() as { kind?: string; resources?: object });
    if (first?.kind === "MiniCluster") return wrongManifest(text);
    return first?.resources ? yamlProblems(first, readSchema()).join("; ") : "";
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
    [...readPage(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target })),
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

  it("are none to other pages in those of Pulumi's registry, which shows them elsewhere", () =>
    assert.ok(links.every(({ page }) => !/\/(_index|installation-configuration)\.md$/.test(page))));

  it("lead from the README into what npm packs", () => {
    const { files } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as { files: string[] };
    const folders = files.map((file) => file.split("/")[0]);
    // npm packs the README itself; what only contributors read is not in it.
    const outside = links.filter(({ page, target }) => page === "README.md" && target !== "CONTRIBUTING.md");
    const unpacked = outside.filter(({ target }) => !folders.includes(target.split("/")[0]));
    assert.deepEqual(unpacked, []);
  });
});
