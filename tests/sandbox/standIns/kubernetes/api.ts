import * as http from "node:http";
import * as https from "node:https";
import { isObject, type Obj } from "../rpc/values";
import type { Connection } from "./kubeconfig";
import { objectsAt, stringAt } from "./objects";

/** An error response of the API server. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly answer: Obj,
  ) {
    super(stringAt(answer, "message") || `the server answered with status ${status}`);
  }

  get reason(): string {
    return stringAt(this.answer, "reason");
  }

  /** The field of the first cause with this reason, for example `spec.completions`. */
  causeField(reason: string): string | undefined {
    const cause = objectsAt(this.answer, "details", "causes").find((c) => stringAt(c, "reason") === reason);
    return cause && stringAt(cause, "field");
  }
}

export const hasReason = (error: unknown, reason: string) => error instanceof ApiError && error.reason === reason;
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

/** One request. `query` values that are undefined are left out. */
export interface ApiRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
  contentType?: string;
  /** Default: application/json. */
  accept?: string;
  signal?: AbortSignal;
}

/** Sends requests to one API server over connections that stay open. */
export class ApiClient {
  private readonly agent: http.Agent;
  private readonly transport: typeof http | typeof https;

  constructor(
    private readonly connection: Connection,
    private readonly userAgent = "pulumi-kubernetes",
  ) {
    const { server, ca, cert, key, insecure } = connection;
    this.transport = server.startsWith("http:") ? http : https;
    this.agent =
      this.transport === http
        ? new http.Agent({ keepAlive: true })
        : new https.Agent({ keepAlive: true, ca, cert, key, rejectUnauthorized: !insecure });
  }

  /** The server's response; an {@link ApiError} for a failure status. */
  async send(request: ApiRequest): Promise<Obj> {
    return parseAnswer(await this.text(request));
  }

  /** The server's response as text, such as the log of a container; an {@link ApiError} for a failure status. */
  async text(request: ApiRequest): Promise<string> {
    const { code, text } = await this.exchange(request);
    if (code >= 300) throw new ApiError(code, parseAnswer(text));
    return text;
  }

  /** The JSON lines of a streamed response, such as a watch; an error when the connection breaks. */
  async *stream(request: ApiRequest): AsyncGenerator<Obj> {
    let rest = "";
    for await (const chunk of (await this.open(request)).setEncoding("utf8") as AsyncIterable<string>) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield parseAnswer(line);
    }
  }

  /** Drops the idle connections. */
  close(): void {
    this.agent.destroy();
  }

  private async exchange(request: ApiRequest): Promise<{ code: number; text: string }> {
    const incoming = await this.open(request);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    return { code: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
  }

  private open(request: ApiRequest): Promise<http.IncomingMessage> {
    const query = Object.entries(request.query ?? {}).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const search = query.length > 0 ? `?${new URLSearchParams(query).toString()}` : "";
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers: http.OutgoingHttpHeaders = {
      accept: request.accept ?? "application/json",
      "user-agent": this.userAgent,
    };
    if (this.connection.token) headers.authorization = `Bearer ${this.connection.token}`;
    if (body !== undefined) {
      headers["content-type"] = request.contentType ?? "application/json";
      headers["content-length"] = Buffer.byteLength(body);
    }
    const options = { method: request.method, agent: this.agent, headers, signal: request.signal };
    return new Promise((resolve, reject) => {
      const url = `${this.connection.server}${request.path}${search}`;
      const outgoing = this.transport.request(url, options, resolve);
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close a connection that was kept while the next request is on its way (Node.js, http.request).
        const isRepeatable = request.method === "GET" || /[?&]dryRun=All\b/.test(url);
        const isStale = ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
        if (isRepeatable && outgoing.reusedSocket && isStale) resolve(this.open(request));
        else reject(explain(error, request));
      });
      outgoing.end(body);
    });
  }
}

function explain(error: NodeJS.ErrnoException, { method, path, signal }: ApiRequest): Error {
  if (signal?.aborted) return new Error("context canceled", { cause: error });
  // Node leaves the message empty when every address of a name has failed.
  return new Error(`${method} ${path}: ${error.message || error.code}`, { cause: error });
}

function parseAnswer(text: string): Obj {
  try {
    const answer: unknown = JSON.parse(text);
    if (isObject(answer)) return answer;
  } catch {
    // Responses such as "404 page not found" are text.
  }
  return { message: text.trim() };
}
