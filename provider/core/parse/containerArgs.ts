import type { MovedArgs } from "../../shared/rules";

/**
 * Unchecked arguments with `container` as the only item of `containers`. The check of `container` refuses it beside `containers`,
 * and a cluster with neither lacks `container`.
 */
export function listContainer(args: Record<string, unknown>): MovedArgs {
  const { container, ...others } = args;
  const { containers } = others;
  if (container !== undefined && containers !== undefined) return { args, moved: [] };
  return {
    args: container === undefined ? args : { ...others, containers: [container] },
    moved:
      containers === undefined
        ? [
            [["containers", 0], ["container"]],
            [["containers"], ["container"]],
          ]
        : [],
  };
}
