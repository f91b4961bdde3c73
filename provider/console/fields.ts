import { z } from "zod";
import { absolutePath, dnsLabel, integer, leaf, list, map, object, pattern } from "../shared/checks";
import { ownValue } from "../shared/objects";
import { defaultConsolePort } from "./names";

const userName = pattern(/^[\w.@-]{1,64}$/, "a user's name: 1 to 64 letters, digits, -, _, . and @");

/** Shortest token, in characters. */
export const shortestToken = 8;

const secretText = pattern(
  new RegExp(`^[!-~]{${shortestToken},512}$`),
  `${shortestToken} to 512 characters of ASCII without spaces`,
);

/** The console of an instance. */
export const consoleFields = object({
  users: list(userName).default([]),
  viewers: list(userName).default([]),
  admins: list(userName).default([]),
  tokens: map(userName, leaf(secretText)).default({}),
  secretKey: leaf(secretText).optional(),
  // Only root may use a lower port.
  port: integer(1024, 65_535).default(defaultConsolePort),
  fromNamespace: leaf(dnsLabel).optional(),
  keep: absolutePath.optional(),
});

/** Parsed arguments of the console. */
export type ConsoleSpec = z.output<typeof consoleFields>;

/** Lists of users in the arguments, each with the role of its users. */
export const consoleRoles = { users: "user", viewers: "viewer", admins: "admin" } as const;

export const consoleLists = Object.keys(consoleRoles) as (keyof typeof consoleRoles)[];

/** The users of a console by name, each with a role. */
export const consoleUsers = (spec: Pick<ConsoleSpec, keyof typeof consoleRoles>): ReadonlyMap<string, string> =>
  new Map(consoleLists.flatMap((key) => spec[key].map((name) => [name, consoleRoles[key]] as const)));

/** True if a user has no token among the arguments. */
export const hasOwnTokens = (spec: ConsoleSpec) =>
  [...consoleUsers(spec).keys()].some((name) => ownValue(spec.tokens, name) === undefined);
