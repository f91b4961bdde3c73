import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { execFileSync, spawn } from "node:child_process";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import packageJson from "../../package.json";

const root = path.resolve(__dirname, "../..");
const executable = path.join(root, "bin/pulumi-resource-minicluster");
const runner = require.resolve("@pulumi/pulumi/cmd/run-plugin");

/** Milliseconds from the start of a process until it listens, and until it has returned its schema. */
export interface PluginStart {
  servedBy: string;
  run: number;
  ready: number;
  schema: number;
}

/** How long it takes until the components are served: by this package, and as Pulumi would from the same sources. */
export async function measurePlugins(runs: number): Promise<PluginStart[]> {
  const sources = sourcesAlone();
  const ways: [name: string, command: string[]][] = [
    ["the executable", [executable]],
    ["PulumiPlugin.yaml: Pulumi's runner, the same file", [process.execPath, runner, root]],
    ["Pulumi's runner, components found and analyzed", [process.execPath, runner, sources]],
  ];
  const starts: PluginStart[] = [];
  try {
    // The first start reads the files from the disk, which is not what is measured.
    for (const [, command] of ways) await timeStart(command);
    // In turn, so that other load of the machine affects all of them.
    for (let run = 1; run <= runs; run++)
      for (const [servedBy, command] of ways) starts.push({ servedBy, run, ...(await timeStart(command)) });
  } finally {
    fs.rmSync(sources, { recursive: true });
  }
  return starts;
}

/** A copy of the sources whose main file exports the components, as a package without a separate server has it. */
function sourcesAlone(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-sources-"));
  for (const name of ["provider", "tsconfig.json"])
    fs.cpSync(path.join(root, name), path.join(directory, name), { recursive: true });
  fs.rmSync(path.join(directory, "provider/server.ts"));
  // The analyzer of Pulumi refuses the unions that this type of the Kubernetes provider has.
  const args = path.join(directory, "provider/core/args/index.ts");
  const text = fs.readFileSync(args, "utf8").replace("types.input.core.v1.PodTemplateSpecPatch", "any");
  fs.writeFileSync(args, text.replace(/^import type \{ types \}.*\n/m, ""));
  fs.symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"));
  const description = { ...packageJson, name: "minicluster", main: "provider/index.ts", exports: undefined };
  fs.writeFileSync(path.join(directory, "package.json"), JSON.stringify(description));
  return directory;
}

async function timeStart([command = "", ...args]: string[]): Promise<Pick<PluginStart, "ready" | "schema">> {
  const start = performance.now();
  const cwd = args.at(-1) ?? root;
  const plugin = spawn(command, [...args, "127.0.0.1:1"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  plugin.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  try {
    const port = await new Promise<string>((resolve, reject) => {
      plugin.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
      plugin.once("exit", (code) => reject(new Error(`${command} ended with code ${code}: ${errors}`)));
    });
    const ready = performance.now() - start;
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    await new Promise<void>((resolve, reject) =>
      client.getSchema(new GetSchemaRequest(), (error) => (error ? reject(error) : resolve())),
    );
    client.close();
    return { ready, schema: performance.now() - start };
  } finally {
    plugin.kill("SIGKILL");
  }
}

/** What `npm pack` makes of this package. */
interface Packed {
  size: number;
  unpackedSize: number;
  files: { path: string; size: number }[];
}

/** How large the package is that npm users install, and what of it is what. Sizes are in bytes. */
export interface PackageFigures {
  packed: number;
  unpacked: number;
  files: number;
  parts: { of: string; files: number; unpacked: number }[];
}

/** What `npm pack` would make of the tree as it is. */
export function measurePackage(): PackageFigures {
  const command = ["pack", "--dry-run", "--ignore-scripts", "--json", "--silent"];
  const [packed] = JSON.parse(execFileSync("npm", command, { cwd: root, encoding: "utf8" })) as [Packed];
  const patterns: [of: string, files: RegExp][] = [
    ["plugin, with all that it runs, and the licences of that", /^bin\/[^/]+$/],
    ["library for TypeScript programs", /^bin\/provider\//],
    ["documents and package.json", /^(docs\/.*|[^/]+)$/],
    ["examples", /^examples\//],
  ];
  const parts = patterns.map(([of, pattern]) => {
    const files = packed.files.filter((file) => pattern.test(file.path));
    return { of, files: files.length, unpacked: files.reduce((sum, { size }) => sum + size, 0) };
  });
  return { packed: packed.size, unpacked: packed.unpackedSize, files: packed.files.length, parts };
}
