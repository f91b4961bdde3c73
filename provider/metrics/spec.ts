import { specOf } from "../core/parse/featureRules";
import type { MiniClusterSpec } from "../core/parse/spec";
import type { MetricsSpec } from "./fields";

/** The metrics of a cluster, if it has any. */
export const metricsOf = (spec: MiniClusterSpec) => specOf<MetricsSpec>(spec, "metrics");
