import { type SizeFields, startingSize } from "../../core/parse/sizes";

/** Size and largest size of a burst that its home sets. */
export interface JoiningSizes {
  size?: number;
  maxSize: number;
}

/** Initial number of pods of a burst. Default: the size that its home sets. */
export const joiningSizeOf = (fields: SizeFields, inPlan: () => JoiningSizes | undefined) =>
  startingSize(fields, () => inPlan()?.size ?? 0);

/** Number of hosts of a burst in the Flux instance. */
export const joiningMaxSizeOf = (inPlan: JoiningSizes | undefined) => inPlan?.maxSize ?? 1;
