import * as assert from "node:assert/strict";
import { fences, pages, readPage } from "../../support/fences";

/** Price of hpc7g.16xlarge per hour in us-east-1, which has the type, by the AWS Price List of November 2026. */
const hpc7g = 1.6832;

describe("the claims of the pages", () => {
  const all = fences();

  it("give the same price to the same machine", () => {
    const priced = pages().map((page) => [page, readPage(page)]);
    const found = priced.flatMap(([page = "", text = ""]) =>
      [...text.matchAll(/hpc7g\.16xlarge[^]{0,200}?per_?hour"?: ?(?:pulumi\.Float64Ref\()?([\d.]+)/gi)].map(
        ([, price]) => [page, Number(price)] as const,
      ),
    );
    assert.ok(found.length > 2, `${found.length}`);
    assert.deepEqual(
      found.filter(([, price]) => price !== hpc7g),
      [],
    );
  });

  it("give sums of that price where they show previews of such a pool", () => {
    const lines = pages().flatMap((page) => readPage(page).match(/pool hpc7g.*price per hour.*/g) ?? []);
    assert.ok(lines.length > 2);
    for (const line of lines) {
      const nodes = [...line.matchAll(/nodes (\d+)(?: => (\d+))?/g)].flatMap(([, ...counts]) => counts.filter(Boolean));
      const prices = [...line.matchAll(/price per hour ([\d.]+)(?: => ([\d.]+))?/g)].flatMap(([, ...all]) =>
        all.filter(Boolean),
      );
      assert.deepEqual(
        prices,
        nodes.map((count) => (Number(count) * hpc7g).toFixed(2)),
        line,
      );
    }
  });

  it("price no machine in a region that does not have it", () => {
    // EC2, "Amazon EC2 instance types by Region".
    const regions = ["us-east-1", "ap-northeast-1", "eu-west-1", "us-gov-west-1"];
    const lines = pages().flatMap((page) => readPage(page).match(/pool hpc7g.*AWS Price List, [\w-]+/g) ?? []);
    assert.ok(lines.length > 0);
    for (const line of lines) assert.ok(regions.includes(/[\w-]+$/.exec(line)?.[0] ?? ""), line);
  });

  it("name a digest above a program only where the program has one", () => {
    for (const { place, language, text } of all) {
      if (language !== "ts" || text.includes("@sha256:")) continue;
      const [page = "", line] = place.split(":");
      const lines = readPage(page).split("\n");
      const before =
        lines
          .slice(0, Number(line) - 2)
          .join("\n")
          .trimEnd()
          .split("\n\n")
          .at(-1) ?? "";
      assert.doesNotMatch(before, /digest/, place);
    }
  });

  it("have one time at which the facts of the comparison were read", () => {
    assert.equal(readPage("docs/comparison.md").match(/^(?!.*\]\().*\b20\d\d\b.*$/gm)?.length, 1);
  });

  it("name the pages whose Pulumi programs are not in four languages", () => {
    const libraries = {
      ts: /from "pulumi-minicluster"/,
      python: /(?:from|import) pulumi_minicluster/,
      go: /minicluster"/,
      yaml: /type: minicluster:/,
    };
    const programsOf = (page: string, language: string, uses: RegExp) =>
      all.filter((one) => one.place.startsWith(`${page}:`) && one.language === language && uses.test(one.text)).length;
    const uneven = pages().filter((page) => {
      const counts = Object.entries(libraries).map(([language, uses]) => programsOf(page, language, uses));
      return new Set(counts).size > 1;
    });
    assert.deepEqual(uneven, ["docs/how-to/cluster.md", "docs/how-to/hibernate.md"]);
    for (const page of ["README.md", "docs/new.md", "docs/languages.md"])
      assert.match(readPage(page), /Every Pulumi program[^.]*hibernate\.md\)/, page);
  });
});
