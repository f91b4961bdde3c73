import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { clusterWarnings } from "../../../../provider/brokers/parse/warnings";
import { casesOf, valueIn } from "../../../support/cases";
import { aBurstCluster, aMiniCluster } from "../../../support/fixtures";

const lost =
  "archive.path /state/a.tgz is on no volume that outlives the pods, so the state is lost with them; mount one";
const endless = "cleanup waits for the end of the Job, and a cluster without a command ends when it is shut down";
const unlocked = (user: number) =>
  `the fabric of pool hpc locks memory, for which a process of user ${user} has no right; let the container that ` +
  "runs Flux run as root, or see that its image does without";
const archive = "archive: {path: /state/a.tgz}";
const kept = (volume: string) => `{${archive}, containers: [!broker {volumes: {state: ${volume}}}]}`;
const joining = "{leadBroker: !lead {name: root, size: 1}, hostlist: 'root-0,demo-0'}";
const bursts =
  "bursting: !bursting {clusters: [{name: east, maxSize: 1}, {name: west, maxSize: 1, cores: 4}, {name: pooled, maxSize: 1, pool: !pool {pool: far}}]}";

const table = `
# an archive without a volume
${archive}
  ${lost}
${kept("{path: /state, emptyDir: true}")}
  ${lost}
${kept("{path: /state-of-affairs, claimName: c}")}
  ${lost}
${kept("{path: /state, claimName: c}")}
# an archive deep in a directory of the node
${kept("{path: /, hostPath: /x}")}
# an archive on a volume of a sidecar alone
{${archive}, containers: [!broker {}, !side {volumes: {state: {path: /state, claimName: c}}}]}
  ${lost}
# an archive where the user's own template may mount anything
{${archive}, podTemplate: {}}
# the end of a command
cleanup: true
# the end of no command, beside another thing, and of a cluster that joins another
{cleanup: true, ${archive}, containers: [{image: i}]}
  ${lost}
  ${endless}
{cleanup: true, flux: {bursting: ${joining}}, containers: [{image: i}]}
  ${endless}
# memory that root may lock
pool: !pool {lockMemory: true}
# another user where no memory is locked
{pool: !pool {}, pod: {securityContext: {runAsUser: 7}}}
{pool: !pool {lockMemory: true}, pod: {securityContext: {runAsUser: 7}}}
  ${unlocked(7)}
{pool: !pool {lockMemory: true}, pod: {securityContext: {runAsUser: 0}}, containers: [!broker {securityContext: {runAsUser: 8}}]}
  ${unlocked(8)}
# the room of a fixed pool that is enough, and a largest size above it
{pool: !pool {nodes: 4}, maxSize: 4}
{pool: !pool {nodes: 4}, size: 2, maxSize: 10}
  maxSize 10 is above the 4 nodes of pool hpc, which has a fixed size; raise the pool's size before size
# a largest size that a pool may grow to, one of pods that share nodes, and a suspended cluster on an empty pool
{pool: !pool {maxNodes: 10}, size: 2, maxSize: 10}
{pool: !pool {nodes: 4}, maxSize: 10, network: {affinity: preferred}}
{pool: !pool {nodes: 0}, maxSize: 10, suspend: true}
# clusters that may join and of whose hosts nothing is known, and such that are taken for hosts like the root's pool
${bursts}
  bursting: nothing says how many cores a host of "east" has, so Flux takes it for one like the lead broker's, and gives smaller ones more than they have; add cores or pool
{pool: !pool {}, ${bursts}}
`;

describe("warnings", () => {
  for (const { title, given, want } of casesOf(table))
    it(`are ${want.length > 0 ? "given on" : "none on"} ${title}`, () =>
      assert.deepEqual(clusterWarnings(aMiniCluster(valueIn(given) as Partial<MiniClusterArgs>)), want));

  it("are none on a cluster that joins", () => assert.deepEqual(clusterWarnings(aBurstCluster()), []));
});
