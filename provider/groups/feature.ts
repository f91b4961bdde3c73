import type { Feature } from "../core/register/feature";
import { groupWarnings } from "./diagnostics";

/** A separate lead broker, and groups of workers. */
export const groupsFeature: Feature = { name: "groups", replacementWarnings: groupWarnings };
