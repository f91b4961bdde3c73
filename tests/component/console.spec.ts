import * as assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, type MiniClusterArgs } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, placesWhere, type Registration, valueOf } from "../support/mocks";

/** Everything that is registered for a cluster with a console, and its outputs. */
async function register(console: MiniClusterArgs["console"], preview = false) {
  const seen = await mockEngine({ preview });
  const cluster = new MiniCluster("demo", aMiniClusterArgs({ namespace: "hpc", ...(console && { console }) }));
  await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
  return { seen, cluster };
}

const ids = (seen: Registration[]) => seen.map(({ id }) => id);

interface Accounts {
  secretKey: string;
  users: Record<string, { role: string; hash: string }>;
}

/** The users that the Secret has. */
function accountsIn(seen: Registration[]): Accounts {
  const secret = seen.find(({ id }) => id === "Secret demo-curve")?.inputs;
  const { value } = (secret as { data: { value: Record<string, string> } }).data;
  return JSON.parse(Buffer.from(value["users.json"] ?? "", "base64").toString()) as Accounts;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the console of a cluster", function () {
  this.timeout(20_000);

  it("adds a key, a Service and its program, and nothing when it is disabled", async () => {
    const plain = ids((await register(undefined)).seen);
    const more = ids((await register({ users: ["ann"] })).seen).filter((id) => !plain.includes(id));
    assert.deepEqual(more.sort(), ["ConfigMap demo-programs", "RandomPassword demo-console", "Service demo-console"]);
    const given = ids((await register({ users: ["ann"], tokens: { ann: "token-of-ann" } })).seen);
    assert.ok(!given.includes("RandomPassword demo-console"));
  });

  it("has a token for each user, a secret, of which the Secret of the cluster has the hash", async () => {
    const console = { users: ["ann"], viewers: ["eve"], admins: ["root"], tokens: { root: "token-of-root" } };
    const { seen, cluster } = await register({ ...console, secretKey: "shared-key" });
    assert.ok(await pulumi.isSecret(cluster.consoleTokens));
    const tokens = await valueOf(cluster.consoleTokens);
    const derived = (user: string) => createHmac("sha256", "7".repeat(64)).update(user).digest("base64url");
    assert.deepEqual(tokens, { ann: derived("ann"), eve: derived("eve"), root: "token-of-root" });
    assert.deepEqual(accountsIn(seen), {
      secretKey: "shared-key",
      users: {
        ann: { role: "user", hash: sha256(derived("ann")) },
        eve: { role: "viewer", hash: sha256(derived("eve")) },
        root: { role: "admin", hash: sha256("token-of-root") },
      },
    });
    const shown = (value: unknown) => typeof value === "string" && /token-of-root|shared-key/.test(value);
    assert.deepEqual(placesWhere(seen, shown), []);
  });

  it("has a token for users whose name every object of JavaScript has", async () => {
    const names = ["constructor", "toString", "valueOf", "hasOwnProperty", "__defineGetter__", "length"];
    const { seen, cluster } = await register({ users: names, tokens: { length: "token-of-length" } });
    const derived = (user: string) => createHmac("sha256", "7".repeat(64)).update(user).digest("base64url");
    const tokenOf = (user: string) => (user === "length" ? "token-of-length" : derived(user));
    const tokens = await valueOf(cluster.consoleTokens);
    assert.deepEqual(
      Object.entries(tokens ?? {}),
      names.map((name) => [name, tokenOf(name)]),
    );
    const users = names.map((name) => [name, { role: "user", hash: sha256(tokenOf(name)) }]);
    assert.deepEqual(Object.entries(accountsIn(seen).users), users);
  });

  it("leaves the ConfigMap of the programs far below the limit of 1 MiB, with all that there is in it", async () => {
    const seen = await mockEngine({});
    const elastic = { interactive: true, autoscale: { max: 4 }, requeue: {}, metrics: {}, console: { users: ["ann"] } };
    const cluster = new MiniCluster("demo", aMiniClusterArgs(elastic));
    await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
    const { data, binaryData } = seen.find(({ id }) => id === "ConfigMap demo-programs")?.inputs as {
      data: object;
      binaryData: unknown;
    };
    // As a secret, the base64 does not fill previews.
    assert.ok(pulumi.runtime.isRpcSecret(binaryData));
    const archives = pulumi.runtime.unwrapRpcSecret(binaryData) as Record<string, string>;
    assert.deepEqual(Object.keys(archives).sort(), ["agent.pyz", "console.pyz", "lead.pyz"]);
    assert.ok(Buffer.byteLength(JSON.stringify([data, archives])) < 512 * 1024);
  });

  it("is reached by a command that forwards a port, where there is one", async () => {
    const { cluster } = await register({ users: ["ann"], port: 8070 });
    const command = "kubectl port-forward --namespace hpc service/demo-console 8070:8070";
    assert.equal(await valueOf(cluster.consoleCommand), command);
    const none = (await register(undefined)).cluster;
    assert.deepEqual([await valueOf(none.consoleCommand), await valueOf(none.consoleTokens)], [undefined, undefined]);
  });
});
