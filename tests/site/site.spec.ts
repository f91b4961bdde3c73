import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { findBrowser } from "../sandbox/build/browser";
import { type FaintText, faintTexts } from "./contrast";
import { buildSite, serveSite, sitePages } from "./site";

const pictures = path.resolve(__dirname, "../../docs/pictures");
const narrow = { width: 360, height: 740 };
const wide = { width: 1280, height: 900 };

describe("The site", function () {
  this.timeout(300_000);

  let directory: string;
  before(() => (directory = buildSite()));
  after(() => fs.rmSync(directory, { recursive: true }));

  it("is built from the pages, without those of Pulumi's registry", () => {
    const pages = sitePages(directory);
    for (const page of ["index", "start", "reference", "how-to/mpi"]) assert.ok(pages.includes(`/${page}.html`), page);
    assert.ok(!pages.includes("/_index.html"));
  });

  describe("in a browser", () => {
    let site: Awaited<ReturnType<typeof serveSite>>;
    let browser: Browser;
    let visits: Visit[];

    before(async function () {
      this.timeout(600_000);
      const executablePath = findBrowser();
      if (executablePath === undefined) {
        console.log("      no Chromium on PATH, and none to be had for this platform: the site is not opened");
        this.skip();
      }
      site = await serveSite(directory);
      // The sandbox of the browser refuses root, which CI may be; it opens nothing but these pages.
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
      // The compiler names the functions that run in the page, by a helper that is not there.
      const context = await browser.newContext({ viewport: wide, baseURL: site.address });
      await context.addInitScript("globalThis.__name = (value) => value");
      visits = [];
      for (const address of sitePages(directory)) visits.push(await visit(context, address));
    });
    after(async () => {
      await browser?.close();
      site?.close();
    });

    /** The problems of the pages, if there are any. */
    const said = <T>(look: (visit: Visit) => T[]) =>
      Object.fromEntries(
        visits.flatMap((each): [string, T[]][] => (look(each).length > 0 ? [[each.address, look(each)]] : [])),
      );

    it("opens each page without an error", () => {
      assert.ok(visits.length > 25);
      assert.deepEqual(
        said(({ errors }) => errors),
        {},
      );
    });

    it("leads by each link to a page and to a place on it, or to a file", () => {
      const placesOn = new Map(visits.map(({ address, places }) => [address, places]));
      const isBroken = ({ pathname, hash }: URL) => {
        // A file for download, such as the dashboard.
        if (/\.json$/.test(pathname)) return !fs.existsSync(path.join(directory, pathname));
        const places = placesOn.get(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
        return hash === "" ? !places : !places?.includes(decodeURIComponent(hash.slice(1)));
      };
      const inside = ({ links }: Visit) =>
        links.map((link) => new URL(link)).filter((to) => to.origin === site.address);
      assert.ok(visits.flatMap(inside).length > 500);
      assert.deepEqual(
        said((each) => inside(each).filter(isBroken).map(String)),
        {},
      );
    });

    it("fits a screen of 360 pixels without scrolling sideways", () =>
      assert.deepEqual(
        said(({ narrowWidth }) => (narrowWidth > narrow.width ? [narrowWidth] : [])),
        {},
      ));

    for (const scheme of ["light", "dark"] as const)
      it(`is readable in ${scheme} colours`, () =>
        assert.deepEqual(
          said(({ faint }) => faint[scheme]),
          {},
        ));

    for (const background of ["#ffffff", "#1b1b1f"])
      it(`has pictures that are legible on ${background}`, async () => {
        const page = await browser.newPage();
        // Those that are drawn: a recording has the colours of a terminal, and its frames lie outside the window.
        const drawn = fs.readdirSync(pictures).filter((file) => file.endsWith(".dot"));
        const files = drawn.map((file) => file.replace(/dot$/, "svg"));
        const faint: Record<string, FaintText[]> = {};
        for (const file of files) {
          const picture = fs.readFileSync(path.join(pictures, file), "utf8");
          await page.setContent(`<body style="background: ${background}">${picture}</body>`);
          await page.evaluate("globalThis.__name = (value) => value");
          const texts = await page.evaluate(faintTexts, "svg text");
          if (texts.length > 0) faint[file] = texts;
        }
        await page.close();
        assert.deepEqual(faint, {});
      });

    it("shows every program in the language that the reader has chosen, on the next page as well", async () => {
      const page = await browser.newPage({ baseURL: site.address });
      const shown = () => page.locator(".vp-code-group .blocks > .active").allInnerTexts();
      await page.goto("/how-to/gpus.html", { waitUntil: "networkidle" });
      assert.ok((await shown()).every((text) => text.includes("new MiniCluster(")));
      await page.getByText("Python", { exact: true }).first().click();
      for (const text of await shown())
        assert.match(text, /^(python\n+)?(import pulumi\n)?from pulumi_minicluster import/);
      await page.getByRole("link", { name: "Use EFA" }).first().click();
      await page.waitForURL("**/how-to/efa.html");
      await page.waitForFunction("document.querySelector('.vp-code-group .active')?.innerText.includes('max_size')");
      await page.close();
    });

    it("finds a message by its text", async () => {
      const page = await browser.newPage({ baseURL: site.address });
      await page.goto("/", { waitUntil: "networkidle" });
      await page.getByRole("button", { name: "Search" }).first().click();
      await page.getByRole("searchbox").fill("the API server rejects it, nothing was changed");
      await page.locator("#localsearch-list a[href*='troubleshooting']").first().waitFor();
      await page.close();
    });

    it("finds maxSize by its search", async () => {
      const page = await browser.newPage({ baseURL: site.address });
      await page.goto("/", { waitUntil: "networkidle" });
      await page.getByRole("button", { name: "Search" }).first().click();
      await page.getByRole("searchbox").fill("maxSize");
      await page.locator("#localsearch-list a").first().click();
      await page.locator(".vp-doc").getByText("maxSize").first().waitFor();
      await page.close();
    });
  });
});

/** The state of a page in a browser. */
interface Visit {
  address: string;
  errors: string[];
  links: string[];
  /** The possible targets of links on the page. */
  places: string[];
  faint: Record<"light" | "dark", FaintText[]>;
  /** The width of the page on a narrow screen. */
  narrowWidth: number;
}

const texts = ".vp-doc :is(h1, h2, h3, h4, p, li, td, th, a, code)";

async function visit(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("response", (response) => response.ok() || errors.push(`${response.status()} ${response.url()}`));
  await page.goto(address, { waitUntil: "networkidle" });
  const links = await page.$$eval("a[href]", (all) => all.map((link) => (link as HTMLAnchorElement).href));
  const places = await page.$$eval("[id]", (all) => all.map(({ id }) => id));
  const light = await page.evaluate(faintTexts, texts);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html.dark").waitFor({ state: "attached" });
  const dark = await page.evaluate(faintTexts, texts);
  await page.setViewportSize(narrow);
  const narrowWidth = await page.evaluate("document.documentElement.scrollWidth");
  await page.close();
  return { address, errors, links, places, faint: { light, dark }, narrowWidth: Number(narrowWidth) };
}
