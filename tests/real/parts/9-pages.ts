import { runPage } from "../pageRun";
import { aloneInRow } from "../rows";

/** Pages whose commands and programs are run, or one section of them. */
const pages: [page: string, section?: string][] = [
  ["docs/start.md"],
  ["docs/how-to/run-to-the-end.md"],
  ["docs/resizing.md"],
  ["docs/how-to/from-kubectl.md"],
  ["docs/elastic.md", "Quick start"],
  ["docs/forecast.md", "Quick start"],
  ["docs/groups.md", "Quick start"],
  ["docs/how-to/study.md", "Quick start"],
];

describe("pages", () => {
  for (const [page, section] of pages) aloneInRow(`prints what ${page} says`, () => runPage(page, section));
});
