import type { IncomingMessage } from "node:http";
import { text as textOf } from "node:stream/consumers";
import WebSocket from "ws";
import { requestTo, timeoutMillis } from "../../diagnostics/apiServer";
import type { Connection } from "../../diagnostics/connection/kubeconfig";

/** A command to run in a container. */
export interface Command {
  namespace: string;
  pod: string;
  container: string;
  words: string[];
  /** Standard input. It stays open after this text. */
  input: string;
}

/** Channels of the protocol: the first byte of each message. */
const [stdin, stdout, stderr, status] = [0, 1, 2, 3];

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
interface Status {
  status?: string;
  message?: string;
  details?: { causes?: { reason?: string; message?: string }[] };
}

/**
 * Runs a command in a container (Kubernetes, `pods/exec` by WebSocket, protocol `v4.channel.k8s.io`), and passes on each line of
 * its standard output. Fails if the command does, if the connection ends early or is silent for too long, and when it is aborted.
 */
export async function exec(
  connection: Connection,
  command: Command,
  onLine: (line: string) => void,
  { signal, silentMillis }: { signal: AbortSignal; silentMillis: number },
): Promise<void> {
  const socket = await open(connection, command);
  const output = { text: "", errors: "" };
  await new Promise<void>((resolve, reject) => {
    const end = (error: Error) => {
      socket.terminate();
      reject(error);
    };
    const silence = setTimeout(() => end(new Error("the pod has sent nothing for too long")), silentMillis);
    const abort = () => end(new Error("interrupted"));
    signal.addEventListener("abort", abort, { once: true });
    socket.on("close", () => {
      clearTimeout(silence);
      signal.removeEventListener("abort", abort);
      reject(new Error("the connection to the pod has ended"));
    });
    socket.on("error", end).on("message", (data: Buffer) => {
      silence.refresh();
      const message = data.subarray(1);
      if (data[0] === stdout) {
        const lines = (output.text + message.toString()).split("\n");
        output.text = lines.pop() ?? "";
        lines.forEach(onLine);
      } else if (data[0] === stderr) output.errors = (output.errors + message.toString()).slice(-2000);
      else if (data[0] === status) {
        const failure = failureIn(JSON.parse(message.toString()) as Status, output.errors);
        if (failure) reject(failure);
        else resolve();
        socket.close();
      }
    });
    socket.send(Buffer.concat([Buffer.from([stdin]), Buffer.from(command.input)]));
  });
}

async function open(connection: Connection, { namespace, pod, container, words }: Command): Promise<WebSocket> {
  const query = new URLSearchParams({ container, stdin: "true", stdout: "true", stderr: "true" });
  for (const word of words) query.append("command", word);
  const { url, options } = await requestTo(connection, `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query}`);
  url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
  const socket = new WebSocket(url, "v4.channel.k8s.io", {
    ...options,
    headers: options.headers as Record<string, string>,
    handshakeTimeout: timeoutMillis,
    perMessageDeflate: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve).once("error", reject);
    socket.once("unexpected-response", (_, response: IncomingMessage) => {
      void textOf(response).then((body) => reject(new Error(`${response.statusCode}: ${body}`)), reject);
    });
  });
  return socket;
}

/** The failure in the result of a command, if it has failed. */
function failureIn({ status, message = "", details }: Status, errors: string): Error | undefined {
  if (status === "Success") return undefined;
  const code = details?.causes?.find(({ reason }) => reason === "ExitCode")?.message;
  return code === undefined ? new Error(message) : new CommandFailed(Number(code), errors.trim() || message);
}
