import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { read } from "../../../provider/diagnostics/apiServer";
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

/** A proxy by CONNECT, which leads everything to one port and asks for a password. */
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

/** A proxy of version 5 of SOCKS without a password, whose answers come byte by byte. */
function socksProxy(port: number, asked: string[]): net.Server {
  return net.createServer((client) => {
    client.on("error", () => undefined);
    client.once("data", () => {
      client.write(Buffer.from([5]));
      setTimeout(() => client.write(Buffer.from([0])), 5);
      client.once("data", (request: Buffer) => {
        const host = request.subarray(5, 5 + (request[4] ?? 0)).toString();
        asked.push(`${host}:${request.readUInt16BE(request.length - 2)}`);
        if (host === "refused") return client.end(Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]));
        client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        const onward = net.connect(port, "127.0.0.1");
        onward.on("error", () => undefined);
        client.pipe(onward).pipe(client);
      });
    });
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
    ...{ server: `https://127.0.0.1:${securePort}`, insecure: false, credentials: none, ca },
    ...more,
  });
  const want = { url: "/api/v1", from: "test" };
  const serverName = "kubernetes.example";

  it("is asked of a server whose certificate has another name, where the kubeconfig has that name", async () => {
    await assert.rejects(read(connection({}), "/api/v1"), /IP: 127.0.0.1 is not in the cert/);
    assert.deepEqual(await read(connection({ serverName }), "/api/v1"), want);
    assert.deepEqual(await read(connection({ insecure: true }), "/api/v1"), want);
  });

  it("is asked of a server without TLS, as kubectl proxy is", async () => {
    assert.deepEqual(await read(connection({ server: `http://127.0.0.1:${plainPort}/` }), "/api/v1"), want);
  });

  it("goes through the proxy of the kubeconfig", async () => {
    const asked: string[] = [];
    const proxy = `http://me:p%20w@127.0.0.1:${await begin(connectProxy(securePort, asked))}`;
    const remote = connection({ server: "https://kubernetes.example:6443", proxy });
    assert.deepEqual(await read(remote, "/api/v1"), want);
    assert.deepEqual(asked, ["kubernetes.example:6443"]);
    await assert.rejects(read({ ...remote, proxy: proxy.replace("me:", "you:") }, "/"), /returned status 407/);
    await assert.rejects(read({ ...remote, serverName: "other" }, "/"), /not match certificate's altnames/);
  });

  it("goes through a SOCKS proxy, which looks up the name", async () => {
    const asked: string[] = [];
    const proxy = `socks5://127.0.0.1:${await begin(socksProxy(securePort, asked))}`;
    assert.deepEqual(await read(connection({ server: "https://kubernetes.example", proxy }), "/api/v1"), want);
    assert.deepEqual(asked, ["kubernetes.example:443"]);
    await assert.rejects(read(connection({ server: "https://refused", proxy }), "/"), /returned status 2/);
  });

  it("fails where the proxy speaks no protocol that is known", async () => {
    await assert.rejects(read(connection({ proxy: "ftp://127.0.0.1" }), "/"), /unknown proxy protocol ftp:/);
  });
});

describe("the proxy of the environment", () => {
  const proxied = "http://proxy:3128";
  const cases: { name: string; server: string; env: NodeJS.ProcessEnv; want: boolean }[] = [
    { name: "leads to a server", server: "https://a.example:6443", env: {}, want: true },
    { name: "leads to no server without TLS", server: "http://a.example", env: {}, want: false },
    { name: "does not lead to this machine", server: "https://127.0.0.1:6443", env: {}, want: false },
    { name: "does not lead to localhost", server: "https://localhost:6443", env: {}, want: false },
    { name: "leads nowhere with *", server: "https://a.example", env: { NO_PROXY: "*" }, want: false },
    { name: "leaves out a host", server: "https://a.example", env: { NO_PROXY: "b, a.example" }, want: false },
    { name: "leaves out its subdomains", server: "https://c.a.example", env: { no_proxy: "a.example" }, want: false },
    { name: "leaves out subdomains alone", server: "https://a.example", env: { NO_PROXY: ".a.example" }, want: true },
    {
      name: "is no matter of a part of a name",
      server: "https://ba.example",
      env: { NO_PROXY: "a.example" },
      want: true,
    },
    { name: "leaves out one port", server: "https://a.example:6443", env: { NO_PROXY: "a.example:6443" }, want: false },
    { name: "leads to another port", server: "https://a.example", env: { NO_PROXY: "a.example:6443" }, want: true },
    { name: "leaves out a network", server: "https://10.1.2.3:6443", env: { NO_PROXY: "10.0.0.0/8" }, want: false },
    { name: "leads to another network", server: "https://11.1.2.3:6443", env: { NO_PROXY: "10.0.0.0/8" }, want: true },
    {
      name: "leaves out an IPv6 network",
      server: "https://[fd00::1]:6443",
      env: { NO_PROXY: "fd00::/8" },
      want: false,
    },
    { name: "leaves out an IPv6 address", server: "https://[fd00::1]:6443", env: { NO_PROXY: "fd00::1" }, want: false },
    {
      name: "takes no nonsense for a network",
      server: "https://a.example",
      env: { NO_PROXY: "x/y,/,10/99" },
      want: true,
    },
  ];
  for (const { name, server, env, want } of cases)
    it(name, () => {
      assert.equal(proxyOf(new URL(server), { https_proxy: proxied, ...env }), want ? proxied : undefined);
    });
});
