import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { type ClusterChoice, connectionFor } from "../../../provider/diagnostics/connection/kubeconfig";

const server = "https://a:6443";
const kubeconfig = (user: object, cluster: object = {}) =>
  JSON.stringify({
    "current-context": "one",
    clusters: [
      { name: "a", cluster: { server, ...cluster } },
      { name: "b", cluster: { server: "https://b:6443" } },
    ],
    contexts: [
      { name: "one", context: { cluster: "a", user: "me" } },
      { name: "two", context: { cluster: "b", user: "missing" } },
    ],
    users: [{ name: "me", user }],
  });
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** The connection with the credentials of the moment. */
async function connected(choice: ClusterChoice) {
  const connection = connectionFor(choice);
  if (!connection) return undefined;
  const { credentials, ...rest } = connection;
  return { ...rest, ...(await credentials()) };
}

/** Credentials of a user alone. */
async function headersOf(user: object) {
  return (await connected({ kubeconfig: kubeconfig(user) }))?.headers;
}

describe("the connection of a kubeconfig", () => {
  const certificates = { "client-certificate-data": base64("c"), "client-key-data": base64("k") };
  const authority = { "certificate-authority-data": base64("ca"), "insecure-skip-tls-verify": true };
  const detour = { "proxy-url": "socks5://proxy:1080", "tls-server-name": "kubernetes.example" };
  const [ca, cert, key] = ["ca", "c", "k"].map((text) => Buffer.from(text));
  const headers = { authorization: "Bearer t" };
  const plain = { insecure: false, headers: {} };
  const trusting = { server, insecure: true, headers: {} };
  const ofB = { ...plain, server: "https://b:6443" };
  const withToken = kubeconfig({ token: "t" });
  const detoured = { ...plain, server, proxy: "socks5://proxy:1080", serverName: "kubernetes.example" };
  const cases: [name: string, choice: ClusterChoice, want: object | undefined][] = [
    ["has a token", { kubeconfig: withToken }, { ...plain, server, headers }],
    ["has certificates", { kubeconfig: kubeconfig(certificates, authority) }, { ...trusting, ca, cert, key }],
    ["has a proxy and the name of the server's certificate", { kubeconfig: kubeconfig({}, detour) }, detoured],
    ["is that of the context", { kubeconfig: withToken, context: "two" }, ofB],
    ["is to the cluster", { kubeconfig: withToken, cluster: "b" }, { ...ofB, headers }],
    ["is none for a context that it does not have", { kubeconfig: withToken, context: "three" }, undefined],
  ];
  for (const [name, choice, want] of cases) it(name, async () => assert.deepEqual(await connected(choice), want));

  const you = { "Impersonate-User": "you", "Impersonate-Uid": "7", "Impersonate-Group": ["g", "h"] };
  const asYou = { as: "you", "as-uid": "7", "as-groups": ["g", "h"], "as-user-extra": { "example.com/x": ["y"] } };
  const users: [name: string, user: object, want: object][] = [
    ["a password", { username: "me", password: "p" }, { authorization: `Basic ${base64("me:p")}` }],
    ["another user", { token: "t", ...asYou }, { ...headers, ...you, "Impersonate-Extra-example.com%2Fx": ["y"] }],
    ["no groups without a user", { token: "t", "as-groups": ["g"] }, headers],
  ];
  for (const [name, user, want] of users)
    it(`has the headers of ${name}`, async () => assert.deepEqual(await headersOf(user), want));
});

