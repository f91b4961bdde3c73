import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs } from "../../../../../provider";
import { aRoot, operatorFlux } from "../../../../support/fixtures";
import { aBurstPod, aPod, type Pod, type ScriptOptions } from "../../../../support/scripts/pod";
import { until } from "../../../../support/scripts/process";
import { parseToml } from "../../../../support/scripts/toml";

const mounted = "/etc/minicluster/config/broker.toml";
const copy = "/mnt/flux/config/etc/flux/system/broker.toml";

/** The files that the kubelet writes into a pod. */
interface PodNetwork {
  /** Addresses of the pod, the primary one first. */
  addresses?: string[];
  search?: string;
}

const ipv4 = "10.244.1.7";
const ipv6 = "fd00:10:244::7";
const usual = "default.svc.cluster.local svc.cluster.local cluster.local";

function setNetwork(pod: Pod, rank: number, { addresses = [ipv4], search = usual }: PodNetwork): void {
  const host = `${pod.spec.name}-${rank}`;
  const own = addresses.map((address) => `${address}\t${host}.${pod.spec.name}.default.svc.cluster.local\t${host}`);
  const lines = [
    "# Kubernetes-managed hosts file.",
    "127.0.0.1\tlocalhost",
    "::1\tlocalhost ip6-localhost",
    "fe00::0\tip6-mcastprefix",
  ];
  // The kubelet ends the file with a line end, and an alias of the pod may follow.
  fs.writeFileSync(pod.at("/etc/hosts"), [...lines, ...own].join("\n"));
  fs.writeFileSync(pod.at("/etc/resolv.conf"), `search ${search}\nnameserver 10.96.0.10\noptions ndots:5\n`);
}

/** The configuration that the broker of a pod reads. */
async function configured(pod: Pod, network: PodNetwork, options: ScriptOptions = {}) {
  setNetwork(pod, options.rank ?? 0, network);
  const { words } = await pod.broker(options);
  const file = words.find((word) => word.startsWith("--config-path="))?.slice("--config-path=".length) ?? "";
  const text = fs.readFileSync(pod.at(file), "utf8");
  const { bootstrap } = (await parseToml(text)) as { bootstrap: Record<string, unknown> };
  return { file, bootstrap };
}

const cluster = (args: Partial<MiniClusterArgs> = {}) => aPod({ size: 2, ...args });

describe("the brokers' configuration in the network of a pod", () => {
  const families: [name: string, addresses: string[], isIPv6: boolean][] = [
    ["IPv4 alone", [ipv4], false],
    ["IPv6 alone", [ipv6], true],
    ["both, IPv4 first", [ipv4, ipv6], false],
    ["both, IPv6 first", [ipv6, ipv4], true],
    ["no address in its hosts file", [], false],
  ];
  for (const [name, addresses, isIPv6] of families)
    for (const rank of [0, 1])
      it(`listens in the family of DNS on rank ${rank} with ${name}`, async () => {
        const options = { rank, env: { STUB_TCP: "/dev/null" } };
        const { file, bootstrap } = await configured(
          cluster({ flux: { completeWorkers: true } }),
          { addresses },
          options,
        );
        assert.equal(file, isIPv6 ? copy : mounted);
        assert.equal(bootstrap["default_bind"], isIPv6 ? "tcp://*:%p" : "tcp://eth0:%p");
        assert.equal(bootstrap["enable_ipv6"], isIPv6 ? true : undefined);
      });

  it("keeps the family of a pod whose name is the start of another one's", async () => {
    const pod = cluster();
    setNetwork(pod, 0, { addresses: [ipv4] });
    fs.appendFileSync(pod.at("/etc/hosts"), `\n${ipv6}\tdemo-01 demo-0.other\n`);
    const { words } = await pod.broker();
    assert.ok(words.includes(`--config-path=${mounted}`));
  });

  it("enables IPv6 also in a burst whose lead broker is known only later", async () => {
    const pod = aBurstPod({ root: aRoot() });
    const { file, bootstrap } = await configured(
      pod,
      { addresses: [ipv6] },
      { env: { MINICLUSTER_LEAD: "203.0.113.7:30850" } },
    );
    assert.equal(file, copy);
    assert.equal(bootstrap["enable_ipv6"], true);
    assert.equal((bootstrap["hosts"] as { connect?: string }[])[0]?.connect, "tcp://203.0.113.7:30850");
  });

  const domains: [name: string, args: Partial<MiniClusterArgs>, search: string, expected: string][] = [
    ["the default domain", {}, usual, "default.svc.cluster.local"],
    ["another domain", {}, "default.svc.k8s.acme.org svc.k8s.acme.org k8s.acme.org", "default.svc.k8s.acme.org"],
    ["a domain of one label", {}, "default.svc.prod svc.prod prod acme.org", "default.svc.prod"],
    [
      "domains of the node first",
      {},
      "acme.org default.svc.kube.acme.org svc.kube.acme.org",
      "default.svc.kube.acme.org",
    ],
    ["no domain of Kubernetes", {}, "acme.org", "default.svc.cluster.local"],
    ["an argument", { network: { clusterDomain: "kube.acme.org" } }, "acme.org", "default.svc.kube.acme.org"],
    [
      "an argument that the cluster does not have",
      { network: { clusterDomain: "kube.acme.org" } },
      "default.svc.prod svc.prod prod",
      "default.svc.prod",
    ],
  ];
  for (const [name, args, search, expected] of domains) {
    it(`finds the other brokers with ${name}`, async () => {
      const { bootstrap } = await configured(cluster(args), { search });
      assert.equal(bootstrap["default_connect"], `tcp://%h.demo.${expected}.:%p`);
    });

    it(`finds the lead broker behind a service with ${name}`, async () => {
      const { bootstrap } = await configured(cluster({ ...args, flux: operatorFlux({ minimalService: true }) }), {
        search,
      });
      assert.equal((bootstrap["hosts"] as { connect?: string }[])[0]?.connect, `tcp://demo.${expected}.:8050`);
    });
  }

  it("has a follower knock at the door of its lead broker with another domain", async () => {
    const pod = cluster();
    setNetwork(pod, 1, { search: "default.svc.prod svc.prod prod" });
    const running = pod.start("broker.sh", { rank: 1, env: { STUB_TCP: pod.at("/nothing/there") } });
    const expected = "waiting for the lead broker at demo-0.demo.default.svc.prod.:8050";
    await until("it waits for the lead", () => running.output.stdout.includes(expected));
    running.terminate();
    await running.ended;
  });

  it("leaves the user's own configuration as it is", async () => {
    const brokerConfig =
      '[bootstrap]\ndefault_port = 8050\ndefault_bind = "tcp://eth0:%p"\nhosts = [{ host = "demo-[0-1]" }]\n';
    const { file, bootstrap } = await configured(cluster({ flux: { brokerConfig } }), { addresses: [ipv6] });
    assert.equal(file, mounted);
    assert.equal(bootstrap["enable_ipv6"], undefined);
  });
});
