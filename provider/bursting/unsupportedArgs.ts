import { isPlainObject } from "../shared/objects";
import type { InputProblem } from "../shared/errors";

const leadOnly = "is the matter of the cluster with the lead broker; remove it here";

/** What a MiniCluster has and a cluster that joins one has not, with what to do in its place. */
const elsewhere: Record<string, string> = {
  maxSize: "is said by the cluster to join, in bursting.clusters; change it there",
  minSize: leadOnly,
  tasks: leadOnly,
  interactive: leadOnly,
  bursting: "is for the cluster with the lead broker; its brokers are the only ones that others reach",
  suspend: "is what a size of 0 does; set size",
  cleanup: "waits for the end of the Job, and brokers that join do not end by themselves; remove it",
  archive: leadOnly,
  "flux.completeWorkers": "would end the whole Job with the first broker; remove it",
  "flux.container.mountPath": "is that of the cluster to join, whose configuration all brokers take; remove it",
  "flux.submitCommand": leadOnly,
  "flux.optionFlags": leadOnly,
  "flux.topology": "is flat: brokers of another cluster reach only the lead broker; remove it",
  "flux.disableSocket": "names the socket after the rank in the instance, which no pod here knows; remove it",
  "flux.scheduler": leadOnly,
  "flux.minimalService": leadOnly,
  "flux.curveCert": "is one for all brokers of the instance, in root.certificate; remove it",
  "flux.brokerConfig": "is rendered from the plan of the cluster to join; remove it",
  "flux.bursting": "is the operator's form of root; remove it",
};

/** The arguments of a MiniCluster that a cluster that joins one cannot have. */
export function unsupportedArgs(args: object): InputProblem[] {
  return Object.entries(elsewhere)
    .filter(([path]) => valueAt(args, path.split(".")) !== undefined)
    .map(([propertyPath, reason]) => ({ propertyPath, reason }));
}

/** The other arguments. */
export const withoutUnsupported = <T extends object>(args: T): T => without(args, "") as T;

function without(value: object, prefix: string): object {
  const kept = Object.entries(value).filter(([key]) => !(`${prefix}${key}` in elsewhere));
  return Object.fromEntries(
    kept.map(([key, inner]: [string, unknown]) => [
      key,
      isPlainObject(inner) && Object.keys(elsewhere).some((path) => path.startsWith(`${prefix}${key}.`))
        ? without(inner, `${prefix}${key}.`)
        : inner,
    ]),
  );
}

const valueAt = (value: unknown, [key = "", ...rest]: string[]): unknown => {
  const inner = isPlainObject(value) ? value[key] : undefined;
  return rest.length === 0 ? inner : valueAt(inner, rest);
};
