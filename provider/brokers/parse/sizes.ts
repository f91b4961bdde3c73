import type { MiniClusterFields } from "./fields";

/** Hosts that the Flux instance knows of a MiniCluster. */
export const maxSizeOf = (fields: Pick<MiniClusterFields, "size" | "maxSize" | "autoscale">) =>
  fields.maxSize ?? fields.autoscale?.max ?? sizeOf(fields);

/** Pods that a MiniCluster starts with. */
export const sizeOf = ({ size, autoscale }: Pick<MiniClusterFields, "size" | "autoscale">) =>
  autoscale ? autoscale.min : (size ?? 1);
