import { originInPod } from "../../core/diagnostics/admission/origins";
import type { MiniClusterSpec } from "../../core/parse/spec";
import { fieldsOf } from "../../shared/reading";

type Path = readonly PropertyKey[];

/** The argument that sets a field of the agent's Deployment: its node selection and its image are from the arguments. */
export function originInAgent(spec: MiniClusterSpec, deployment: object, field: Path): Path {
  const [part, map, ...path] = field;
  if (part !== "spec" || map !== "template") return [];
  const { template } = fieldsOf(fieldsOf(deployment).spec);
  const [inPod, list, index, ...rest] = path;
  const image = spec.flux.container.disable ? ["containers", spec.main.index] : ["flux", "container"];
  if (inPod === "spec" && list === "containers") return index === undefined ? [] : [...image, ...rest];
  return originInPod({ spec, template: fieldsOf(template), list: "containers", containers: [] }, path);
}
