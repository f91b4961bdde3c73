import assert from "node:assert/strict";
import type { ObjectRef } from "../sandbox/kube";
import { createNodes } from "../sandbox/nodes/simulated";
import { changes, type ClusterUnderTest, onlyCounts, readyIn, staying, uids, withCluster } from "../support/clusters";
import type { OperationResult } from "../support/engine";
import { anInteractive, said } from "../support/said";
import { sharedCluster } from "../support/sandboxHooks";

const reading = { reads: true };

describe("One line of a preview", () => {
  it("says of a resize which pods keep running, which hosts leave, and up says it once", () =>
    withCluster(
      { size: 4, maxSize: 8 },
      async ({ stack, change, pods }) => {
        assert.deepEqual(said(await stack.preview()), []);
        await stack.up();
        const before = await pods();
        for (const [size, kept, line] of [
          [6, 4, "size 4 => 6 in place; 4 pods keep running"],
          [
            3,
            3,
            "size 6 => 3 in place; 3 pods keep running, hosts demo-[3-5] leave after their jobs or the drain timeout " +
              "of 30 s",
          ],
        ] as const) {
          change({ size, maxSize: 8 });
          const preview = await stack.preview();
          assert.deepEqual(changes(preview), onlyCounts);
          assert.deepEqual(said(preview), [line]);
          const up = said(await stack.up()).filter((text) => !/terminating$/.test(text));
          assert.deepEqual(up, [line]);
          // The pods that the line promises.
          const left = staying(await pods());
          assert.deepEqual(uids(left.slice(0, kept)), uids(before.slice(0, kept)));
          assert.equal(readyIn(left), size);
        }
      },
      reading,
    ));

  it("says of a new cluster and of a larger size which room existing nodes have without its own pods", async () => {
    const labels = { "minicluster-tests/room": "rack" };
    // Pods of other tests never run there.
    const taints = [{ key: "minicluster-tests/room", effect: "NoSchedule" as const }];
    const pool = { pool: "rack", nodeSelector: labels, taints, node: { arch: "amd64" as const, vcpus: 8 } };
    const { kube } = sharedCluster();
    const shape = { namePrefix: "rack", labels, taints, capacity: { cpu: "8" } };
    const nodes = await createNodes(kube, 0, 2, shape);
    const sizes = (size: number) => ({ size, maxSize: 4, pool });
    await withCluster(
      sizes(1),
      async ({ stack, change }) => {
        const room = (result: OperationResult) =>
          said(result).flatMap((line) => /^pool .*(room.*)/.exec(line)?.[1] ?? []);
        assert.deepEqual(room(await stack.preview()), ["room for 1 of size 1, 2 of maxSize 4"]);
        assert.deepEqual(room(await stack.up()), []);
        change(sizes(3));
        assert.deepEqual(room(await stack.preview()), [
          "room for 2 of size 3, 2 of maxSize 4; add or free nodes, or lower size",
        ]);
        change(sizes(2));
        assert.deepEqual(room(await stack.preview()), ["room for 2 of size 2, 2 of maxSize 4"]);
        assert.deepEqual(room(await stack.up()), []);
        change(sizes(1));
        assert.deepEqual(room(await stack.preview()), []);
      },
      reading,
    );
    for (const name of nodes) await kube.delete({ apiVersion: "v1", kind: "Node", name });
  });

  it("says of groups which size changes, and of what is suspended that no pod runs", () =>
    withCluster(
      anInteractive({ size: undefined, groups: { cpu: { size: 1, maxSize: 4 }, gpu: { size: 2 } } }),
      async ({ stack, change }) => {
        const groups = (cpu: number) => ({ cpu: { size: cpu, maxSize: 4 }, gpu: { size: 2 } });
        assert.deepEqual(said(await stack.preview()), [
          "groups.gpu.size 2 is fixed: a later change replaces all Jobs of the cluster; set groups.gpu.maxSize to " +
            "resize in place",
        ]);
        await stack.up();
        change(anInteractive({ size: undefined, groups: groups(3) }));
        assert.deepEqual(said(await stack.preview()), ["groups.cpu.size 1 => 3 in place; 1 pod keeps running"]);
        change(anInteractive({ size: undefined, groups: groups(0) }));
        const leaving = "host demo-cpu-0 leaves after its jobs or the drain timeout of 30 s";
        assert.deepEqual(said(await stack.preview()), [`groups.cpu.size 1 => 0 in place; ${leaving}`]);
      },
      reading,
    ));

  it("says of a new cluster what is fixed and what stays idle, and nothing of one that exists", () =>
    withCluster(
      { size: 4, tasks: 3 },
      async ({ stack, change }) => {
        const lines = [
          "size 4 is fixed: a later change replaces the Job; set maxSize to resize in place",
          "3 tasks need at most 3 hosts, so at least 1 of the 4 hosts stays idle; set tasks to 4 or more to use " +
            "all hosts",
        ];
        assert.deepEqual(said(await stack.preview()), lines);
        assert.deepEqual(said(await stack.up()), lines);
        change({ size: 4, tasks: 3, jobLabels: { team: "physics" } });
        assert.deepEqual(said(await stack.preview()), []);
      },
      reading,
    ));

  const lost = "its 4 pods restart, and pending and running jobs are lost";
  const replacements: [lines: string[], args: object][] = [
    [
      [`containers[0].image has changed, which replaces the Job demo: ${lost}`],
      anInteractive({}, { image: "other:1" }),
    ],
    [
      ["containers[0].resources.requests.cpu, containers[0].environment and containers[0].volumes.data have changed"],
      anInteractive(
        {},
        {
          environment: { B: "2" },
          resources: { requests: { cpu: "1", memory: "1Gi" } },
          volumes: { data: { path: "/data", emptyDir: true } },
        },
      ),
    ],
    [
      ["flux.scheduler.queuePolicy, flux.logLevel, logging.strict and flux.environment have changed"],
      anInteractive({
        flux: { logLevel: 7, scheduler: { queuePolicy: "easy" }, environment: { A: "1" } },
        logging: { strict: false },
      } as object),
    ],
    [
      ["drainTimeoutSeconds, pod.nodeSelector.a and network.affinity have changed, which"],
      anInteractive({ pod: { nodeSelector: { a: "b" } }, drainTimeoutSeconds: 3, network: { affinity: "none" } }),
    ],
    [["maxSize has changed, which replaces"], anInteractive({ maxSize: 8 })],
    [["size has changed, which replaces"], anInteractive({ size: 5, resize: "manifest" })],
    [
      ["containers[0].command has changed", "its 4 pods restart, the command starts again, and pending"],
      anInteractive({ interactive: false }, { command: "hostname" }),
    ],
    [
      ["size 4 => 5 replaces the Job", "maxSize is not set; pending and running jobs are lost;"],
      anInteractive({ size: 5 }),
    ],
    [
      ["groups and their hosts (no separate lead broker => a: 4)"],
      anInteractive({ groups: { a: { size: 4 } }, size: undefined }),
    ],
  ];

  it("says of a replacement which arguments have changed, and what is lost", () =>
    withCluster(
      anInteractive(),
      async ({ stack, change }) => {
        await stack.up();
        for (const [lines, args] of replacements) {
          change(args);
          const found = said(await stack.preview()).filter((text) => !/^groups\.|is fixed/.test(text));
          assert.equal(found.length, 1, found.join("\n"));
          for (const line of lines) assert.ok(found[0]?.includes(line), `${found[0]}\nhas no: ${line}`);
        }
      },
      reading,
    )).timeout(240_000);

  it("names all replaced Jobs at once, and the jobs that a volume keeps", () =>
    withCluster(
      anInteractive({
        size: undefined,
        groups: { cpu: { size: 1 } },
        lead: { storage: { claimName: "state" } },
        wait: "none",
      }),
      async (cluster) => {
        const { stack, change } = cluster;
        const claim = await makeClaim(cluster);
        await stack.up();
        const args = { size: undefined, lead: { storage: { claimName: "state" } }, wait: "none" } as const;
        change(anInteractive({ ...args, groups: { cpu: { size: 1 } } }, { image: "other:1" }));
        assert.deepEqual(said(await stack.preview()), [
          "containers[0].image has changed, which replaces the Jobs demo and demo-cpu: their 2 pods restart, running " +
            "jobs are lost, and pending jobs are kept",
        ]);
        change(anInteractive({ ...args, groups: { cpu: { size: 1, pod: { labels: { a: "b" } } } } }));
        assert.deepEqual(said(await stack.preview()), [
          "groups.cpu.pod.labels.a has changed, which replaces the Job demo-cpu: its pod restarts, and the jobs that " +
            "run there are lost",
        ]);
        await stack.destroy();
        await sharedCluster().kube.delete(claim);
      },
      reading,
    ));
});

/** Creates the claim `state` in the namespace of a cluster. */
async function makeClaim({ namespace }: ClusterUnderTest): Promise<ObjectRef> {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", name: "state", namespace };
  await sharedCluster().kube.create({ ...claim, metadata: { name: claim.name, namespace }, spec });
  return claim;
}
