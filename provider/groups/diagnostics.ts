import { annotationsIn, lostJobs } from "../core/diagnostics/job";
import type { MiniClusterSpec } from "../core/parse/spec";
import type { Diagnostic, Inputs } from "../diagnostics/hooks";
import { groupsAnnotation } from "./names";

/** Warnings of a change of the groups, which replaces all Jobs. */
export function groupWarnings(spec: MiniClusterSpec, before: Inputs, after: Inputs): Diagnostic[] {
  const [old, changed] = [before, after].map((inputs) => annotationsIn(inputs)[groupsAnnotation]);
  if (old === changed) return [];
  const [oldText, text] = [old, changed].map((groups) =>
    typeof groups === "string" ? groups : "no separate lead broker",
  );
  const message =
    `groups and their hosts (${oldText} => ${text}) are part of the configuration of every broker, so the Jobs of the lead broker and ` +
    `of all groups are replaced; ${lostJobs(spec)}; to avoid this for a larger size, set maxSize of the group in advance`;
  return [{ severity: "warning", message }];
}
