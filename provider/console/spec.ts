import { specOf } from "../core/parse/featureRules";
import type { MiniClusterSpec } from "../core/parse/spec";
import type { ConsoleSpec } from "./fields";

/** The console of a cluster, if it has one. */
export const consoleOf = (spec: MiniClusterSpec) => specOf<ConsoleSpec>(spec, "console");
