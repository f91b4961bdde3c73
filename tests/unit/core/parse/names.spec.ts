import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import * as hosts from "../../../../provider/core/flux/hosts";
import { files } from "../../../../provider/core/parse/paths";
import { aLeadBroker, aMiniCluster, operatorFlux } from "../../../support/fixtures";

describe("the names of hosts", () => {
  const ofDemo = "demo.default.svc.cluster.local";
  const first = { host: "demo-0", connect: "tcp://demo.default.svc.cluster.local.:8050" };
  const root = { connect: "tcp://203.0.113.7:30850" };
  const minimal = { flux: operatorFlux({ minimalService: true }) };
  const leadBroker = aLeadBroker({ name: "root", size: 3, port: 30_850 });
  const joining = (bursting: object) => ({
    containers: [{ image: "i" }],
    flux: operatorFlux({ bursting: { leadBroker, ...bursting } }),
  });
  const table: Record<string, [args: Partial<MiniClusterArgs>, ...want: (string | object)[]]> = {
    "are those of the pods in the domain of the service": [
      { namespace: "hpc", size: 2, maxSize: 8, network: { headlessName: "hosts" } },
      "demo-0.hosts.hpc.svc.cluster.local",
      { host: "demo-[0-7]" },
    ],
    "are the lead broker by its service, then the others": [
      { maxSize: 4, ...minimal },
      ofDemo,
      first,
      { host: "demo-[1-3]" },
    ],
    "are the lead broker alone in a cluster of one": [minimal, ofDemo, first],
    "continue with the clusters that join, in order": [
      { maxSize: 2, flux: operatorFlux({ bursting: { clusters: [{ size: 1 }, { name: "b", size: 3 }, {}] } }) },
      `demo-0.${ofDemo}`,
      { host: "demo-[0-1],burst-0-0,b-[0-2],burst-2-[0-1]" },
    ],
    "are the same in a cluster that joins, with another way to the lead": [
      joining({ clusters: [{ name: "demo", size: 2 }] }),
      "203.0.113.7",
      { host: "root-0", ...root },
      { host: "root-[1-2],demo-[0-1]" },
    ],
    "are those of a hostlist, whose first is the lead broker": [
      joining({ hostlist: "node[4-6],other" }),
      "203.0.113.7",
      { host: "node4", ...root },
      { host: "node[5-6],other" },
    ],
  };
  for (const [name, [args, ...want]] of Object.entries(table))
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
  const all = own.concat(
    containers.flatMap((name) => [files.sidecar(name), files.user(name, "command"), files.batch(name)]),
  );
  assert.equal(new Set(all).size, all.length);
  for (const key of all) assert.match(key, /^[-._a-zA-Z0-9]+$/);
});
