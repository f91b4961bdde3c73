import { z } from "zod";
import { dnsLabel, integer, labels, leaf, object } from "../shared/checks";
import { defaultMetricsPort } from "./names";

const podMonitor = object({
  labels: labels.default({}),
  intervalSeconds: integer(1, 86_400).optional(),
});

/** Metrics for Prometheus. */
export const metrics = object({
  // Only root may use a lower port.
  port: integer(1024, 65_535).default(defaultMetricsPort),
  fromNamespace: leaf(dnsLabel).optional(),
  podMonitor: podMonitor.optional(),
});

/** Parsed metrics for Prometheus. */
export type MetricsSpec = z.output<typeof metrics>;