describe("credentials from a command", () => {
  let directory: string;
  before(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "kubeconfig-"))));
  after(() => fs.rmSync(directory, { recursive: true }));

  /** A user whose command counts its runs in a file, and gives the number as the token. */
  function counting(name: string, more: object = {}, end?: string) {
    const file = path.join(directory, name);
    fs.writeFileSync(file, "");
    const status = `{ token: "t" + fs.statSync(process.argv[1]).size${end ? `, expirationTimestamp: ${end}` : ""} }`;
    const script = `fs.appendFileSync(process.argv[1], "x"); console.log(JSON.stringify({ status: ${status} }))`;
    const exec = { apiVersion: "v1", command: process.execPath, args: ["-e", script, file] };
    return { exec: { ...exec, ...more } };
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it("are those that it returns, and it gets the request", async () => {
    const script = `const { kind } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      console.log(JSON.stringify({ status: { token: kind + process.env.MORE } }))`;
    const started = { command: process.execPath, args: ["-e", script], env: [{ name: "MORE", value: "!" }] };
    const exec = { apiVersion: "client.authentication.k8s.io/v1", ...started };
    assert.deepEqual(await headersOf({ exec }), bearer("ExecCredential!"));
  });

  it("include the cluster where the command requests it", async () => {
    const script = `const { spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      console.log(JSON.stringify({ status: { token: JSON.stringify(spec.cluster) } }))`;
    const exec = { apiVersion: "v1", command: process.execPath, args: ["-e", script], provideClusterInfo: true };
    const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }];
    const own = { "tls-server-name": "s", "certificate-authority-data": base64("ca") };
    const found = await connected({ kubeconfig: kubeconfig({ exec }, { ...own, extensions }) });
    const execInfo = { server, ...own, config: { audience: "a" } };
    assert.deepEqual(found?.headers, bearer(JSON.stringify(execInfo)));
  });

  it("are used for as long as they last, by all concurrent requests", async () => {
    const lasting = counting("lasting", {}, "new Date(Date.now() + 600_000)");
    assert.deepEqual(
      await Promise.all([1, 2, 3].map(() => headersOf(lasting))),
      [1, 2, 3].map(() => bearer("t1")),
    );
    assert.deepEqual(await headersOf(lasting), bearer("t1"));
    const ended = counting("ended", {}, "new Date(Date.now() + 1_000)");
    assert.deepEqual([await headersOf(ended), await headersOf(ended)], [bearer("t1"), bearer("t2")]);
  });

  it("are requested again where the command has failed", async () => {
    const file = path.join(directory, "failing");
    const script = `fs.existsSync(process.argv[1]) ? console.log('{"status":{"token":"t"}}') : process.exit(1)`;
    const exec = { apiVersion: "v1", command: process.execPath, args: ["-e", script, file] };
    await assert.rejects(headersOf({ exec }));
    fs.writeFileSync(file, "");
    assert.deepEqual(await headersOf({ exec }), bearer("t"));
  });
});

describe("the files of kubeconfigs", () => {
  let directory: string;
  const environment = process.env["KUBECONFIG"];
  beforeEach(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "kubeconfig-"))));
  afterEach(() => {
    fs.rmSync(directory, { recursive: true });
    if (environment === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = environment;
  });
  const write = (name: string, text: string) => {
    const file = path.join(directory, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  };

  it("have paths that are relative to them", async () => {
    write("token", "t\n");
    const file = write("config", kubeconfig({ tokenFile: "token" }));
    assert.deepEqual((await connected({ kubeconfig: file }))?.headers, { authorization: "Bearer t" });
  });

  it("have a token in a file that is newer than their own, and is read each time", async () => {
    const token = write("token", "t1");
    const connection = connectionFor({ kubeconfig: kubeconfig({ token: "t0", tokenFile: token }) });
    const first = await connection?.credentials();
    write("token", "t2");
    const tokens = [first, await connection?.credentials()].map((credentials) => credentials?.headers["authorization"]);
    assert.deepEqual(tokens, ["Bearer t1", "Bearer t2"]);
  });

  it("are all read of those that KUBECONFIG lists, and the first counts", async () => {
    write("users/token", "t");
    const user = write("users/config", "users: [{name: me, user: {tokenFile: token}}]");
    const contexts = "contexts: [{name: one, context: {cluster: a, user: me}}]";
    const first = write("first", `${contexts}\ncurrent-context: ''\nclusters:`);
    const cluster = (name: string) =>
      `current-context: one\nclusters: [{name: a, cluster: {server: 'https://${name}'}}]`;
    const files = [path.join(directory, "missing"), user, first, write("c", cluster("c")), write("d", cluster("d"))];
    process.env["KUBECONFIG"] = files.join(path.delimiter);
    const want = { server: "https://c", insecure: false, headers: { authorization: "Bearer t" } };
    assert.deepEqual(await connected({}), want);
    // What the SDK passes to an explicit provider by default.
    assert.deepEqual(await connected({ kubeconfig: process.env["KUBECONFIG"] }), want);
    assert.equal(await connected({ context: "two" }), undefined);
  });
});
