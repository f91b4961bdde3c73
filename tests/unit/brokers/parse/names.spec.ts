import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import * as hosts from "../../../../provider/brokers/flux/hosts";
import { files } from "../../../../provider/brokers/parse/paths";
import { casesOf, valueIn } from "../../../support/cases";
import { aMiniCluster } from "../../../support/fixtures";

describe("the names of hosts", () => {
  const address = 'connect: "tcp://demo.default.svc.cluster.local.:8050"';
  const root = 'connect: "tcp://203.0.113.7:30850"';
  const table = `
# are the pods' own, in the domain of the service
{namespace: hpc, size: 2, maxSize: 8, network: {headlessName: hosts}}
  demo-0.hosts.hpc.svc.cluster.local
  {host: "demo-[0-7]"}
# are the lead broker by its service, then the others
{maxSize: 4, flux: {minimalService: true}}
  demo.default.svc.cluster.local
  {host: demo-0, ${address}}
  {host: "demo-[1-3]"}
# are the lead broker alone in a cluster of one
flux: {minimalService: true}
  demo.default.svc.cluster.local
  {host: demo-0, ${address}}
# go on with the clusters that join, in their order, by their places and as large as this one where nothing is said
{maxSize: 2, flux: {bursting: {clusters: [{size: 1}, {name: b, size: 3}, {}]}}}
  demo-0.demo.default.svc.cluster.local
  {host: "demo-[0-1],burst-0-0,b-[0-2],burst-2-[0-1]"}
# are the same in a cluster that joins, but for the way to the lead broker
{containers: [{image: i}], flux: {bursting: {leadBroker: !lead {name: root, size: 3, port: 30850}, clusters: [{name: demo, size: 2}]}}}
  203.0.113.7
  {host: root-0, ${root}}
  {host: "root-[1-2],demo-[0-1]"}
# are those of a hostlist, whose first is the lead broker
{containers: [{image: i}], flux: {bursting: {leadBroker: !lead {name: root, size: 3, port: 30850}, hostlist: "node[4-6],other"}}}
  203.0.113.7
  {host: node4, ${root}}
  {host: "node[5-6],other"}
`;
  for (const { title, given, want } of casesOf(table))
    it(title.slice(2), () => {
      const cluster = aMiniCluster(valueIn(given) as Partial<MiniClusterArgs>);
      const entries = hosts.instanceHosts(cluster);
      assert.deepEqual([hosts.leadHost(cluster), ...entries], want.map((text) => valueIn(text))); // prettier-ignore
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
