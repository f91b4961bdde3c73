import type { Obj } from "../../rpc/values";
import { text } from "../cloud";

/** The region of a resource or a lookup: its own, or the provider's. */
export const regionOf = (args: Obj, config: Record<string, string>) => text(args.region, config.region || "us-east-1");
