import { specOf } from "../core/parse/featureRules";
import type { MiniClusterSpec } from "../core/parse/spec";

/** Whether the lead broker of a cluster has the forecast. */
export const hasForecast = (spec: MiniClusterSpec) => specOf<boolean>(spec, "forecast") === true;
