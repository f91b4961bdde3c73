import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import packageJson from "../../package.json";
import { address } from "../generator/address";
import { archiveName, checksums, run, sums, writeArchive, writeExecutable } from "./archives";
import { releaseNotes, releaseProblems } from "./check";

const root = path.resolve(__dirname, "../..");
const { version } = packageJson;
/** Directory of everything that is published. */
const dist = path.join(root, "bin/release");

const changelog = () => fs.readFileSync(path.join(root, "CHANGELOG.md"), "utf8");

/** The steps of a release, each of them `npm run release -- <step>`. */
const steps: Record<string, (argument: string) => void> = {
  /** Rejects a release that is not ready. */
  check: (tag) => {
    const problems = releaseProblems({ tag, version, address, changelog: changelog() });
    if (problems.length > 0)
      throw new Error(`this cannot be released:\n${problems.map((each) => `- ${each}`).join("\n")}`);
  },
  notes: () => process.stdout.write(releaseNotes(changelog(), version)),
  /** The archive of the plugin for this machine. */
  archive: () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-executable-"));
    const executable = writeExecutable(path.join(root, "bin/pulumi-resource-minicluster"), folder);
    const licences = [path.join(root, "LICENSE"), path.join(root, "bin/THIRD-PARTY-LICENCES.txt")];
    fs.mkdirSync(dist, { recursive: true });
    writeArchive(path.join(dist, archiveName(version, process.platform, process.arch)), [executable, ...licences]);
    fs.rmSync(folder, { recursive: true });
  },
  /** The npm package, as a file. */
  npm: () => {
    fs.mkdirSync(dist, { recursive: true });
    run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", dist], root);
  },
  checksums: (folder) => {
    const text = checksums(path.resolve(folder || dist));
    fs.writeFileSync(path.join(path.resolve(folder || dist), sums), text);
  },
};

const [name = "", argument = ""] = process.argv.slice(2);
const step = steps[name];
if (!step) throw new Error(`npm run release -- <${Object.keys(steps).join(" | ")}>`);
step(argument);
