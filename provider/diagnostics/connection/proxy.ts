import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import type { Readable } from "node:stream";

/** Host and port of a server. */
export interface Target {
  host: string;
  port: number;
}

/** Proxy for a server from the environment, by the rules of Go's net/http, which the Kubernetes provider follows. */
export function proxyOf(server: URL, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = (name: string) => env[name] || env[name.toLowerCase()];
  const proxy = server.protocol === "https:" ? given("HTTPS_PROXY") : given("HTTP_PROXY");
  return proxy && !isDirect(targetOf(server), given("NO_PROXY") ?? "") ? proxy : undefined;
}

/** Host and port of a URL. */
export function targetOf({ hostname, port, protocol }: URL): Target {
  const defaults: Record<string, number> = { "http:": 80, "https:": 443 };
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || (defaults[protocol] ?? 1080) };
}

function isDirect(target: Target, exceptions: string): boolean {
  const isLoopback = target.host === "localhost" || subnet("127.0.0.0/8")(target.host) || target.host === "::1";
  return isLoopback || exceptions.split(",").some((text) => excepts(text.trim().toLowerCase(), target));
}

/** True for an entry of NO_PROXY that matches a server: "*", an address, a network, or a domain, with or without a port. */
function excepts(entry: string, { host, port }: Target): boolean {
  if (entry === "" || entry === "*") return entry === "*";
  if (entry.includes("/")) return subnet(entry)(host);
  const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(net.isIPv6(entry) ? `[${entry}]` : entry) ?? [];
  if (only !== undefined && Number(only) !== port) return false;
  const domain = name.replace(/^\[|\]$|^\*(?=\.)/g, "");
  return domain.startsWith(".") ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function subnet(text: string): (host: string) => boolean {
  const [address = "", prefix = ""] = text.split("/");
  const family = (host: string) => (net.isIPv6(host) ? "ipv6" : "ipv4");
  if (!net.isIP(address) || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (net.isIPv6(address) ? 128 : 32))
    return () => false;
  const block = new net.BlockList();
  block.addSubnet(address, Number(prefix), family(address));
  return (host) => net.isIP(host) !== 0 && block.check(host, family(host));
}

/** Connection to a server through a proxy. */
export async function tunnel(proxy: string, target: Target, signal: AbortSignal): Promise<net.Socket> {
  const url = new URL(proxy.includes("://") ? proxy : `http://${proxy}`);
  if (url.protocol === "socks5:" || url.protocol === "socks5h:") return socks(url, target, signal);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error(`unknown proxy protocol ${url.protocol}`);
  const [name, password] = userOf(url);
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  const request = (url.protocol === "https:" ? https : http).request({
    ...targetOf(url),
    method: "CONNECT",
    path: authority,
    agent: false,
    signal,
    headers: { host: authority, ...(url.username && { "proxy-authorization": authorization }) },
  });
  const answered = once(request, "connect") as Promise<[http.IncomingMessage, net.Socket]>;
  request.end();
  const [{ statusCode }, socket] = await answered;
  if (statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`the proxy ${url.host} returned status ${statusCode}`);
}

const userOf = ({ username, password }: URL) => [username, password].map(decodeURIComponent) as [string, string];

/** Connection through a SOCKS proxy, which looks up the host by itself (RFC 1928, RFC 1929). */
async function socks(url: URL, { host, port }: Target, signal: AbortSignal): Promise<net.Socket> {
  const socket = net.connect({ ...targetOf(url), signal });
  try {
    await once(socket, "connect", { signal });
    const [name, password] = userOf(url).map((text) => Buffer.from(text)) as [Buffer, Buffer];
    socket.write(Buffer.from(name.length > 0 ? [5, 2, 0, 2] : [5, 1, 0]));
    const [, method] = await read(socket, 2);
    if (method === 2) {
      socket.write(Buffer.from([1, name.length, ...name, password.length, ...password]));
      if ((await read(socket, 2))[1] !== 0)
        throw new Error(`the proxy ${url.host} rejects the user name or the password`);
    } else if (method !== 0)
      throw new Error(`the proxy ${url.host} supports neither a password nor access without one`);
    const domain = Buffer.from(host);
    socket.write(Buffer.from([5, 1, 0, 3, domain.length, ...domain, port >> 8, port & 255]));
    const [, status, , kind] = await read(socket, 4);
    if (status !== 0) throw new Error(`the proxy ${url.host} returned status ${status}`);
    // The rest is the address of the proxy's end, which is ignored. Its length depends on its kind.
    const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await read(socket, 1))[0] ?? 0);
    await read(socket, length + 2);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Reads a number of bytes, and leaves the bytes after them in the stream. */
async function read(stream: Readable, count: number): Promise<Buffer> {
  let all = Buffer.alloc(0);
  while (all.length < count) {
    const chunk = stream.read() as Buffer | null;
    if (chunk) all = Buffer.concat([all, chunk]);
    else if (stream.readableEnded || stream.destroyed) throw new Error("the proxy closed the connection");
    else await Promise.race([once(stream, "readable"), once(stream, "close")]);
  }
  if (all.length > count) stream.unshift(all.subarray(count));
  return all.subarray(0, count);
}
