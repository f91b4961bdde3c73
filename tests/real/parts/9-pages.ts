import { runPage } from "../pageRun";
import { aloneInRow } from "../rows";

describe("pages", () => {
  aloneInRow("start.md does what it says", () => runPage("../../tmp/h3-start.md"));
});
