import { sorted } from "../../shared/objects";

/**
 * The arguments with each map in the order of its keys. From other languages than TypeScript a map comes in no order of the program's,
 * and the pods have lists of its entries: all languages are to make the same Job. A patch of the pod template keeps its order, which
 * nothing is made of.
 */
export const inOrder = <T extends { podTemplate?: unknown }>({ podTemplate, ...fields }: T): T =>
  ({ ...sorted(fields), ...(podTemplate !== undefined && { podTemplate }) }) as T;
