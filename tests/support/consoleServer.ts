import * as assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { connect, type Socket } from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { consoleProgram } from "../../provider/console/objects";
import { consoleUsersFile } from "../../provider/console/names";
import { programArchive } from "../../provider/core/programs";
import { freePorts } from "../sandbox/controlPlane/ports";
import { waitFor } from "../sandbox/waiting";
import { besideFlux, idleInstance, type Instance } from "./metricsServer";
import { installedByPip } from "./pip";

/** Token of a user of the servers here. */
export const tokenOf = (user: string) => `token-of-${user}`;

export const secretKey = "shared-with-users";

/** Users of a console, in the format of the Secret's file. */
export const accountsOf = (roles: Record<string, string>) => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const users = Object.entries(roles).map(([name, role]) => [name, { role, hash: sha256(tokenOf(name)) }]);
  return { secretKey, users: Object.fromEntries(users) as object };
};

/** The running program of the REST API, beside the stand-in of Flux. */
export interface ConsoleServer {
  url: string;
  process: ChildProcess;
  /** Sends a request as a user, or without a token. */
  ask: (user: string | undefined, request: string, body?: unknown) => Promise<Answer>;
  setAccounts: (accounts: object) => void;
  /** Writes decisions of agents. */
  decide: (decided: object) => void;
  /** File of the copy of the page. */
  kept: string;
  /** Writes the file with the size of the first cluster. */
  setSize: (text: string) => void;
  /** Changes the instance of the stand-in. */
  setInstance: (changes: Partial<Instance>) => void;
  /** Removes the stand-in of the broker. */
  endBroker: () => void;
  /** Its standard error. */
  log: () => string;
}

interface Answer {
  status: number;
  headers: Headers;
  json: Record<string, unknown>;
}

/** Four hosts of two clusters. The stand-in runs jobs on this machine. */
const idle = idleInstance("home-0", "home-1", "home-2", "far-0");

/** Runs the REST API with an administrator `root`, the users `ann` and `bob`, and `guest`, who only reads. */
export async function withConsole<T>(
  body: (server: ConsoleServer) => Promise<T>,
  changes: Partial<Instance> = {},
  python = "python3",
  hasForecast = true,
): Promise<T> {
  const lab = { ...idle, ...changes };
  const clusters = ["home", "far"].map((name) => {
    const hosts = lab.hosts.filter((host) => host.startsWith(`${name}-`)).length;
    return { name, hosts };
  });
  const prices = { home: 36_000, far: 4 };
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "console-"));
  const [port] = (await freePorts(1)) as [number];
  const keep = path.join(home, "kept.html");
  const settings = { name: "home", port, fixed: true, keep, forecast: hasForecast, clusters, prices };
  const [programs, accounts, instance, size] = ["programs", consoleUsersFile, "instance.json", "size"].map((name) =>
    path.join(home, name),
  ) as [string, string, string, string];
  fs.mkdirSync(programs);
  fs.writeFileSync(path.join(programs, "console.pyz"), programArchive(consoleProgram));
  fs.writeFileSync(path.join(programs, "console.json"), JSON.stringify(settings));
  const setAccounts = (given: object) => fs.writeFileSync(accounts, JSON.stringify(given));
  setAccounts(accountsOf({ root: "admin", ann: "user", bob: "user", guest: "viewer" }));
  fs.writeFileSync(instance, JSON.stringify(lab));
  fs.writeFileSync(size, "2");
  const server = spawn(python, ["-B", "console.pyz", path.join(programs, "console.json"), accounts, size], {
    cwd: programs,
    stdio: ["ignore", "inherit", "pipe"],
    env: { ...besideFlux(instance), HOME: home },
  });
  let log = "";
  server.stderr?.on("data", (text: Buffer) => (log += text.toString()));
  const url = `http://127.0.0.1:${port}`;
  const decide = (decided: object) => fs.writeFileSync(`${instance}.socket.decisions`, JSON.stringify(decided));
  try {
    // The page is read to its end: in Node.js 22 and 24, the process would fail when the server closes the connection.
    // See https://github.com/nodejs/undici/issues/5360.
    await waitFor("the console to serve", async () => (await (await fetch(url)).text()) !== "", 60_000);
    return await body({
      url,
      process: server,
      ask: asking(url),
      setAccounts,
      decide,
      setSize: (text) => fs.writeFileSync(size, text),
      setInstance: (changed) => {
        fs.writeFileSync(`${instance}.new`, JSON.stringify({ ...lab, ...changed }));
        fs.renameSync(`${instance}.new`, instance);
      },
      endBroker: () => fs.rmSync(instance),
      kept: settings.keep,
      log: () => log,
    });
  } finally {
    server.kill();
    fs.rmSync(home, { recursive: true });
  }
}

