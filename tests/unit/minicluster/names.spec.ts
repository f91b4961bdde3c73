import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../provider";
import * as hosts from "../../../provider/minicluster/hosts";
import * as names from "../../../provider/minicluster/names";
import { configFile, files, sharedPaths } from "../../../provider/minicluster/paths";
import { aMiniCluster } from "../../support/fixtures";

describe("names", () => {
  const spec = aMiniCluster({ namespace: "hpc", size: 2, maxSize: 8, network: { headlessName: "hosts" } });

  it("of hosts are the pods' own, in the domain of the service", () => {
    assert.equal(names.podHostname(spec, 3), "demo-3");
    assert.equal(names.brokerDomain(spec), "hosts.hpc.svc.cluster.local");
    assert.equal(hosts.leadHost(spec), "demo-0.hosts.hpc.svc.cluster.local");
  });

  it("of all hosts go up to maxSize", () => assert.equal(hosts.clusterHostlist(spec), "demo-[0-7]"));

  describe("of hosts, where brokers of other clusters or no others have an address,", () => {
    const address = "tcp://demo.default.svc.cluster.local:8050";
    const elsewhere = { address: "203.0.113.7", name: "root", size: 3, port: 30_850 };
    const joining = (bursting: object) => ({
      containers: [{ image: "i" }],
      flux: { bursting: { leadBroker: elsewhere, ...bursting } },
    });
    const cases: [name: string, args: Partial<MiniClusterArgs>, lead: string, entries: hosts.HostEntry[]][] = [
      [
        "are the lead broker by its service, then the others",
        { maxSize: 4, flux: { minimalService: true } },
        "demo.default.svc.cluster.local",
        [{ host: "demo-0", connect: address }, { host: "demo-[1-3]" }],
      ],
      [
        "are the lead broker alone in a cluster of one",
        { flux: { minimalService: true } },
        "demo.default.svc.cluster.local",
        [{ host: "demo-0", connect: address }],
      ],
      [
        "go on with the clusters that join, in their order",
        { maxSize: 2, flux: { bursting: { clusters: [{ size: 1 }, { name: "b", size: 3 }] } } },
        "demo-0.demo.default.svc.cluster.local",
        [{ host: "demo-[0-1],burst-0-0,b-[0-2]" }],
      ],
      [
        "are the same in a cluster that joins, but for the way to the lead broker",
        joining({ clusters: [{ name: "demo", size: 2 }] }),
        "203.0.113.7",
        [{ host: "root-0", connect: "tcp://203.0.113.7:30850" }, { host: "root-[1-2],demo-[0-1]" }],
      ],
      [
        "are those of a hostlist, whose first is the lead broker",
        joining({ hostlist: "node[4-6],other" }),
        "203.0.113.7",
        [{ host: "node4", connect: "tcp://203.0.113.7:30850" }, { host: "node[5-6],other" }],
      ],
    ];
    for (const [name, args, lead, entries] of cases)
      it(name, () => {
        const cluster = aMiniCluster(args);
        assert.deepEqual([hosts.leadHost(cluster), hosts.instanceHosts(cluster)], [lead, entries]);
        assert.equal(hosts.clusterHostlist(cluster), entries.map(({ host }) => host).join(","));
      });
  });

  it("of objects come from the cluster's, so that two clusters can share a namespace", () =>
    assert.deepEqual([names.secretName(spec), names.configMapName(spec)], ["demo-curve", "demo-entrypoint"]));

  it("of files fit a ConfigMap, and no container's files meet those of the component", () => {
    const own = [files.brokerConfig, files.view, files.environment, files.connect, files.broker, files.ready, "size"];
    const user = ["broker", "view", "flux-view", "flux-connect", "ready", "size"].flatMap((container) => [
      files.sidecar(container),
      files.user(container, "command"),
      files.batch(container),
    ]);
    const all = [...own, ...user];
    assert.equal(new Set(all).size, all.length);
    for (const key of all) assert.match(key, /^[-._a-zA-Z0-9]+$/);
  });

  it("of paths on the shared volume are those that the Flux Operator's users know", () => {
    assert.equal(sharedPaths({ ...spec.flux.container, mountPath: "/flux" }).run, "/flux/config/run/flux");
    assert.equal(configFile(files.broker), "/etc/minicluster/config/broker.sh");
  });
});
