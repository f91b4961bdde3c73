import type { MiniClusterSpec } from "../../core/parse/spec";
import { burstingOf } from "../parse/spec";

/**
 * Warnings on joining clusters of unknown hardware: the lead broker's description of the hosts takes precedence, and brokers of
 * other clusters do not correct it.
 */
export function burstWarnings(spec: MiniClusterSpec): string[] {
  // Flux compares the configuration with the hardware that each broker finds.
  if (spec.pool) return [];
  const unknown = (burstingOf(spec)?.clusters ?? []).filter(
    ({ cores, pool }) => cores === undefined && pool === undefined,
  );
  return unknown.map(
    ({ name }) =>
      `bursting: the cores of a host of "${name}" are not set, so Flux assumes as many as on the lead broker's host, and overcommits ` +
      "smaller hosts; add cores or pool",
  );
}
