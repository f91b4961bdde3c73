import { beside, itJudges } from "../../../support/cases";

describe("the operator's form of bursting, where others join", () => {
  itJudges(String.raw`
flux: {bursting: {hostlist: "demo-[0-3]", clusters: [{name: demo}, {name: a}, {name: burst-3}, {}, {name: a}]}}
|network: {policy: brokerPort}
  flux.bursting.hostlist: names every host of the instance, and so do the clusters; give one of them
  flux.bursting.clusters[0].name: "demo" is the name of the lead broker's cluster too; rename one of them
  flux.bursting.clusters[3].name: "burst-3" is the name of clusters[2] too; rename one of them
  flux.bursting.clusters[4].name: "a" is the name of clusters[1] too; rename one of them
  network.policy: shuts out the brokers of the clusters that join; remove it, and write a policy that names them
flux: {bursting: {hostlist: demo 0}}
  flux.bursting.hostlist: "demo 0" must be a Flux hostlist such as "demo-[0-3],node[1-4]"
flux: {bursting: {hostlist: "demo-[0-3],demo-2"}}
  flux.bursting.hostlist: names the host demo-2 twice, and a host has one rank; name it once
# clusters with and without names, of a root that lets everybody in by name
{flux: {bursting: {clusters: [{}, {name: b, size: 2}, {}]}}, network: {policy: none}}
`);
});

describe("the operator's form of bursting, where the cluster joins", () => {
  itJudges(
    String.raw`
{name: elsewhere, flux: {bursting: {leadBroker: !lead {}, clusters: [{}, {name: demo}]}}}
  flux.bursting.clusters[1].name: "demo" is the name of the lead broker's cluster too; rename one of them
  flux.bursting.clusters: the lead broker knows no hosts of "elsewhere"; add a cluster of this name, or name this cluster like one of them
{maxSize: 3, flux: {bursting: {leadBroker: !lead {}, clusters: [{name: other}, {name: burst-0, size: 2}]}}}
  maxSize: the lead broker knows 2 hosts of this cluster; lower maxSize or raise clusters[1].size
# a joining cluster as large as it is known, with the flat tree that it has, and a policy on this side
{size: 1, maxSize: 2, network: {policy: pods}, flux: {topology: kary:0, bursting: {leadBroker: !lead {}, clusters: [{size: 2}]}}}
# a joining cluster that a hostlist names
{name: elsewhere, flux: {bursting: {leadBroker: !lead {}, clusters: [], hostlist: "a,b"}}}
{wait: complete, containers: [{image: i, command: x, commands: {script: x}}], archive: {path: /state/a.tar}, flux: {topology: kary:2, disableSocket: true, bursting: {leadBroker: !lead {}, clusters: [{}]}}}
  wait: a cluster without a command of its own never completes; wait for "ready" or "none"
  containers[0].commands.script: script takes the place of command; give one of them
  flux.topology: brokers of another cluster reach only the lead broker; use "kary:0" or leave it out
  archive: the state is the lead broker's, and it runs in another cluster; set the archive there
  flux.disableSocket: Flux names its own socket after the rank in the instance, which no pod here knows; remove it
  containers[0].{command,commands.script}: the lead broker runs the command, and this cluster only joins it; remove it here
# the command of a sidecar
{containers: [{image: i, runFlux: true}, !side {}], flux: {bursting: {leadBroker: !lead {}, clusters: [{}]}}}
# a command that is only there for people
{containers: [{image: i, command: x}], interactive: true, flux: {bursting: {leadBroker: !lead {}, clusters: [{}]}}}
flux: {bursting: {leadBroker: !lead {address: tcp://203.0.113.7, port: 0, size: 0}, clusters: [{}]}}
  flux.bursting.leadBroker.address: "tcp://203.0.113.7" must be an IP address or a host name alone; the port is its own property
  flux.bursting.leadBroker.size: 0 must be an integer from 1 to 100000
  flux.bursting.leadBroker.port: 0 must be an integer from 1 to 65535
flux: {bursting: {leadBroker: {name: demo, size: 4}, clusters: [{}]}}
  flux.bursting.leadBroker.address: is required; must be a string that is not empty
`,
    beside("{name: burst-0, containers: [{image: i}]}"),
  );
});
