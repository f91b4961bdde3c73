import { connect, createServer, type Socket } from "node:net";

/** One end of a TCP connection. */
export interface Place {
  address: string;
  port: number;
}

/** Forwards TCP connections between two addresses of this machine, until this process ends at the latest. */
export async function startForwarder(from: Place, to: Place): Promise<{ stop: () => Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to.port, to.address);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      // No server and a closed connection look the same to the other end.
      one.on("error", () => other.destroy()).on("close", () => open.delete(one));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(from.port, from.address, resolve);
  });
  return {
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
