import { expectedStarts } from "../../forecast/parse/expected";
import type { Reading } from "../../forecast/parse/reading";

// The program of a worker: the simulation of a long queue takes seconds, in which the page continues.
addEventListener("message", ({ data }: MessageEvent<Reading>) => postMessage(expectedStarts(data)));
