import { within, type Say } from "./say";

/** A security context without what is only for Windows nodes. */
export function securityArgs<T extends { windowsOptions?: unknown }>(context: T | undefined, path: string, warn: Say) {
  if (context === undefined) return undefined;
  const { windowsOptions, ...rest } = context;
  if (windowsOptions !== undefined)
    within(path, warn)("windowsOptions", "is for Windows nodes, where no Flux runs; left out");
  return rest;
}
