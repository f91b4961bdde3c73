import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import * as hosts from "../../../../provider/brokers/flux/hosts";
import { files } from "../../../../provider/brokers/parse/paths";
import { aLeadBroker, aMiniCluster } from "../../../support/fixtures";

describe("the names of hosts", () => {
  const address = { connect: "tcp://demo.default.svc.cluster.local.:8050" };
  const root = { connect: "tcp://203.0.113.7:30850" };
  const table: { name: string; args: Partial<MiniClusterArgs>; want: (string | object)[] }[] = [
    {
      name: "are those of the pods in the domain of the service",
      args: { namespace: "hpc", size: 2, maxSize: 8, network: { headlessName: "hosts" } },
      want: ["demo-0.hosts.hpc.svc.cluster.local", { host: "demo-[0-7]" }],
    },
    {
      name: "are the lead broker by its service, then the others",
      args: { maxSize: 4, flux: { minimalService: true } },
      want: ["demo.default.svc.cluster.local", { host: "demo-0", ...address }, { host: "demo-[1-3]" }],
    },
    {
      name: "are the lead broker alone in a cluster of one",
      args: { flux: { minimalService: true } },
      want: ["demo.default.svc.cluster.local", { host: "demo-0", ...address }],
    },
    {
      name: "continue with the clusters that join, in order",
      args: { maxSize: 2, flux: { bursting: { clusters: [{ size: 1 }, { name: "b", size: 3 }, {}] } } },
      want: ["demo-0.demo.default.svc.cluster.local", { host: "demo-[0-1],burst-0-0,b-[0-2],burst-2-[0-1]" }],
    },
    {
      name: "are the same in a cluster that joins, with another way to the lead",
      args: {
        containers: [{ image: "i" }],
        flux: {
          bursting: {
            leadBroker: aLeadBroker({ name: "root", size: 3, port: 30_850 }),
            clusters: [{ name: "demo", size: 2 }],
          },
        },
      },
      want: ["203.0.113.7", { host: "root-0", ...root }, { host: "root-[1-2],demo-[0-1]" }],
    },
    {
      name: "are those of a hostlist, whose first is the lead broker",
      args: {
        containers: [{ image: "i" }],
        flux: {
          bursting: { leadBroker: aLeadBroker({ name: "root", size: 3, port: 30_850 }), hostlist: "node[4-6],other" },
        },
      },
      want: ["203.0.113.7", { host: "node4", ...root }, { host: "node[5-6],other" }],
    },
  ];
  for (const { name, args, want } of table)
    it(name, () => {
      const cluster = aMiniCluster(args);
      const entries = hosts.instanceHosts(cluster);
      assert.deepEqual([hosts.leadHost(cluster), ...entries], want);
      assert.equal(hosts.clusterHostlist(cluster), entries.map(({ host }) => host).join(","));
    });
});

it("the names of files fit a ConfigMap, and no container's files meet those of the component", () => {
  const own = ["size", ...Object.values(files).filter((file) => typeof file === "string")];
  const containers = [...new Set(own.map((file) => file.replace(/\.\w+$/, "")))];
  const user = containers.flatMap((container) => [
    ...[files.sidecar(container), files.user(container, "command"), files.batch(container)],
  ]);
  const all = [...own, ...user];
  assert.equal(new Set(all).size, all.length);
  for (const key of all) assert.match(key, /^[-._a-zA-Z0-9]+$/);
});
