import { createHash, randomBytes } from "node:crypto";
import { type CheckRequest, urnName } from "../rpc/backend";
import type { Obj } from "../rpc/values";
import type { Cloud, ResourceKind } from "./cloud";

/** Hexadecimal digits that nothing else has. */
export const uniqueDigits = () => randomBytes(9).toString("hex").slice(0, 17);

/** The inputs with a name, which stays the same once it was made up. */
export function named(cloud: Cloud, { name, namePrefix }: ResourceKind, request: CheckRequest): Obj {
  const { urn, news, olds, proposedName } = request;
  if (name === undefined || news[name] !== undefined) return news;
  if (namePrefix !== undefined && news[namePrefix] !== undefined) return news;
  const old = isAutonamed(cloud, urn, olds[name]) ? olds[name] : undefined;
  return { ...news, [name]: old ?? proposedName ?? madeUp(cloud, urn, request.randomSeed) };
}

/** True for a name that looks like one that was made up for this resource. */
export function isAutonamed({ autoname }: Cloud, urn: string, name: unknown): boolean {
  const prefix = urnName(urn) + autoname.separator;
  if (typeof name !== "string" || !name.startsWith(prefix)) return false;
  return new RegExp(`^[0-9a-f]{${autoname.digits}}$`).test(name.slice(prefix.length));
}

/** The same name for the same seed, so that an update makes what its preview said. */
function madeUp({ autoname }: Cloud, urn: string, seed: Uint8Array): string {
  const digits =
    seed.length > 0 ? createHash("sha256").update(urn).update(seed).digest("hex") : randomBytes(8).toString("hex");
  return urnName(urn) + autoname.separator + digits.slice(0, autoname.digits);
}
