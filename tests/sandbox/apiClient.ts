import * as http from "node:http";
import * as https from "node:https";

type Answer = Record<string, unknown>;

/** An error response of the API server. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    { message }: Answer,
  ) {
    super(typeof message === "string" ? message : `the server answered with status ${status}`);
  }
}

/** One request. */
export interface ApiRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  body?: unknown;
  contentType?: string;
  /** Default: application/json. */
  accept?: string;
  signal?: AbortSignal;
}

/** The address of an API server, and the credentials. */
export interface KubeAccess {
  server: string;
  token: string;
  /** PEM certificate of the API server. When absent the server is not verified, as before it wrote its certificate. */
  ca?: string;
}

/** Sends requests to one API server over connections that stay open. */
export class ApiClient {
  private readonly agent: https.Agent;

  constructor(private readonly access: KubeAccess) {
    const { ca } = access;
    this.agent = new https.Agent({ keepAlive: true, ca, rejectUnauthorized: ca !== undefined });
  }

  /** The server's response; an {@link ApiError} for a failure status. */
  async send(request: ApiRequest): Promise<Answer> {
    return parseAnswer(await this.text(request));
  }

  /** The server's response as text, such as the log of a container; an {@link ApiError} for a failure status. */
  async text(request: ApiRequest): Promise<string> {
    const { code, text } = await this.exchange(request);
    if (code >= 300) throw new ApiError(code, parseAnswer(text));
    return text;
  }

  /** The JSON lines of a streamed response, such as a watch; an error when the connection breaks. */
  async *stream(request: ApiRequest): AsyncGenerator<Answer> {
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
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers: http.OutgoingHttpHeaders = {
      accept: request.accept ?? "application/json",
      "user-agent": "minicluster-tests",
      authorization: `Bearer ${this.access.token}`,
    };
    if (body !== undefined) {
      headers["content-type"] = request.contentType ?? "application/json";
      headers["content-length"] = Buffer.byteLength(body);
    }
    const options = { method: request.method, agent: this.agent, headers, signal: request.signal };
    return new Promise((resolve, reject) => {
      const url = `${this.access.server}${request.path}`;
      const outgoing = https.request(url, options, resolve);
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

function parseAnswer(text: string): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === "object" && answer !== null) return answer as Answer;
  } catch {
    // Responses such as "404 page not found" are text.
  }
  return { message: text.trim() };
}
