import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";

/** Host and port of a server. */
export interface Target {
  host: string;
  port: number;
}

/** Proxy for a server from the environment, by the rules of Go's net/http, as in the Kubernetes provider. */
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

/** Connection to a server through a proxy, which has to respond in time. */
export async function tunnel(proxy: string, target: Target, timeout: number): Promise<net.Socket> {
  const url = new URL(proxy.includes("://") ? proxy : `http://${proxy}`);
  if (url.protocol === "socks5:" || url.protocol === "socks5h:") return socks(url, target, timeout);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error(`unknown proxy protocol ${url.protocol}`);
  const [name, password] = userOf(url);
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  const request = (url.protocol === "https:" ? https : http).request({
    ...targetOf(url),
    method: "CONNECT",
    path: authority,
    agent: false,
    signal: AbortSignal.timeout(timeout),
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

/** Connection through a SOCKS proxy, which resolves the host name (RFC 1928, RFC 1929). */
async function socks(url: URL, destination: Target, timeout: number): Promise<net.Socket> {
  // Loaded on demand: few clusters are behind such a proxy.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { SocksClient } = require("socks") as typeof import("socks");
  const [userId, password] = userOf(url);
  const proxy = { ...targetOf(url), type: 5 as const, ...(userId && { userId, password }) };
  const { socket } = await SocksClient.createConnection({ proxy, destination, command: "connect", timeout }).catch(
    // The error object of the library contains the password.
    ({ message }: Error) => Promise.reject(new Error(`the proxy ${url.host} returned an error: ${message}`)),
  );
  return socket;
}
