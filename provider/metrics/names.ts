/** The objects by which Prometheus finds and reaches the metrics of a cluster. */
export const metricsName = ({ name }: { name: string }) => `${name}-metrics`;

/** TCP port at which the lead broker's pod serves metrics by default. */
export const defaultMetricsPort = 8061;
