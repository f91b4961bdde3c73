/** A response with a status other than 200, with the server's message. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly problems: string[] = [],
  ) {
    super(message);
  }
}

interface Failure {
  Message?: string;
  Error?: string;
  Errors?: string[];
}

/** The server of an instance, for a user with a token. */
export class Server {
  constructor(readonly token: string) {}

  async send(method: string, path: string, options: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...options.headers };
    const answer = await fetch(path, { ...options, method, headers, cache: "no-store" });
    if (answer.ok) return answer;
    const failure = (await answer.json().catch(() => ({}))) as Failure;
    const problems = [...(failure.Errors ?? []), ...(failure.Error === undefined ? [] : [failure.Error])];
    throw new Refusal(answer.status, failure.Message ?? `The server answers with status ${answer.status}.`, problems);
  }

  async get<T>(path: string, signal: AbortSignal): Promise<T> {
    return (await (await this.send("GET", path, { signal })).json()) as T;
  }

  async post<T>(path: string, body: object = {}): Promise<T> {
    return (await (await this.send("POST", path, { body: JSON.stringify(body) })).json()) as T;
  }

  /** Server-sent events. `EventSource` cannot send a token. */
  async *events(path: string, since?: number, signal?: AbortSignal): AsyncGenerator<ServerEvent[]> {
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (since !== undefined) headers["last-event-id"] = String(since);
    const { body } = await this.send("GET", path, { headers, ...(signal && { signal }) });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) return;
      text += value;
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      yield parts.map(readEvent);
    }
  }
}

export interface ServerEvent {
  kind: string;
  id?: number;
  data: string;
}

function readEvent(text: string): ServerEvent {
  const fields = new Map(
    text.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const id = fields.get("id");
  return {
    kind: fields.get("event") ?? "",
    data: fields.get("data") ?? "",
    ...(id !== undefined && { id: Number(id) }),
  };
}
