import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { schemaFile } from "./schema";

/** The languages of the SDKs in the repository, each in the folder of its name in `sdk`. */
export const sdkLanguages = ["dotnet", "go", "python"];

/** Writes the SDKs into a directory, with Pulumi's generators, which are Go packages. */
export function writeLanguageSdks(directory: string, languages = sdkLanguages): void {
  const { status, error } = spawnSync("go", ["run", "-trimpath", ".", schemaFile, directory, ...languages], {
    cwd: __dirname,
    env: { ...process.env, CGO_ENABLED: "0" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (error)
    throw new Error(
      `The SDKs are written by a Go program: install Go 1.21 or later, which fetches the modules of go.mod (${error.message})`,
    );
  if (status !== 0) throw new Error(`the generator of the SDKs ended with status ${status}`);
}

if (require.main === module) writeLanguageSdks(path.dirname(__dirname));
