import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";

/** The data of a file in tests/data. */
export const readData = <T>(file: string): T =>
  parse(fs.readFileSync(path.join(__dirname, "../data", file), "utf8")) as T;
