import * as net from "node:net";

// Below the range from which the kernel takes ports for outgoing connections, so that nothing slips into the API
// server's port while it is stopped on purpose.
const firstPort = 20_000;
const portCount = 12_000;

/** Free ports of an address, all different. */
export async function freePorts(count: number, address = "127.0.0.1"): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = firstPort + Math.floor(Math.random() * portCount);
    if (await isFree(port, address)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, address, () => probe.close(() => resolve(true)));
  });
}
