import { flag } from "../shared/checks";

/** Whether a cluster has a forecast. */
export const forecast = flag.default(true);
