import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FabricRow, fabricRows } from "../../../../provider/clouds/existing/parse/fabrics";

const page = readFileSync(join(__dirname, "../../../../docs/how-to/existing-nodes.md"), "utf8");

/** The rows of the table of networks, as the page has them. */
const documented = page
  .slice(page.indexOf("## Networks"))
  .split("\n")
  .filter((line) => /^\| +`/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, ...cells]) => cells.slice(0, -1));

const code = (texts: string[]) => texts.map((text) => `\`${text}\``);

const amounts: Record<FabricRow["amount"], string> = {
  all: "all",
  one: "1",
  interfaces: "all up to 16, otherwise 1",
};

/** A row as the page describes it. */
function described({
  names,
  labels,
  isChosen,
  amount,
  hugePages,
  attached,
  lockMemory,
  environment,
  source,
}: FabricRow) {
  const nodes = labels ? `with a label ${code(labels).join(" or ")}` : isChosen ? "only by `fabric`" : "any";
  const besides = [
    ...(hugePages ? ["huge pages"] : []),
    ...(attached ? ["Multus"] : []),
    ...(lockMemory ? ["IPC_LOCK"] : []),
  ];
  const variables = Object.entries(environment).map((pair) => pair.join("="));
  return [
    code(names).join(", "),
    nodes,
    amounts[amount],
    besides.join(", ") || "nothing",
    code(variables).join(", "),
    source,
  ];
}

describe("the page on existing nodes", () => {
  it("has each network of the table with its source, and no other", () =>
    assert.deepEqual(documented, fabricRows.map(described)));
});
