/** Fields that decide how many pods a cluster starts with. */
interface SizeFields {
  size?: number;
  autoscale?: { min: number };
}

/** Pods that a cluster starts with: those of `autoscale`, of `size`, or else of its default. */
export const startingSize = (fields: SizeFields, defaultSize: () => number) =>
  fields.autoscale ? fields.autoscale.min : (fields.size ?? defaultSize());

/** Fields that `sizeOf` reads. */
export const sizeFields = ["size", "autoscale.min"] as const;

/** Pods that a MiniCluster starts with. */
export const sizeOf = (fields: SizeFields) => startingSize(fields, () => 1);

/** Fields that `maxSizeOf` reads. */
export const maxSizeFields = ["maxSize", ...sizeFields, "autoscale.max"] as const;

/** Hosts of a MiniCluster in the Flux instance. */
export const maxSizeOf = (fields: SizeFields & { maxSize?: number; autoscale?: { max: number } }) =>
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
