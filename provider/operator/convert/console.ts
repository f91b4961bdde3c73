import type { MiniClusterConsoleArgs } from "../../console/args";
import { shortestToken } from "../../console/fields";
import type { MiniClusterV1alpha1 } from "../fields/v1alpha1";
import { operatorDefaults, withoutUndefined } from "../values";
import { runsFlux } from "./container";
import type { Upgrade } from "./upgrade";

/**
 * The console of a v1alpha1 cluster. Without a command, v1alpha1 starts a RESTful server with a web page. A field of
 * the server also enables the console.
 */
export function consoleArgs({ spec, origins, warn }: Upgrade): MiniClusterConsoleArgs | undefined {
  const { fluxRestful, users: given = [] } = spec;
  if (!fluxRestful && given.length === 0 && !startsServer(spec)) return undefined;
  const { branch, port, secretKey, token, username } = fluxRestful ?? {};
  if (branch !== undefined)
    warn(
      ["spec", "fluxRestful", "branch"],
      "selects a version of the operator's server, which the console replaces; it is ignored",
    );
  const admin = username ?? operatorDefaults.v1alpha1.username;
  const users = given.filter(({ name }) => name !== admin);
  const accounts: Account[] = [
    { name: admin, token, path: ["spec", "fluxRestful", "token"] },
    ...given.map(({ name = "", password }, index) => ({
      name,
      token: password,
      path: ["spec", "users", index, "password"],
    })),
  ];
  origins.push(
    [consolePath("admins", 0), ["spec", "fluxRestful", "username"]],
    ...["port", "secretKey"].map((name): Origin => [consolePath(name), ["spec", "fluxRestful", name]]),
    ...users.map((user, index): Origin => [
      consolePath("users", index),
      ["spec", "users", given.indexOf(user), "name"],
    ]),
    ...accounts.map(({ name, path }): Origin => [consolePath("tokens", name), path]),
  );
  return withoutUndefined({
    admins: [admin],
    users: users.map(({ name = "" }) => name),
    tokens: tokensOf(accounts, warn),
    secretKey,
    port: port ?? operatorDefaults.v1alpha1.port,
  });
}

type Origin = Upgrade["origins"][number];

interface Account {
  name: string;
  token: string | undefined;
  path: PropertyKey[];
}

const consolePath = (...path: PropertyKey[]) => ["spec", "console", ...path];

/** True if the container that runs Flux has no command, and the cluster is not interactive. */
function startsServer({ containers = [], diagnostics, interactive }: MiniClusterV1alpha1): boolean {
  const broker = containers.find((container) => runsFlux(container, containers));
  return broker !== undefined && !broker.command && !broker.diagnostics && !diagnostics && !interactive;
}

/** The tokens of the manifest, except for tokens that are easily guessed. */
function tokensOf(accounts: Account[], warn: Upgrade["warn"]): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const { name, token, path } of accounts) {
    if (token === undefined) continue;
    if (token.length >= shortestToken) tokens[name] = token;
    else warn(path, `has fewer than ${shortestToken} characters; a new token is in the output consoleTokens`);
  }
  return tokens;
}
