/** The objects by which Prometheus finds and reaches the metrics of a cluster. */
export const metricsName = ({ name }: { name: string }) => `${name}-metrics`;

/** TCP port at which the lead broker's pod serves metrics, unless another one is chosen. */
export const defaultMetricsPort = 8061;
