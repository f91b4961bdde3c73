import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { send } from "../../../provider/diagnostics/apiServer";
import type { Connection } from "../../../provider/diagnostics/connection/kubeconfig";
import { proxyOf } from "../../../provider/diagnostics/connection/proxy";

const none = () => Promise.resolve({ headers: { "x-from": "test" } });
const answer: http.RequestListener = ({ url, headers }, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ url, from: headers["x-from"] }));
};

const listen = (server: net.Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as net.AddressInfo).port));
  });

/** A proxy by CONNECT, which leads everything to one port and requires a password. */
function connectProxy(port: number, asked: string[]): http.Server {
  return http.createServer().on("connect", ({ url = "", headers }: http.IncomingMessage, client: net.Socket) => {
    asked.push(url);
    if (headers["proxy-authorization"] !== `Basic ${Buffer.from("me:p w").toString("base64")}`)
      return client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    const onward = net.connect(port, "127.0.0.1");
    client.pipe(onward).pipe(client);
    for (const socket of [client, onward]) socket.on("error", () => undefined);
  });
}

/** A proxy of version 5 of SOCKS, which leads everything to one port and requires a password. */
function socksProxy(port: number, asked: string[]): net.Server {
  return net.createServer((client) => {
    const next = async () => ((await once(client, "data")) as [Buffer])[0];
    const serve = async () => {
      await next();
      client.write(Buffer.from([5]));
      setTimeout(() => client.write(Buffer.from([2])), 5);
      const isKnown = (await next()).equals(Buffer.from("\x01\x02me\x03p w"));
      client.write(Buffer.from([1, isKnown ? 0 : 1]));
      if (!isKnown) return client.end();
      const request = await next();
      const host = request.subarray(5, 5 + (request[4] ?? 0)).toString();
      asked.push(`${host}:${request.readUInt16BE(request.length - 2)}`);
      if (host === "refused") return client.end(Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]));
      client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      const onward = net.connect(port, "127.0.0.1");
      onward.on("error", () => undefined);
      return client.pipe(onward).pipe(client);
    };
    client.on("error", () => undefined);
    serve().catch(() => client.destroy());
  });
}

describe("a question to an API server", () => {
  let directory: string;
  let ca: Buffer;
  let servers: net.Server[];
  let [plainPort, securePort] = [0, 0];
  const begin = async (server: net.Server) => {
    servers.push(server);
    return listen(server);
  };
  before(async () => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "api-server-"));
    const [keyFile, certFile] = ["key", "cert"].map((name) => path.join(directory, name)) as [string, string];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile];
    const name = ["-subj", "/CN=test", "-addext", "subjectAltName=DNS:kubernetes.example"];
    execFileSync("openssl", ["req", "-x509", ...key, "-out", certFile, "-days", "2", ...name], { stdio: "ignore" });
    ca = fs.readFileSync(certFile);
    servers = [];
    plainPort = await begin(http.createServer(answer));
    securePort = await begin(https.createServer({ key: fs.readFileSync(keyFile), cert: ca }, answer));
  });
  after(() => {
    for (const server of servers) server.close();
    fs.rmSync(directory, { recursive: true });
  });

  const connection = (more: Partial<Connection>): Connection => ({
    server: `https://127.0.0.1:${securePort}`,
    insecure: false,
    credentials: none,
    ca,
    ...more,
  });
  const want = { url: "/api/v1", from: "test" };
  const serverName = "kubernetes.example";

  it("is asked of a server whose certificate has another name, where the kubeconfig has that name", async () => {
    await assert.rejects(send(connection({}), "/api/v1"), /IP: 127.0.0.1 is not in the cert/);
    assert.deepEqual(await send(connection({ serverName }), "/api/v1"), want);
    assert.deepEqual(await send(connection({ insecure: true }), "/api/v1"), want);
  });

  it("is asked of a server without TLS, as kubectl proxy is", async () => {
    assert.deepEqual(await send(connection({ server: `http://127.0.0.1:${plainPort}/` }), "/api/v1"), want);
  });

  it("goes through the proxy of the kubeconfig", async () => {
    const asked: string[] = [];
    const proxy = `http://me:p%20w@127.0.0.1:${await begin(connectProxy(securePort, asked))}`;
    const remote = connection({ server: "https://kubernetes.example:6443", proxy });
    assert.deepEqual(await send(remote, "/api/v1"), want);
    assert.deepEqual(asked, ["kubernetes.example:6443"]);
    await assert.rejects(send({ ...remote, proxy: proxy.replace("me:", "you:") }, "/"), /returned status 407/);
    await assert.rejects(send({ ...remote, serverName: "other" }, "/"), /not match certificate's altnames/);
  });

  it("goes through a SOCKS proxy, which looks up the name", async () => {
    const asked: string[] = [];
    const proxy = `socks5://me:p%20w@127.0.0.1:${await begin(socksProxy(securePort, asked))}`;
    assert.deepEqual(await send(connection({ server: "https://kubernetes.example", proxy }), "/api/v1"), want);
    assert.deepEqual(asked, ["kubernetes.example:443"]);
    const failure = (server: string, way: string) => send(connection({ server, proxy: way }), "/");
    await assert.rejects(failure("https://refused", proxy), /^Error: the proxy 127.*NotAllowed$/);
    await assert.rejects(
      failure("https://refused", proxy.replace("me:", "you:")),
      /^Error: the proxy 127.*Authentication failed$/,
    );
  });

  it("fails where the proxy speaks no protocol that is known", async () => {
    await assert.rejects(send(connection({ proxy: "ftp://127.0.0.1" }), "/"), /unknown proxy protocol ftp:/);
  });
});

describe("the proxy of the environment", () => {
  const proxied = "http://proxy:3128";
  const cases: [name: string, server: string, noProxy: string | undefined, want: boolean][] = [
    ["leads to a server", "https://a.example:6443", undefined, true],
    ["leads to no server without TLS", "http://a.example", undefined, false],
    ["does not lead to this machine", "https://127.0.0.1:6443", undefined, false],
    ["does not lead to localhost", "https://localhost:6443", undefined, false],
    ["leads nowhere with *", "https://a.example", "*", false],
    ["leaves out a host and its subdomains", "https://c.a.example", "b, a.example", false],
    ["leaves out subdomains alone", "https://a.example", ".a.example", true],
    ["is no matter of a part of a name", "https://ba.example", "a.example", true],
    ["leaves out one port", "https://a.example:6443", "a.example:6443", false],
    ["leads to another port", "https://a.example", "a.example:6443", true],
    ["leaves out a network", "https://10.1.2.3:6443", "10.0.0.0/8", false],
    ["leads to another network", "https://11.1.2.3:6443", "10.0.0.0/8", true],
    ["leaves out an IPv6 network", "https://[fd00::1]:6443", "fd00::/8", false],
    ["leaves out an IPv6 address", "https://[fd00::1]:6443", "fd00::1", false],
    ["takes no nonsense for a network", "https://a.example", "x/y,/,10/99", true],
  ];
  for (const [name, server, noProxy, want] of cases)
    it(name, () => {
      const env = { https_proxy: proxied, ...(noProxy && { [want ? "NO_PROXY" : "no_proxy"]: noProxy }) };
      assert.equal(proxyOf(new URL(server), env), want ? proxied : undefined);
    });
});
