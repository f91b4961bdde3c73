import type { MiniClusterArgs, MiniClusterVolumeArgs } from "../../../../provider";
import { clusterParser } from "../../../../provider/minicluster/cluster";
import * as fixtures from "../../../support/fixtures";
import { expecting } from "../../../support/problems";

const { aBursting, aLeadBroker, aMiniCluster, aPool, withBroker, withSidecar, withTemplate } = fixtures;

const lost = "archive.path /state/a.tgz is not on a persistent volume…";
const endless =
  "cleanup has no effect until the Job ends, and without a command it ends only by a shutdown; remove cleanup";

const archive = { archive: { path: "/state/a.tgz" } };
const keptOn = (state: MiniClusterVolumeArgs) => ({ ...archive, ...withBroker({ volumes: { state } }) });
const noCommand = { containers: [{ image: "i" }] };
const as = (runAsUser: number) => ({ securityContext: { runAsUser } });
const bursting = aBursting({
  clusters: [
    { name: "east", maxSize: 1 },
    { name: "west", maxSize: 1, cores: 4 },
    { name: "pooled", maxSize: 1, pool: aPool({ pool: "far" }) },
  ],
});

describe("warnings", () => {
  const { one, all, none } = expecting((args: Partial<MiniClusterArgs>) => clusterParser.warnings(aMiniCluster(args)));
  for (const args of [
    keptOn({ path: "/state", emptyDir: true }),
    keptOn({ path: "/state-of-affairs", claimName: "c" }),
    { ...archive, ...withSidecar({ volumes: { state: { path: "/state", claimName: "c" } } }) },
  ])
    one({ [lost]: args });
  const bursts = { leadBroker: aLeadBroker({ name: "root", size: 1 }), hostlist: "root-0,demo-0" };
  const locking = { pool: aPool({ lockMemory: true }) };
  one({
    [endless]: { cleanup: true, flux: fixtures.operatorFlux({ bursting: bursts }), ...noCommand },
    "the fabric of pool hpc requires locked memory, which user 7 cannot have…": { ...locking, pod: as(7) },
    "the fabric of pool hpc requires locked memory, which user 8…": { ...locking, pod: as(0), ...withBroker(as(8)) },
    "maxSize 10 is above the 4 nodes of pool hpc, which has a fixed size…": {
      pool: aPool({ nodes: 4 }),
      size: 2,
      maxSize: 10,
    },
    'bursting: the cores of a host of "east" are not set…; add cores or pool': { bursting },
  });
  all({ cleanup: true, ...archive, ...noCommand }, [lost, endless]);
  none({
    "an archive on a volume": keptOn({ path: "/state", claimName: "c" }),
    "an archive deep in a directory of the node": keptOn({ path: "/", hostPath: "/x" }),
    "an archive where the user's own template may mount anything": { ...archive, ...withTemplate({}) },
    "the end of a command": { cleanup: true },
    "memory that root may lock": locking,
    "another user where no memory is locked": { pool: aPool(), pod: as(7) },
    "the room of a fixed pool that is enough": { pool: aPool({ nodes: 4 }), maxSize: 4 },
    "a largest size that a pool may grow to": { pool: aPool({ maxNodes: 10 }), size: 2, maxSize: 10 },
    "one of pods that share nodes": { pool: aPool({ nodes: 4 }), maxSize: 10, network: { affinity: "preferred" } },
    "a suspended cluster on an empty pool": { pool: aPool({ nodes: 0 }), maxSize: 10, suspend: true },
    "clusters that are taken for hosts like the root's pool": { pool: aPool(), bursting },
  });
});
