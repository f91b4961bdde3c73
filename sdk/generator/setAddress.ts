import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { address, addressOf } from "./address";

const root = path.resolve(__dirname, "../..");

/** The repository in the notation of Go and Pulumi. */
const nameOf = (url: string) => url.replace("https://", "");

/** Handwritten files that name the repository: programs in Go, the pages, and a project in YAML. */
export const filesWithAddress = () =>
  ["docs", "examples", "templates", "tests", "sdk/generator/examples"].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => !file.includes("node_modules") && /(\.go|\.md|go\.mod|Pulumi\.yaml)$/.test(file))
      .map((file) => path.join(root, folder, file))
      .filter((file) => fs.readFileSync(file, "utf8").includes(nameOf(address.url))),
  );

/**
 * Moves the package to another repository: changes package.json and the handwritten files with the address, and
 * generates all other files.
 */
function setAddress(repository: string): void {
  const { url, dotnetNamespace } = addressOf(repository);
  const renamed = (text: string) =>
    text
      .replaceAll(nameOf(address.url), nameOf(url))
      .replaceAll(`${address.dotnetNamespace}.Mini`, `${dotnetNamespace}.Mini`);
  const description = path.join(root, "package.json");
  fs.writeFileSync(description, fs.readFileSync(description, "utf8").replace(address.url, url));
  for (const file of filesWithAddress()) fs.writeFileSync(file, renamed(fs.readFileSync(file, "utf8")));
  for (const script of ["schema", "sdk", "docs"])
    if (spawnSync("npm", ["run", "--silent", script], { cwd: root, stdio: "inherit" }).status !== 0)
      throw new Error(`npm run ${script} has failed`);
}

if (require.main === module) setAddress(process.argv[2] ?? "");
