import * as fs from "node:fs";
import * as path from "node:path";
import { run } from "./archives";

const root = path.resolve(__dirname, "../..");

/**
 * The SDK for Node.js, compiled, in a folder for publication on npm. It has no install script: newer versions of npm skip install
 * scripts, and this one would compile the SDK.
 */
export function writeNodeSdk(folder: string): void {
  const sources = path.join(root, "sdk/nodejs");
  fs.cpSync(sources, folder, { recursive: true, filter: (file) => !/\/(node_modules|bin)$/.test(file) });
  // A link, so that the compiler finds the SDK's imports without a separate installation.
  const modules = path.join(folder, "node_modules");
  if (!fs.existsSync(modules)) fs.symlinkSync(path.join(root, "node_modules"), modules);
  run(process.execPath, [require.resolve("typescript/bin/tsc"), "--skipLibCheck", "--types", "node"], folder);
  fs.rmSync(modules);
  const file = path.join(folder, "package.json");
  const { scripts, devDependencies, ...description } = JSON.parse(fs.readFileSync(file, "utf8")) as Record<
    string,
    unknown
  >;
  void [scripts, devDependencies];
  const whole = { ...description, main: "bin/index.js", types: "bin/index.d.ts", files: ["bin", "README.md"] };
  fs.writeFileSync(file, `${JSON.stringify(whole, undefined, 2)}\n`);
  // The compiled code reads the version and the plugin from its own folder.
  fs.writeFileSync(
    path.join(folder, "bin/package.json"),
    `${JSON.stringify({ ...description, main: "index.js" }, undefined, 2)}\n`,
  );
}
