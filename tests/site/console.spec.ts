import assert from "node:assert/strict";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { findBrowser } from "../sandbox/build/browser";
import { waitFor } from "../sandbox/waiting";
import { type ConsoleServer, tokenOf, withConsole } from "../support/consoleServer";
import { busyInstance } from "../support/queueReading";

const axe = createRequire(__filename).resolve("axe-core/axe.min.js");

describe("the web page of an instance", function () {
  this.timeout(180_000);

  let browser: Browser;
  let context: BrowserContext;
  before(async function () {
    const executablePath = findBrowser();
    if (executablePath === undefined) {
      console.log("      no Chromium on PATH, and none to be had for this platform: the page is not opened");
      this.skip();
    }
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
  });
  after(() => browser?.close());

  /** Errors of the page, and the addresses of its requests. */
  let errors: string[];
  let asked: Set<string>;
  beforeEach(async () => {
    [errors, asked] = [[], new Set()];
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    context.on("request", (request) => asked.add(new URL(request.url()).origin));
    context.on("weberror", (error) => errors.push(error.error().message));
    // Failure statuses of the server, and its end, also appear in the browser's console.
    context.on("console", (line) => {
      if (line.type() === "error" && !line.text().startsWith("Failed to load resource")) errors.push(line.text());
    });
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(errors, []);
  });

  async function open(server: ConsoleServer, user = "ann"): Promise<Page> {
    const page = await context.newPage();
    await page.goto(server.url);
    await page.getByLabel("Token").fill(tokenOf(user));
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("live", { exact: true }).waitFor();
    return page;
  }

  const submit = async ({ ask }: ConsoleServer, command: string[], more: object = {}, user = "ann") => {
    const { status, json } = await ask(user, "POST /v1/jobs/submit", { command, ...more });
    assert.equal(status, 200, JSON.stringify(json));
    return json["f58"] as string;
  };

  const rows = (page: Page) => page.getByRole("table", { name: "Jobs" }).getByRole("row");
  const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
  const cell = (page: Page, host: string, state: string) => page.getByRole("option", { name: `${host}: ${state}` });

  /** Script for the width of a page that is out of sight. */
  const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  /** Violations that axe-core finds on a page, by WCAG 2.2 and its best practices. */
  async function findings(page: Page): Promise<string[]> {
    await page.evaluate(fs.readFileSync(axe, "utf8"));
    const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>("axe.run()");
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  }

  it("shows what the hosts cost, and the jobs of each user, while they run and after it", () =>
    withConsole(async (server) => {
      const page = await open(server);
      await page.getByText("Hosts cost 108,004.00 per hour, 0.00 of it for jobs.").waitFor();
      const job = await submit(server, ["sleep", "3"], { num_tasks: 2, num_nodes: 2 });
      const table = page.getByRole("table", { name: "Cost" });
      // The stand-in gives a job one of the four cores of each host.
      await table.getByRole("row", { name: /^ann 18,000.00 / }).waitFor();
      await row(page, job).getByText("completed").waitFor();
      await table.getByRole("row", { name: /^ann 0.00 1\d.\d\d 1\d.\d\d$/ }).waitFor();
      const { json } = await server.ask("guest", "GET /v1/cost");
      assert.equal(json["hosts"], 108_004);
    }));

  it("opens in a browser whose language is no tag of one", () =>
    withConsole(async (server) => {
      // The value in Chromium if the locale of the system is C.
      await context.addInitScript('Object.defineProperty(navigator, "language", { value: "C", configurable: true })');
      const page = await open(server);
      await page.getByRole("heading", { name: "Hosts of the last day" }).waitFor();
    }));

  it("submits a job, shows its hosts and its output as they change, and cancels it, over a reload", () =>
    withConsole(async (server) => {
      const page = await open(server);
      await cell(page, "home-0", "free").waitFor();
      await page.getByRole("button", { name: "Submit a job" }).click();
      await page.getByLabel("Command").fill("sh -c 'for i in 1 2 3 4 5 6; do echo step $i; sleep 0.5; done; sleep 60'");
      await page.getByRole("textbox", { name: "Hosts" }).fill("2");
      await page.getByLabel("Name", { exact: true }).fill("counts");
      await page.getByRole("button", { name: "Submit", exact: true }).click();
      const output = page.getByRole("log");
      await output.getByText("step 1").waitFor();
      // The output is live: the last line has not been written yet.
      assert.equal(await output.getByText("step 6").count(), 0);
      await output.getByText("step 6").waitFor();
      for (const host of ["home-0", "home-1"]) await cell(page, host, "allocated").waitFor();
      await cell(page, "home-2", "free").waitFor();
      await page.reload();
      await page.getByRole("log").getByText("step 6").waitFor();
      await page.getByRole("button", { name: "Cancel job" }).click();
      await row(page, "counts").getByText("canceled").waitFor();
      for (const host of ["home-0", "home-1"]) await cell(page, host, "free").waitFor();
      assert.deepEqual([...asked], [server.url]);
    }));

  it("shows all errors of a job, and Flux's own reason against one", () =>
    withConsole(async (server) => {
      const page = await open(server);
      await page.getByRole("button", { name: "Submit a job" }).click();
      await page.getByLabel("Command").fill("true");
      await page.getByRole("textbox", { name: "Hosts" }).fill("two");
      await page.getByLabel("Urgency").fill("99");
      await page.getByRole("button", { name: "Submit", exact: true }).click();
      const problems = page.getByRole("alert").getByRole("listitem");
      await problems.first().waitFor();
      assert.deepEqual(await problems.allTextContents(), [
        "num_nodes: 'two' must be an integer from 0 to 2147483648",
        "urgency: '99' must be an integer from 0 to 31",
      ]);
      await page.getByRole("button", { name: "Close" }).click();
      await submit(server, ["true"], { num_nodes: 1000, name: "huge" });
      await row(page, "huge").getByText("failed").waitFor();
      await row(page, "huge").getByRole("link").click();
      await page.getByText("alloc: alloc denied due to").waitFor();
    }));

  it("lets each user do what the role allows, and rejects requests without a token", () =>
    withConsole(async (server) => {
      const job = await submit(server, ["sleep", "60"], { name: "long" });
      const guest = await open(server, "guest");
      await row(guest, "long").getByRole("link").click();
      await guest.getByRole("heading", { name: job }).waitFor();
      for (const name of ["Submit a job", "Cancel job", "Shut down"])
        assert.equal(await guest.getByRole("button", { name }).count(), 0, name);
      await guest.close();

      const admin = await open(server, "root");
      await admin.getByRole("listbox", { name: "Hosts of home" }).focus();
      for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await admin.keyboard.press(key);
      await admin.getByRole("heading", { name: "home-2" }).waitFor();
      await admin.getByLabel("Reason").fill("a bad disk");
      await admin.getByRole("button", { name: "Drain" }).click();
      await cell(admin, "home-2", "drained").waitFor();
      await admin.getByText("Drained: a bad disk.").waitFor();
      await admin.getByRole("button", { name: "Undrain" }).click();
      await cell(admin, "home-2", "free").waitFor();
      await row(admin, "long").getByRole("link").click();
      await admin.getByRole("button", { name: "Cancel job" }).click();
      await row(admin, "long").getByText("canceled").waitFor();
      await admin.getByRole("button", { name: "Log out" }).click();
      await admin.reload();
      await admin.getByLabel("Token").fill("another");
      await admin.getByRole("button", { name: "Log in" }).click();
      await admin.getByRole("alert").getByText("A valid token is required.").waitFor();
      await admin.close();
    }));

  it("runs no script in a job's name, command or output, and keeps no token in the address", () =>
    withConsole(async (server) => {
      const script = "</script><img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>";
      const job = await submit(server, ["echo", script], { name: script });
      const page = await open(server);
      await row(page, job).getByRole("link").click();
      await page.getByRole("log").getByText(script).waitFor();
      assert.equal(await page.locator("img").count(), 0);
      assert.equal(await page.title(), "Flux instance");
      assert.ok(!page.url().includes(tokenOf("ann")));
      // An embedded page could receive clicks unnoticed.
      const answer = await fetch(server.url);
      await answer.text();
      assert.equal(answer.headers.get("content-security-policy"), "frame-ancestors 'none'");
      await waitFor("the copy of the page", () => fs.existsSync(server.kept));
    }));

  it("shows what agents have decided, which hosts they expect, and why a queue is stopped", () =>
    withConsole(
      async (server) => {
        server.decide({ sizes: { far: 2 }, said: [{ at: 1.8e9, cluster: "far", text: "size 1 => 2: 1 pending" }] });
        const page = await open(server);
        await page.getByText("far: size 1 => 2: 1 pending").waitFor();
        await cell(page, "far-1", "expected").waitFor();
        await cell(page, "home-2", "down").waitFor();
        await page.getByText("The queue is stopped.").waitFor();
      },
      { hosts: ["home-0", "home-1", "home-2", "far-0", "far-1"], online: [0, 1, 3], stopped: true },
    ));

  const text = async (found: Locator) => ((await found.textContent()) ?? "").replace(/\s+/g, " ");

  it("shows when a waiting job is expected to start, and why it waits, but no start of a held job", () => {
    const { instance, start } = busyInstance();
    return withConsole(async (server) => {
      const page = await open(server, "guest");
      const [second, third, held] = ["f2", "f3", "f4"].map((job) =>
        rows(page).filter({ has: page.getByRole("link", { name: job }) }),
      ) as [Locator, Locator, Locator];
      await second.getByText("It waits for 2 hosts: 1 is free.").waitFor();
      assert.match(await text(second), new RegExp(`pending starts about (\\w+ \\d+, \\d+, )?${start}\\. It waits`));
      await third.getByText("It waits behind f2, which needs 2 hosts.").waitFor();
      assert.match(await text(third), /starts about/);
      assert.match(await text(held), /pending It is held: its urgency is 0\.\w/);
      await second.getByRole("link").click();
      const reason = page.getByRole("region", { name: "f2" }).getByText("It waits for 2 hosts: 1 is free.");
      assert.match(await text(reason), new RegExp(`free\\. It starts about (\\w+ \\d+, \\d+, )?${start}, or earlier`));
      assert.deepEqual(await findings(page), []);
      await page.setViewportSize({ width: 320, height: 800 });
      assert.equal(await page.evaluate(overflow), 0);
    }, instance);
  });

  it("shows the reason of the server alone, and no error, while the queue cannot be read", () => {
    const { instance } = busyInstance();
    const faults = { "job-manager.alloc-query": { errno: 110 } };
    return withConsole(
      async (server) => {
        const page = await context.newPage();
        const answered = page.waitForResponse(`${server.url}/v1/queue`);
        await page.goto(server.url);
        await page.getByLabel("Token").fill(tokenOf("guest"));
        await page.getByRole("button", { name: "Log in" }).click();
        assert.equal((await answered).status(), 503);
        assert.match(await text(row(page, "f2")), /pending It waits for free resources\.\w/);
        assert.equal(await page.getByRole("alert").count(), 0);
      },
      { ...instance, faults },
    );
  });

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1280, 320])
      it(`has nothing that axe-core finds, and fits: ${colorScheme}, ${width} px wide`, () =>
        withConsole(async (server) => {
          const job = await submit(server, ["sh", "-c", "echo out; echo err >&2; sleep 60"]);
          await submit(server, ["false"], { name: "fails" }, "bob");
          const page = await open(server);
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(await findings(page), []);
          await row(page, job).getByRole("link").click();
          await page.getByRole("log").getByText("err").waitFor();
          assert.deepEqual(await findings(page), []);
          await page.getByRole("button", { name: "Close" }).click();
          await page.getByRole("button", { name: "Submit a job" }).click();
          assert.deepEqual(await findings(page), []);
          assert.equal(await page.evaluate(overflow), 0);
          await page.getByRole("button", { name: "Close" }).click();
          await page.getByRole("button", { name: "Log out" }).click();
          await page.getByLabel("Token").waitFor();
          assert.deepEqual(await findings(page), []);
        }));

  it("is one file of below 300 kB, and its copy opens from a disk with the history", () =>
    withConsole(async (server) => {
      assert.ok(Buffer.byteLength(await (await fetch(server.url)).text()) < 300_000);
      const jobs = await Promise.all(
        Array.from({ length: 40 }, (_, index) => submit(server, ["true"], { name: `job-${index}</script>` })),
      );
      const text = () => fs.readFileSync(server.kept, "utf8");
      const isWhole = () => jobs.every((job) => text().includes(job));
      await waitFor("the copy of the page with all jobs", isWhole, 60_000, 500);
      const page = await context.newPage();
      await page.goto(pathToFileURL(server.kept).href);
      await page.getByRole("heading", { name: "home", level: 1 }).waitFor();
      assert.equal(await rows(page).count(), 41);
      await page.getByRole("searchbox").fill("job-7<");
      assert.equal(await rows(page).count(), 2);
      assert.equal(await page.getByRole("button", { name: "Submit a job" }).count(), 0);
      assert.deepEqual(await findings(page), []);
    }));
});
