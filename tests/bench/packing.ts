import { execFileSync } from "node:child_process";
import * as path from "node:path";
import type { Table } from "./table";

const root = path.resolve(__dirname, "../..");

/** What `npm pack` makes of this package. */
interface Packed {
  size: number;
  unpackedSize: number;
  files: { path: string; size: number }[];
}

/** How large the package is that npm users install, and what of it is what. */
export function measurePackage(): Table {
  const command = ["pack", "--dry-run", "--ignore-scripts", "--json", "--silent"];
  const [packed] = JSON.parse(execFileSync("npm", command, { cwd: root, encoding: "utf8" })) as [Packed];
  const parts: [name: string, files: RegExp][] = [
    ["plugin, with all that it runs, and the licences of that", /^bin\/[^/]+$/],
    ["library for TypeScript programs", /^bin\/provider\//],
    ["documents and package.json", /^[^/]+$/],
  ];
  const rows = parts.map(([name, pattern]) => {
    const files = packed.files.filter((file) => pattern.test(file.path));
    return [name, files.length, kibibytes(files.reduce((sum, { size }) => sum + size, 0))];
  });
  return {
    title: `The npm package: ${kibibytes(packed.size)} KiB packed`,
    columns: ["of", "files", "KiB unpacked"],
    rows: [...rows, ["all", packed.files.length, kibibytes(packed.unpackedSize)]],
  };
}

const kibibytes = (bytes: number) => Math.round(bytes / 1024);
