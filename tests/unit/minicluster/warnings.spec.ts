import * as assert from "node:assert/strict";
import type { MiniClusterArgs, MiniClusterVolumeArgs } from "../../../provider";
import { clusterWarnings } from "../../../provider/minicluster/warnings";
import { aBurstCluster, aBursting, aContainer, aMiniCluster, aPool } from "../../support/fixtures";

const archive = { path: "/state/a.tgz" };
const kept = (volume: MiniClusterVolumeArgs, args: Partial<MiniClusterArgs> = {}): Partial<MiniClusterArgs> => ({
  archive,
  containers: [aContainer({ volumes: { state: volume } })],
  ...args,
});
const lost =
  "archive.path /state/a.tgz is on no volume that outlives the pods, so the state is lost with them; mount one";
const endless = "cleanup waits for the end of the Job, and a cluster without a command ends when it is shut down";
const unlocked = (user: number) =>
  `the fabric of pool ${aPool().pool} locks memory, for which a process of user ${user} has no right; let the container that ` +
  "runs Flux run as root, or see that its image does without";
const joining = {
  flux: { bursting: { leadBroker: { address: "a", name: "root", size: 1 }, hostlist: "root-0,demo-0" } },
  containers: [{ image: "i" }],
};

const unknownCores = (name: string) =>
  `bursting: nothing says how many cores a host of "${name}" has, so Flux takes it for one like the lead broker's, and gives ` +
  "smaller ones more than they have; add cores or pool";
const bursts = [
  { name: "east", maxSize: 1 },
  { name: "west", maxSize: 1, cores: 4 },
  { name: "pooled", maxSize: 1, pool: aPool({ pool: "far" }) },
  { name: "north", maxSize: 1, size: 1, properties: ["dear"] },
];

const cases: [name: string, args: Partial<MiniClusterArgs>, want: string[]][] = [
  ["nothing out of the ordinary", {}, []],
  ["an archive without a volume", { archive }, [lost]],
  ["an archive on an empty directory", kept({ path: "/state", emptyDir: true }), [lost]],
  ["an archive beside the volume", kept({ path: "/state-of-affairs", claimName: "c" }), [lost]],
  ["an archive on a claim", kept({ path: "/state", claimName: "c" }), []],
  ["an archive deep in a directory of the node", kept({ path: "/", hostPath: "/x" }), []],
  [
    "an archive on a volume of a sidecar alone",
    {
      archive,
      containers: [
        aContainer({ runFlux: true }),
        aContainer({ name: "side", volumes: { state: { path: "/state", claimName: "c" } } }),
      ],
    },
    [lost],
  ],
  ["an archive where the user's own template may mount anything", { archive, podTemplate: {} }, []],
  ["the end of a command", { cleanup: true }, []],
  ["the end of a script", { cleanup: true, containers: [{ image: "i", commands: { script: "x" } }] }, []],
  ["the end of an interactive cluster", { cleanup: true, interactive: true }, [endless]],
  ["the end of no command", { cleanup: true, containers: [{ image: "i" }] }, [endless]],
  ["the end of a cluster that joins another", { cleanup: true, ...joining }, [endless]],
  ["memory that root may lock", { pool: aPool({ lockMemory: true }) }, []],
  ["another user where no memory is locked", { pool: aPool(), pod: { securityContext: { runAsUser: 7 } } }, []],
  [
    "memory that another user may not lock",
    { pool: aPool({ lockMemory: true }), pod: { securityContext: { runAsUser: 7 } } },
    [unlocked(7)],
  ],
  [
    "memory that the container's own user may not lock",
    {
      pool: aPool({ lockMemory: true }),
      pod: { securityContext: { runAsUser: 0 } },
      containers: [aContainer({ securityContext: { runAsUser: 8 } })],
    },
    [unlocked(8)],
  ],
  ["the room of a fixed pool that is enough", { pool: aPool({ nodes: 4 }), maxSize: 4 }, []],
  [
    "a largest size above a fixed pool",
    { pool: aPool({ nodes: 4 }), size: 2, maxSize: 10 },
    ["maxSize 10 is above the 4 nodes of pool hpc, which has a fixed size; raise the pool's size before size"],
  ],
  ["a largest size that a pool may grow to", { pool: aPool({ maxNodes: 10 }), size: 2, maxSize: 10 }, []],
  [
    "a largest size of pods that share nodes",
    { pool: aPool({ nodes: 4 }), maxSize: 10, network: { affinity: "preferred" } },
    [],
  ],
  [
    "a suspended cluster on a pool that is empty meanwhile",
    { pool: aPool({ nodes: 0 }), maxSize: 10, suspend: true },
    [],
  ],
  [
    "clusters that may join and of whose hosts nothing is known",
    { bursting: aBursting({ clusters: bursts }) },
    [unknownCores("east"), unknownCores("north")],
  ],
  [
    "them where jobs span all clusters",
    { bursting: aBursting({ clusters: bursts, spanClusters: true }) },
    [unknownCores("east"), unknownCores("north")],
  ],
  [
    "clusters that may join and of whose hosts all is known",
    { bursting: aBursting({ clusters: bursts.slice(1, 3) }) },
    [],
  ],
  [
    "clusters that are taken for hosts like the root's pool",
    { pool: aPool(), bursting: aBursting({ clusters: bursts }) },
    [],
  ],
  ["two things at once", { cleanup: true, interactive: true, archive }, [lost, endless]],
];

describe("warnings", () => {
  for (const [name, args, want] of cases)
    it(`${want.length > 0 ? "are given on" : "are silent about"} ${name}`, () =>
      assert.deepEqual(clusterWarnings(aMiniCluster(args)), want));

  it("are silent about a cluster that joins", () => assert.deepEqual(clusterWarnings(aBurstCluster()), []));
});