/** Sends requests such as `GET /v1/jobs`. A body is sent as JSON, unless it is a text. */
const asking =
  (url: string) =>
  async (user: string | undefined, request: string, body?: unknown): Promise<Answer> => {
    const [method, target] = request.split(" ") as [string, string];
    const answer = await fetch(url + target, {
      method,
      headers: user === undefined ? {} : { authorization: `Bearer ${tokenOf(user)}` },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Answer["json"] };
  };

/** The output of a program with the published client of flux-restful-api, as JSON. */
export async function runRestfulClient(
  url: string,
  user: string,
  ...action: ["stop"] | []
): Promise<Record<string, unknown>> {
  const packages = ["flux-restful-client==0.2.1", "httpx==0.28.1", "python-jose==3.5.0"];
  const libraries = installedByPip("flux-restful-client", packages, { withDependencies: true });
  const args = ["-B", path.join(__dirname, "restfulClient.py"), url, user, tokenOf(user), secretKey, ...action];
  const env = { ...process.env, PYTHONPATH: libraries };
  const { stdout } = await promisify(execFile)("python3", args, { env, timeout: 120_000 });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** That client's view of an instance of these hosts. */
export function seenByRestfulClient(nodes: string[]) {
  const steps = ["step 1", "step 2", "step 3"];
  return {
    submitted: "Job submit.",
    streamed: steps,
    isLive: true,
    output: steps.map((line) => `${line}\n`),
    job: { name: "sh", owner: "ann", state: "INACTIVE", result: "COMPLETED", returncode: 0, nnodes: 1 },
    wide: [2, "RUN"],
    cancelled: "Job is requested to cancel.",
    result: "CANCELED",
    listed: true,
    found: [true],
    ids: 2,
    nodes,
    huge: ["FAILED", "alloc", true],
    none: [],
  };
}

/** Reads server-sent events until the wanted one, each as its kind, its number and its data. */
export async function readEvents(
  url: string,
  isLast: (kind: string, data: string) => boolean,
  headers: Record<string, string> = {},
): Promise<{ kind: string; id?: number; data: string }[]> {
  const authorization = `Bearer ${tokenOf("guest")}`;
  const answer = await fetch(url, { headers: { accept: "text/event-stream", authorization, ...headers } });
  const [found, decoder] = [[] as { kind: string; id?: number; data: string }[], new TextDecoder()];
  let text = "";
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const fields = new Map(event.split("\n").map((line) => line.split(/: (.*)/s) as [string, string]));
      const [kind, data] = [fields.get("event") ?? "", fields.get("data") ?? ""];
      found.push({ kind, ...(fields.has("id") && { id: Number(fields.get("id")) }), data });
      if (isLast(kind, data)) return found;
    }
  }
  return found;
}

/** Submits a job, and returns its id. */
export async function submit({ ask }: ConsoleServer, job: Record<string, unknown>): Promise<number> {
  const { status, json } = await ask("ann", "POST /v1/jobs/submit", job);
  assert.equal(status, 200, JSON.stringify(json));
  return json["id"] as number;
}

/** Sends a request over another connection, and returns it with the first line of the response. */
export async function request({ url }: ConsoleServer, user: string, target: string): Promise<[Socket, string]> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${target} HTTP/1.1\r\nAuthorization: Bearer ${tokenOf(user)}\r\n\r\n`);
  const [piece] = (await Promise.race([once(socket, "data"), once(socket, "close").then(() => [""])])) as [unknown];
  return [socket, String(piece).split("\r\n", 1)[0] ?? ""];
}

/** A response as text. */
export const textOf = async ({ url }: ConsoleServer, target: string) =>
  (await fetch(url + target, { headers: { authorization: `Bearer ${tokenOf("ann")}` } })).text();
