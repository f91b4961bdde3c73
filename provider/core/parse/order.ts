import { sorted } from "../../shared/objects";

/**
 * The arguments with each map in the order of its keys. From languages other than TypeScript, maps arrive in arbitrary order, and
 * the pods have lists of their entries: all languages must produce the same Job. A patch of the pod template keeps its order,
 * because no list is derived from it.
 */
export const inOrder = <T extends { podTemplate?: unknown }>({ podTemplate, ...fields }: T): T =>
  ({ ...sorted(fields), ...(podTemplate !== undefined && { podTemplate }) }) as T;
