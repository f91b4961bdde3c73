import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { address, addressOf } from "./address";

const root = path.resolve(__dirname, "../..");

/** Programs in Go, written by hand, which import the SDK by its address. */
export const goPrograms = () =>
  ["examples", "templates", "tests"].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => !file.includes("node_modules") && /(\.go|go\.mod)$/.test(file))
      .map((file) => path.join(root, folder, file))
      .filter((file) => fs.readFileSync(file, "utf8").includes("/sdk/go")),
  );

/** Moves the package to another repository: package.json, and what cannot read it there. The rest is generated from it. */
function setAddress(repository: string): void {
  const { url, goModule } = addressOf(repository);
  const description = path.join(root, "package.json");
  fs.writeFileSync(description, fs.readFileSync(description, "utf8").replace(address.url, url));
  for (const file of goPrograms())
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll(address.goModule, goModule));
  for (const script of ["schema", "sdk", "docs"])
    if (spawnSync("npm", ["run", "--silent", script], { cwd: root, stdio: "inherit" }).status !== 0)
      throw new Error(`npm run ${script} has failed`);
}

if (require.main === module) setAddress(process.argv[2] ?? "");
