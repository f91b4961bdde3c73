import { type SizeFields, startingSize } from "../../core/parse/sizes";

/** Size and largest size of a cluster that joins, as the cluster to join has them. */
export interface JoiningSizes {
  size?: number;
  maxSize: number;
}

/** Initial pods of a cluster that joins. The default is from the cluster to join. */
export const joiningSizeOf = (fields: SizeFields, placeOf: () => JoiningSizes | undefined) =>
  startingSize(fields, () => placeOf()?.size ?? 0);

/** Hosts of a joining cluster in the Flux instance. */
export const joiningMaxSizeOf = (place: JoiningSizes | undefined) => place?.maxSize ?? 1;
