import type * as pulumi from "@pulumi/pulumi";
import { beforeCreate, type Diagnostic } from "../../diagnostics/hooks";
import { placeOf } from "../parse/place";
import type { MiniClusterSpec } from "../../core/parse/spec";

/** Hook that shows to which clusters jobs may move, and what all nodes may then cost: a long queue has no preview. */
export function placeHooks(name: string, spec: MiniClusterSpec, parent: pulumi.Resource): pulumi.ResourceHookBinding {
  const notices = placeNotices(spec);
  return notices.length === 0 ? {} : beforeCreate(`minicluster:${name}:place`, parent, () => notices);
}

/** Notices of a cluster whose jobs move to others. */
export function placeNotices(spec: MiniClusterSpec): Diagnostic[] {
  const place = spec.role === "lead" ? placeOf(spec) : undefined;
  if (!place) return [];
  const [home, ...others] = place.queues.map(({ name }) => name);
  const price = spec.largestPricePerHour;
  const cost = price === undefined ? "" : `; all nodes may cost ${price} per hour`;
  const message = `jobs that wait ${place.afterSeconds} s in ${home} move to ${others.join(" or ")}${cost}`;
  return [{ severity: "info", message }];
}
