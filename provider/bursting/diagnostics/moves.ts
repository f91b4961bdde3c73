import type * as pulumi from "@pulumi/pulumi";
import { beforeCreate, type Diagnostic } from "../../diagnostics/hooks";
import { burstingOf } from "../parse/spec";
import { movesOf } from "../parse/moves";
import type { MiniClusterSpec } from "../../core/parse/spec";

/** Hook that shows to which clusters jobs may move, and what all nodes may then cost: no preview shows the later moves. */
export function movesHooks(name: string, spec: MiniClusterSpec, parent: pulumi.Resource): pulumi.ResourceHookBinding {
  const notices = movesNotices(spec);
  return notices.length === 0 ? {} : beforeCreate(`minicluster:${name}:place`, parent, () => notices);
}

/** Notices of a cluster whose jobs move to other clusters. */
export function movesNotices(spec: MiniClusterSpec): Diagnostic[] {
  const bursting = burstingOf(spec);
  const moves = bursting && movesOf(bursting, spec.instance, spec.additions.prices);
  if (!moves) return [];
  const [home, ...others] = moves.queues.map(({ name }) => name);
  const price = spec.largestPricePerHour;
  const cost = price === undefined ? "" : `; all nodes may cost ${price} per hour`;
  const message = `jobs that wait ${moves.afterSeconds} s in ${home} move to ${others.join(" or ")}${cost}`;
  return [{ severity: "info", message }];
}
