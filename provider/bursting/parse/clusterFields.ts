import type { BrokerPodsFields } from "../../core/parse/fields";
import type { MaxSizeFields } from "../../core/parse/sizes";
import type { BurstingFields } from "./fields";

/** The fields that the rules read in a cluster with the lead broker. */
export interface JoinedFields extends BrokerPodsFields, MaxSizeFields {
  bursting?: BurstingFields;
  archive?: object;
  groups?: Record<string, { pool?: BrokerPodsFields["pool"] }>;
  interactive: boolean;
}
