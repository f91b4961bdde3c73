import type { MiniClusterFields } from "./fields";

/** Fields that decide how many pods a cluster starts with. */
interface SizeFields {
  size?: number;
  autoscale?: { min: number };
}

/** Pods that a cluster starts with: those of `autoscale`, of `size`, or else of its default. */
export const startingSize = (fields: SizeFields, defaultSize: () => number) =>
  fields.autoscale ? fields.autoscale.min : (fields.size ?? defaultSize());

/** Pods that a MiniCluster starts with. */
export const sizeOf = ({ size, autoscale }: Pick<MiniClusterFields, "size" | "autoscale">) =>
  startingSize({ size, autoscale }, () => 1);

/** Hosts of a MiniCluster in the Flux instance. */
export const maxSizeOf = (fields: Pick<MiniClusterFields, "size" | "maxSize" | "autoscale">) =>
  fields.maxSize ?? fields.autoscale?.max ?? sizeOf(fields);

/** Size and largest size of a cluster that joins, as the cluster to join has them. */
export interface JoiningSizes {
  size?: number;
  maxSize: number;
}

/** Pods that a cluster that joins starts with. By default it has as many as the cluster to join says. */
export const joiningSizeOf = (fields: SizeFields, placeOf: () => JoiningSizes | undefined) =>
  startingSize(fields, () => placeOf()?.size ?? 0);

/** Hosts of a joining cluster in the Flux instance. */
export const joiningMaxSizeOf = (place: JoiningSizes | undefined) => place?.maxSize ?? 1;
