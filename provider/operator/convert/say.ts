/** Tells of something in a manifest that means something else here, or nothing; or that is wrong. */
export type Say = (path: string, message: string) => void;

/** What is said about what lies in one place. */
export const within =
  (path: string, say: Say): Say =>
  (inner, message) =>
    say(`${path}${inner === "" || inner.startsWith("[") ? "" : "."}${inner}`, message);
