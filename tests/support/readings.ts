import * as fs from "node:fs";
import * as path from "node:path";
import type { Reading } from "../../provider/forecast/parse/reading";

const folder = path.join(__dirname, "data/readings");

/** Readings that the program has printed beside real versions of Flux, by the names of their files. */
export const recordedReadings = (): [name: string, reading: Reading][] =>
  fs
    .readdirSync(folder)
    .sort()
    .map((file) => [file, JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as Reading]);
