import type { Cloud } from "../cloud";
import { aws } from "./aws";
import { azureNative } from "./azureNative";
import { gcp } from "./gcp";

/** The clouds by the name of their provider, which is that of the SDK as well. */
export const clouds = { aws, gcp, "azure-native": azureNative } satisfies Record<string, Cloud>;

export type CloudName = keyof typeof clouds;
