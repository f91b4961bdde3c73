import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { writeLanguageSdks } from "../../../sdk/generator/languages";

const root = path.resolve(__dirname, "../../..");

/** Examples in TypeScript, compiled with the SDK that `pulumi package add` writes in the place of the classes. */
export interface SdkPrograms {
  program(example: string): () => Promise<Record<string, unknown>>;
  /** The compiler's errors in the examples and in the SDK. */
  compilerErrors: string;
  remove(): void;
}

/** Compiles copies of examples together with the generated SDK, which depends on the output of tsc. */
export function sdkPrograms(examples: string[]): SdkPrograms {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-sdk-"));
  fs.symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"));
  writeLanguageSdks(directory, ["nodejs"]);
  for (const example of examples) {
    const source = fs.readFileSync(path.join(root, "examples", example, "index.ts"), "utf8");
    fs.writeFileSync(path.join(directory, `${example}.ts`), source.replace('"pulumi-minicluster"', '"./nodejs"'));
  }
  const compilerOptions = { rootDir: ".", outDir: "bin", types: [], declaration: false, skipLibCheck: true };
  const files = examples.map((example) => `${example}.ts`);
  const settings = { extends: "./nodejs/tsconfig.json", compilerOptions, files };
  fs.writeFileSync(path.join(directory, "tsconfig.json"), JSON.stringify(settings));
  const compiler = require.resolve("typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler], { cwd: directory, encoding: "utf8" });
  // The SDK reads its version there. Its main file is that of the folder above, as it is installed.
  const description = JSON.parse(fs.readFileSync(path.join(directory, "nodejs/package.json"), "utf8")) as object;
  fs.writeFileSync(
    path.join(directory, "bin/nodejs/package.json"),
    JSON.stringify({ ...description, main: "index.js" }),
  );
  return {
    program: (example) => () => {
      const file = path.join(directory, "bin", `${example}.js`);
      Reflect.deleteProperty(require.cache, file);
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      return Promise.resolve(require(file) as Record<string, unknown>);
    },
    compilerErrors: stdout,
    remove: () => fs.rmSync(directory, { recursive: true }),
  };
}
