import { objects } from "../core/objects/identities";
import type { Feature } from "../core/register/feature";
import { metrics, type MetricsSpec } from "./fields";
import { buildMetrics } from "./objects";
import { registerMetrics } from "./register";
import { metricsRules } from "./rules";

/** Metrics for Prometheus. */
export const metricsFeature: Feature = {
  name: "metrics",
  fields: { metrics: metrics.optional() },
  rules: metricsRules,
  buildSpec: ({ metrics: spec }: { metrics?: MetricsSpec }, { role }) =>
    spec && role === "lead" ? { spec, additions: { leadProgram: { metricsPort: spec.port } } } : {},
  build(spec) {
    const built = buildMetrics(spec);
    if (!built) return undefined;
    const { networkPolicy, podMonitor } = built;
    const monitor = objects("PodMonitor", podMonitor).map((object) => ({ ...object, originOf: originInMonitor }));
    return {
      manifests: { metrics: built },
      objects: [...objects("NetworkPolicy", networkPolicy), ...monitor],
      registerFirst: ({ name }, options) => {
        registerMetrics(name, built, options);
        return [];
      },
    };
  },
};

const originInMonitor = ([part, map, ...rest]: readonly PropertyKey[]) =>
  part === "metadata" && map === "labels" ? ["metrics", "podMonitor", map, ...rest] : [];
