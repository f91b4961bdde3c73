import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import * as path from "node:path";

const root = path.resolve(__dirname, "../..");

/** Builds the site of `docs/` into a new directory of the tree, where its modules are found. */
export function buildSite(): string {
  const output = fs.mkdtempSync(path.join(root, "node_modules/.site-"));
  const command = path.join(root, "node_modules/vitepress/bin/vitepress.js");
  const flags = ["build", "docs", "--outDir", output];
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...flags], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stdout + stderr);
  return output;
}

/** Addresses of the pages of a site on their host. */
export function sitePages(directory: string): string[] {
  const files = fs.readdirSync(directory, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".html") && file !== "404.html").map((file) => `/${file}`);
}

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Serves a directory to this machine, like a host of static pages. */
export async function serveSite(directory: string): Promise<{ address: string; close: () => void }> {
  const server = http.createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const file = path.join(directory, decodeURIComponent(pathname), pathname.endsWith("/") ? "index.html" : "");
    const isThere = file.startsWith(directory + path.sep) && fs.existsSync(file) && fs.statSync(file).isFile();
    const served = isThere ? file : path.join(directory, "404.html");
    response.writeHead(isThere ? 200 : 404, { "content-type": types[path.extname(served)] ?? "text/plain" });
    fs.createReadStream(served).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
