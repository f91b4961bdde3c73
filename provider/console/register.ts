import { createHash, createHmac } from "node:crypto";
import { Service } from "@pulumi/kubernetes/core/v1/service";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy";
import * as pulumi from "@pulumi/pulumi";
import { RandomPassword } from "@pulumi/random/randomPassword";
import type { UniqueOptions } from "../core/register/options";
import { ownValue } from "../shared/objects";
import { type ConsoleSpec, consoleUsers, hasOwnTokens } from "./fields";
import type { ConsoleManifests } from "./objects";

/** The users of a console: their tokens, and the data with which its server checks them. */
export interface ConsoleAccounts {
  /** Token of each user. */
  tokens: pulumi.Output<Record<string, string>>;
  /** Roles and hashes of the tokens, in the format of the Secret's file, in base64. */
  data: pulumi.Output<string>;
}

/**
 * The tokens of the users of a cluster's console: explicit tokens, and otherwise tokens from a random key that the stack keeps as
 * a secret.
 */
export function registerAccounts(
  name: string,
  console: ConsoleSpec,
  parent: pulumi.ComponentResource,
): ConsoleAccounts {
  const key = hasOwnTokens(console)
    ? new RandomPassword(`${name}-console`, { length: 64, special: false }, { parent }).result
    : "";
  const users = consoleUsers(console);
  const tokens = pulumi.secret(
    pulumi
      .all([key, console.tokens])
      .apply(([secret, given]) =>
        Object.fromEntries([...users.keys()].map((user) => [user, ownValue(given, user) ?? tokenOf(secret, user)])),
      ),
  );
  const data = pulumi.secret(
    pulumi.all([tokens, console.secretKey ?? ""]).apply(([all, secretKey]) => {
      const accounts = [...users].map(([user, role]) => [user, { role, hash: sha256(ownValue(all, user) ?? "") }]);
      const text = JSON.stringify({ secretKey, users: Object.fromEntries(accounts) as object });
      return Buffer.from(text).toString("base64");
    }),
  );
  return { tokens, data };
}

/** Token of a user, which reveals neither the key nor the token of another user. */
const tokenOf = (key: string, user: string) => createHmac("sha256", key).update(user).digest("base64url");

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Registers the objects by which users reach the console. */
export function registerConsole(
  name: string,
  { service, networkPolicy }: ConsoleManifests,
  options: UniqueOptions,
): void {
  new Service(`${name}-console`, service, options);
  if (networkPolicy) new NetworkPolicy(`${name}-console`, networkPolicy, options);
}
