import * as https from "node:https";

/** A Kubernetes object as JSON, with the metadata that nearly every caller reads. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: KubeMetadata;
  // Tests look into objects of any kind; types for each of them would say nothing that the assertion does not.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

/** The part of an object's metadata that tests use. */
export interface KubeMetadata {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  deletionTimestamp?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

/** An answer of the API server that is not a success. */
export class KubeError extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Where the API server is and who is asking. */
export interface KubeAccess {
  server: string;
  token: string;
  /** PEM certificate of the API server. When absent the server is not verified, as before it wrote its certificate. */
  ca?: string;
}

/** What a patch body means. */
export const patchTypes = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** Plain JSON requests to the API server; enough for the tests, and independent of any client library. */
export class KubeApi {
  private readonly agent = new https.Agent({ keepAlive: true });

  constructor(private readonly access: KubeAccess) {}

  /** Sends one request and returns the decoded answer; throws a KubeError for a failure status. */
  request<T = KubeObject>(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<T> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string | number> = {
      authorization: `Bearer ${this.access.token}`,
      accept: "application/json",
    };
    if (payload !== undefined) {
      headers["content-type"] = contentType;
      headers["content-length"] = Buffer.byteLength(payload);
    }
    const tls = this.access.ca ? { ca: this.access.ca } : { rejectUnauthorized: false };
    return new Promise<T>((resolve, reject) => {
      const url = new URL(path, this.access.server);
      const request = https.request(url, { method, headers, agent: this.agent, ...tls }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => settle(response.statusCode ?? 0, Buffer.concat(chunks).toString(), resolve, reject));
      });
      request.on("error", reject);
      request.end(payload);
    });
  }

  /** Drops the idle connections. */
  close(): void {
    this.agent.destroy();
  }
}

function settle<T>(status: number, text: string, resolve: (value: T) => void, reject: (error: Error) => void): void {
  let decoded: unknown = text;
  try {
    decoded = JSON.parse(text);
  } catch {
    // Health endpoints answer in plain text.
  }
  if (status >= 200 && status < 300) return resolve(decoded as T);
  const failure = decoded as { reason?: string; message?: string };
  reject(new KubeError(status, failure.reason ?? "", failure.message ?? `${status}: ${text}`));
}
