import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The pods' network: a bridge that leads nowhere, so that nothing leaves the machine. */
export interface Network {
  bridge: string;
  /** The machine's own address on the bridge: of nodes and of the DNS. */
  address: string;
  subnet: string;
  /** Addresses of the services of this cluster. Only the first one is reached, because there is no kube-proxy. */
  services: string;
  /** That one: of the service "kubernetes", which leads to the API server. */
  apiAddress: string;
}

/** Makes a bridge with a subnet that is free on this machine. */
export async function makeNetwork(bridge: string): Promise<Network> {
  const { stdout: routes } = await run("ip", ["-4", "-o", "route", "show", "table", "all"]);
  let prefix: string;
  let services: string;
  do {
    const [second, third] = [randomInt(128, 255), randomInt(0, 256)];
    prefix = `10.${second}.${third}`;
    // A separate range: several clusters may run at the same time, each with its own API server at the first address.
    services = `10.${second - 128}.${third}`;
  } while (routes.includes(`${prefix}.`) || routes.includes(`${services}.`));
  const addresses = { address: `${prefix}.1`, apiAddress: `${services}.1` };
  const network = { bridge, ...addresses, subnet: `${prefix}.0/24`, services: `${services}.0/24` };
  // By default a bridge has the least address of its ports, another one whenever pods change, and those that had
  // the former address would not reach the DNS for half a minute.
  const [second = 0, third = 0] = prefix.split(".").slice(1).map(Number);
  const address = ["02", "00", "00", "00", hex(second), hex(third)].join(":");
  await run("ip", ["link", "add", bridge, "address", address, "type", "bridge"]);
  await run("ip", ["address", "add", `${network.address}/24`, "dev", bridge]);
  await run("ip", ["address", "add", `${network.apiAddress}/32`, "dev", bridge]);
  await run("ip", ["link", "set", bridge, "up"]);
  return network;
}

const hex = (byte: number) => byte.toString(16).padStart(2, "0");

/** Writes the configuration of the pods' network (CNI), which all nodes share, and returns its directory. */
export function writeNetworkConfig(directory: string, { bridge, address, subnet, apiAddress }: Network): string {
  const target = path.join(directory, "cni");
  fs.mkdirSync(target);
  const plugin = {
    type: "bridge",
    bridge,
    hairpinMode: true,
    // No default route and no masquerading: of what is outside of their network, pods reach the API server alone.
    ipam: {
      type: "host-local",
      dataDir: path.join(directory, "addresses"),
      ranges: [[{ subnet }]],
      routes: [{ dst: `${apiAddress}/32`, gw: address }],
    },
  };
  const config = { cniVersion: "1.0.0", name: bridge, plugins: [plugin] };
  fs.writeFileSync(path.join(target, "10-sandbox.conflist"), JSON.stringify(config));
  return target;
}

/** Configuration of CoreDNS: names of the cluster, and no others. */
export function dnsConfig({ address }: Network, kubeconfigPath: string): string {
  return [
    "cluster.local in-addr.arpa {",
    `  bind ${address}`,
    "  errors",
    "  kubernetes cluster.local in-addr.arpa {",
    `    kubeconfig ${kubeconfigPath}`,
    "    pods insecure",
    // As in most clusters.
    "    ttl 30",
    "  }",
    "  loadbalance",
    "}",
    ". {",
    `  bind ${address}`,
    "  template ANY ANY {",
    "    rcode NXDOMAIN",
    "  }",
    "}",
    "",
  ].join("\n");
}
