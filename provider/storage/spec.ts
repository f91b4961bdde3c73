import { specOf } from "../core/parse/featureRules";
import type { MiniClusterSpec } from "../core/parse/spec";
import type { StorageFields } from "./fields";

/** Name of the claim of the volume with the state of the instance. */
export const stateClaimName = ({ name }: { name: string }) => `${name}-state`;

/** The volume of a cluster by the name of its claim, and the settings of a new claim. */
export interface StorageSpec {
  claimName: NonNullable<StorageFields["claimName"]>;
  own?: Pick<StorageFields, "storageClassName"> & { size: NonNullable<StorageFields["size"]> };
}

/** The volume, with the default name of a new claim. */
export const buildStorageSpec = (name: string, { size, storageClassName, claimName }: StorageFields): StorageSpec =>
  size === undefined
    ? { claimName: claimName ?? stateClaimName({ name }) }
    : { claimName: stateClaimName({ name }), own: { size, storageClassName } };

/** The volume with the state of the instance, in the pod of the lead broker. */
export const storageOf = (spec: MiniClusterSpec) => specOf<StorageSpec>(spec, "storage");
