import type { OperationOptions } from "../support/engine";

/** How the demo shows what it does. */
export interface Show {
  heading: (text: string) => Promise<void>;
  timed: <T>(what: string, work: () => Promise<T>) => Promise<T>;
  /** Options of each operation. */
  options: OperationOptions;
}
