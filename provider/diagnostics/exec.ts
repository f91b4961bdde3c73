import type { IncomingMessage } from "node:http";
import { StringDecoder } from "node:string_decoder";
import WebSocket from "ws";
import { z } from "zod";
import { FailedRead, requestTo, timeoutMillis } from "./apiServer";
import type { Connection } from "./connection/kubeconfig";
import { printable } from "../shared/printable";

/** A command to run in a container. */
export interface Command {
  namespace: string;
  pod: string;
  container: string;
  words: string[];
  /** Standard input, which is not closed after this text. Without it the command has no standard input. */
  input?: string;
}

/** Channels of the protocol: the first byte of each message. */
const [stdin, stdout, stderr, status] = [0, 1, 2, 3];

// Longer lines are not entries of the program, and the end of an error is sufficient.
const [longestLine, longestErrors, longestBody] = [2 ** 20, 2_000, 4_000];
// The API server closes the connection after the result. Output that it has not sent yet may follow the result.
const closeMillis = 1_000;

/** Error of a command with an exit status other than 0. */
export class CommandFailed extends Error {
  constructor(
    readonly exitStatus: number,
    message: string,
  ) {
    super(message);
  }
}

/** The result of a command as the API server sends it (Kubernetes, `Status`). */
const result = z.object({
  status: z.string(),
  message: z.string().nullish(),
  details: z
    .object({
      causes: z.array(z.object({ reason: z.string().nullish(), message: z.string().nullish() })).nullish(),
    })
    .nullish(),
});

/**
 * Runs a command in a container (Kubernetes, `pods/exec` by WebSocket, protocol `v4.channel.k8s.io`), and passes on
 * each line of its standard output; `onLine` returns whether the line shows that the program is alive. Fails if the
 * command fails, if the connection ends early or no such line arrives for too long, and when it is aborted.
 */
export async function exec(
  connection: Connection,
  command: Command,
  onLine: (line: string) => boolean,
  { signal, silentMillis }: { signal: AbortSignal; silentMillis: number },
): Promise<void> {
  const { namespace, pod, container, words, input } = command;
  const query = new URLSearchParams({ container, stdout: "true", stderr: "true" });
  if (input !== undefined) query.set("stdin", "true");
  for (const word of words) query.append("command", word);
  const place = [namespace, pod].map(encodeURIComponent);
  const path = `/api/v1/namespaces/${place[0]}/pods/${place[1]}/exec?${query}`;
  const { url, options } = await requestTo(connection, path);
  signal.throwIfAborted();
  url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
  const socket = new WebSocket(url, "v4.channel.k8s.io", {
    ...options,
    headers: options.headers as Record<string, string>,
    handshakeTimeout: timeoutMillis,
    perMessageDeflate: false,
  });
  // The first messages may arrive together with the handshake, so every handler is added before the next event.
  await new Promise<void>((resolve, reject) => {
    const output = new Output(onLine);
    const end = (error?: Error) => {
      clearTimeout(silence);
      signal.removeEventListener("abort", abort);
      socket.terminate();
      if (error) reject(error);
      else resolve();
    };
    const abort = () => end(signal.reason as Error);
    const silence = setTimeout(() => end(new Error("the pod has sent nothing for too long")), silentMillis);
    signal.addEventListener("abort", abort, { once: true });
    socket
      .on("error", end)
      .on("close", () => end(output.failure()))
      .on("open", () => {
        if (input !== undefined)
          socket.send(Buffer.concat([Buffer.from([stdin]), Buffer.from(input)]), () => undefined);
      })
      .on("unexpected-response", (_, response) => void refusalIn(response).then(end, end))
      .on("message", (data: Buffer) => {
        try {
          if (output.take(data)) silence.refresh();
        } catch (error) {
          end(error as Error);
        }
        if (data[0] === status) setTimeout(() => end(output.failure()), closeMillis).unref();
      });
  });
}

/** What a command has written so far, and its result. */
class Output {
  private readonly decoder = new StringDecoder();
  private line = "";
  private errors = Buffer.alloc(0);
  private result: string | undefined;

  constructor(private readonly onLine: (line: string) => boolean) {}

  /** Records a message of the protocol. Returns whether it shows that the program is alive. */
  take(data: Buffer): boolean {
    const message = data.subarray(1);
    if (data[0] === stderr) this.errors = Buffer.concat([this.errors, message]).subarray(-longestErrors);
    if (data[0] === status) this.result ??= message.toString();
    if (data[0] !== stdout) return false;
    // A message may end anywhere in a line, and in a character.
    const lines = (this.line + this.decoder.write(message)).split("\n");
    this.line = lines.pop() ?? "";
    if (this.line.length > longestLine) throw new Error("the pod has sent a line of more than 1 MiB");
    return lines.map(this.onLine).includes(true);
  }

  /** The failure of the command, or of its connection, once the connection has ended. */
  failure(): Error | undefined {
    if (this.result === undefined) return new Error("the connection to the pod has ended");
    const { success, data } = result.safeParse(jsonIn(this.result));
    if (!success) return new Error("the API server has sent a result of the command that is not valid");
    if (data.status === "Success") return undefined;
    const reason = printable(this.errors.toString()).trim() || data.message || "no reason is known";
    const message = `the command has failed: ${reason}`;
    const code = data.details?.causes?.find(({ reason }) => reason === "ExitCode")?.message ?? "";
    return /^\d+$/.test(code) ? new CommandFailed(Number(code), message) : new Error(message);
  }
}

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The error in a response that does not open a connection. */
async function refusalIn(response: IncomingMessage): Promise<FailedRead> {
  let body = "";
  for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
    body += chunk;
    if (body.length > longestBody) break;
  }
  return new FailedRead(response.statusCode ?? 0, body.slice(0, longestBody), response.headers["retry-after"]);
}
