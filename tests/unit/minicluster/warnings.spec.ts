import * as assert from "node:assert/strict";
import type { MiniClusterArgs, MiniClusterVolumeArgs } from "../../../provider";
import { clusterWarnings } from "../../../provider/minicluster/warnings";
import { aBurstCluster, aBursting, aContainer, aMiniCluster, aPool } from "../../support/fixtures";

const archive = { path: "/state/a.tgz" };
const kept = (state: MiniClusterVolumeArgs): Partial<MiniClusterArgs> => ({
  archive,
  containers: [aContainer({ volumes: { state } })],
});
const state = { path: "/state", claimName: "c" };
const joining = {
  flux: { bursting: { leadBroker: { address: "a", name: "root", size: 1 }, hostlist: "root-0,demo-0" } },
  containers: [{ image: "i" }],
};
const bursts = [
  { name: "east", maxSize: 1 },
  { name: "west", maxSize: 1, cores: 4 },
  { name: "pooled", maxSize: 1, pool: aPool({ pool: "far" }) },
];
const lock = aPool({ lockMemory: true });
const asUser = (runAsUser: number) => ({ securityContext: { runAsUser } });
const fixed = aPool({ nodes: 4 });

const lost =
  "archive.path /state/a.tgz is on no volume that outlives the pods, so the state is lost with them; mount one";
const endless = "cleanup waits for the end of the Job, and a cluster without a command ends when it is shut down";
const unlocked = (user: number) =>
  `the fabric of pool hpc locks memory, for which a process of user ${user} has no right; let the container that ` +
  "runs Flux run as root, or see that its image does without";
const unknown =
  'bursting: nothing says how many cores a host of "east" has, so Flux takes it for one like the lead broker\'s, and gives ' +
  "smaller ones more than they have; add cores or pool";
const small = "maxSize 10 is above the 4 nodes of pool hpc, which has a fixed size; raise the pool's size before size";

const cases: [name: string, args: Partial<MiniClusterArgs>, ...want: string[]][] = [
  ["an archive without a volume", { archive }, lost],
  ["an archive on an empty directory", kept({ path: "/state", emptyDir: true }), lost],
  ["an archive beside the volume", kept({ path: "/state-of-affairs", claimName: "c" }), lost],
  ["an archive on a claim", kept(state)],
  ["an archive deep in a directory of the node", kept({ path: "/", hostPath: "/x" })],
  [
    "an archive on a volume of a sidecar alone",
    { archive, containers: [aContainer({ runFlux: true }), aContainer({ name: "side", volumes: { state } })] },
    lost,
  ],
  ["an archive where the user's own template may mount anything", { archive, podTemplate: {} }],
  ["the end of a command", { cleanup: true }],
  ["the end of no command, beside another thing", { cleanup: true, archive, containers: [{ image: "i" }] }, lost, endless],
  ["the end of a cluster that joins another", { cleanup: true, ...joining }, endless],
  ["memory that root may lock", { pool: lock }],
  ["another user where no memory is locked", { pool: aPool(), pod: asUser(7) }],
  ["memory that another user may not lock", { pool: lock, pod: asUser(7) }, unlocked(7)],
  [
    "memory that the container's own user may not lock",
    { pool: lock, pod: asUser(0), containers: [aContainer(asUser(8))] },
    unlocked(8),
  ],
  ["the room of a fixed pool that is enough", { pool: fixed, maxSize: 4 }],
  ["a largest size above a fixed pool", { pool: fixed, size: 2, maxSize: 10 }, small],
  ["a largest size that a pool may grow to", { pool: aPool({ maxNodes: 10 }), size: 2, maxSize: 10 }],
  ["a largest size of pods that share nodes", { pool: fixed, maxSize: 10, network: { affinity: "preferred" } }],
  ["a suspended cluster on an empty pool", { pool: aPool({ nodes: 0 }), maxSize: 10, suspend: true }],
  ["clusters that may join and of whose hosts nothing is known", { bursting: aBursting({ clusters: bursts }) }, unknown],
  ["clusters that are taken for hosts like the root's pool", { pool: aPool(), bursting: aBursting({ clusters: bursts }) }],
]; // prettier-ignore

describe("warnings", () => {
  for (const [name, args, ...want] of cases)
    it(`${want.length > 0 ? "are given on" : "are silent about"} ${name}`, () =>
      assert.deepEqual(clusterWarnings(aMiniCluster(args)), want));

  it("are silent about a cluster that joins", () => assert.deepEqual(clusterWarnings(aBurstCluster()), []));
});
