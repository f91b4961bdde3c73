import { createHash } from "node:crypto";
import * as http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { configDirectory } from "../../provider/core/parse/paths";
import type { Place } from "../../provider/server/study/lead";

/** An answer of the API server to a request. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: string;
  /** True for a response that does not end. */
  isOpen?: boolean;
}

/** What the API server sends on the connection to a command. */
export interface Stream {
  /** Bytes after the handshake, in separate writes. */
  chunks: Buffer[];
  /** Sends the first of them together with the handshake. */
  withHandshake?: boolean;
  /** How the server ends the connection. Default: the connection stays open. */
  end?: "close" | "destroy";
}

export type Answer = Refusal | Stream;

/** An API server with the pod of a lead broker. */
export interface StudyServer {
  place: Place;
  /** Requests of commands so far. */
  count: () => number;
}

interface Answers {
  /** The response to a list of pods; "none" accepts the request alone. Default: one Ready pod. */
  pods?: (request: number, path: string) => Refusal | "none";
  exec: (request: number, path: string) => Answer | undefined;
}

/** The pod of the lead broker in a list. */
export const leadPod = {
  metadata: { name: "demo-0-abcde" },
  status: { conditions: [{ type: "Ready", status: "True" }] },
  spec: { containers: [{ name: "app", volumeMounts: [{ mountPath: configDirectory }] }] },
};

/** A list of pods, as the API server sends it. */
export const podsAnswer = (...items: object[]): Refusal => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ items }),
});

/** Runs a test with an API server that gives these answers. Without an answer it accepts the connection alone. */
export async function withStudyServer(
  { pods = () => podsAnswer(leadPod), exec }: Answers,
  body: (server: StudyServer) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  let [lists, commands] = [0, 0];
  const server = http.createServer(({ url = "" }, response) => {
    const answer = pods(lists++, url);
    if (answer === "none") return;
    const { status, headers, body: text, isOpen } = answer;
    response.writeHead(status, headers).write(text);
    if (!isOpen) response.end();
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
  });
  server.on("upgrade", (request, socket: Socket) => {
    const answer = exec(commands++, request.url ?? "");
    if (answer) void serve(answer, request.headers["sec-websocket-key"] ?? "", socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = {
    "current-context": "demo",
    contexts: [{ name: "demo", context: { cluster: "demo" } }],
    clusters: [{ name: "demo", cluster: { server: `http://127.0.0.1:${port}` } }],
  };
  const cluster = { kubeconfig: JSON.stringify(kubeconfig) };
  try {
    await body({ place: { cluster, namespace: "default", jobName: "demo" }, count: () => commands });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

async function serve(answer: Answer, key: string, socket: Socket): Promise<void> {
  // Input of the command is ignored.
  socket.resume();
  if ("status" in answer) {
    const { status, headers = {}, body, isOpen } = answer;
    const length = Buffer.byteLength(body) + (isOpen ? 1 : 0);
    const lines = Object.entries({ "content-length": length, ...headers }).map(([name, value]) => `${name}: ${value}`);
    socket.write([`HTTP/1.1 ${status} Refused`, ...lines, "", body].join("\r\n"));
    return;
  }
  // RFC 6455, 4.2.2.
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  const lines = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Protocol: v4.channel.k8s.io"];
  const handshake = ["HTTP/1.1 101 Switching Protocols", ...lines, `Sec-WebSocket-Accept: ${accept}`, "", ""].join(
    "\r\n",
  );
  const [first = Buffer.alloc(0), ...others] = answer.chunks;
  const chunks = answer.withHandshake
    ? [Buffer.concat([Buffer.from(handshake), first]), ...others]
    : [Buffer.from(handshake), first, ...others];
  socket.setNoDelay();
  for (const chunk of chunks) {
    socket.write(chunk);
    await turn();
  }
  if (answer.end === "close") socket.end(frame(Buffer.from([3, 232]), 8));
  if (answer.end === "destroy") socket.destroySoon();
}

/** A WebSocket frame of the server (RFC 6455, 5.2): by default binary, and the last of its message. */
export function frame(payload: Buffer, opcode = 2, isLast = true): Buffer {
  const { length } = payload;
  const head = [(isLast ? 128 : 0) | opcode];
  if (length < 126) return Buffer.concat([Buffer.from([...head, length]), payload]);
  const size = Buffer.alloc(length < 65_536 ? 2 : 8);
  if (size.length === 2) size.writeUInt16BE(length);
  else size.writeBigUInt64BE(BigInt(length));
  return Buffer.concat([Buffer.from([...head, size.length === 2 ? 126 : 127]), size, payload]);
}

/** A message of the protocol, in one frame. */
export const message = (channel: number, text: string | Buffer): Buffer =>
  frame(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));

/** Lines of standard output, in one message. */
export const lines = (...entries: (object | string)[]): Buffer =>
  message(1, entries.map((entry) => `${typeof entry === "string" ? entry : JSON.stringify(entry)}\n`).join(""));

/** The result of a command. */
export const exited = (code = 0): Buffer =>
  message(
    3,
    JSON.stringify(
      code === 0
        ? { metadata: {}, status: "Success" }
        : {
            status: "Failure",
            message: `command terminated with exit code ${code}`,
            reason: "NonZeroExitCode",
            details: { causes: [{ reason: "ExitCode", message: String(code) }] },
          },
    ),
  );
