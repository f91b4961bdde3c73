import * as fs from "node:fs";
import * as net from "node:net";
import * as path from "node:path";

import { cacheDirectory } from "./build/cacheDirectory";
import { type ClusterOptions, startCluster } from "./cluster";

/** The response of a hand-started cluster's keeper. */
export interface KeptCluster {
  kubeconfigPath: string;
  server: string;
  /** How many. */
  realNodes: number;
}

// A socket, not a file with a process id: an id may be reused, and a dead socket only refuses connections.
function socketPath(): string {
  return path.join(cacheDirectory(), "keeper.sock");
}

/** Log of the keeper, for errors. */
export function keeperLogPath(): string {
  return path.join(cacheDirectory(), "keeper.log");
}

/** The body of the background process that holds a cluster until a request to stop. */
export async function keep(options: ClusterOptions): Promise<void> {
  const server = net.createServer();
  await listen(server);
  const starting = startCluster(options);
  const end = async () => {
    server.close();
    await starting.then((cluster) => cluster.stop());
    process.exit(0);
  };
  process.once("SIGTERM", () => void end());
  process.once("SIGINT", () => void end());
  server.on("connection", (socket) => {
    socket.on("error", () => undefined); // The one who asked has gone; nothing is owed.
    socket.once("data", (request) => {
      // This connection closes when everything is down.
      if (request.toString() === "stop\n") return void end();
      starting.then(
        ({ kubeconfigPath, server: url, realNodes }) =>
          socket.end(JSON.stringify({ kubeconfigPath, server: url, realNodes: realNodes.length })),
        () => socket.destroy(),
      );
    });
  });
  try {
    await starting;
  } catch (error) {
    server.close();
    throw error;
  }
}

/** The cluster that is running or starting, if there is one. */
export async function askKeeper(): Promise<KeptCluster | undefined> {
  const answer = await talk("where\n");
  return answer ? (JSON.parse(answer) as KeptCluster) : undefined;
}

/** Stops the running cluster and waits until it is gone; false when there was none. */
export async function stopKeeper(): Promise<boolean> {
  return (await talk("stop\n")) !== undefined;
}

async function listen(server: net.Server): Promise<void> {
  const attempt = () =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socketPath(), resolve);
    });
  fs.mkdirSync(cacheDirectory(), { recursive: true, mode: 0o700 });
  await attempt().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE" || (await isAnswered())) throw error;
    fs.rmSync(socketPath()); // Left behind by a keeper that was killed.
    await attempt();
  });
}

function isAnswered(): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(socketPath(), () => resolve(Boolean(probe.destroy())));
    probe.on("error", () => resolve(false));
  });
}

function talk(request: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = net.connect(socketPath(), () => socket.write(request));
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.on("error", () => resolve(undefined));
    socket.on("close", () => resolve(answer));
  });
}
