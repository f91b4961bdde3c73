import { runPage } from "../pageRun";
import { aloneInRow } from "../rows";

/** Pages whose commands and programs are run, in the order in which a reader gets to them. */
const pages = ["docs/start.md", "docs/how-to/run-to-the-end.md", "docs/resizing.md", "docs/how-to/from-kubectl.md"];

describe("pages", () => {
  for (const page of pages) aloneInRow(`prints what ${page} says`, () => runPage(page));
});
