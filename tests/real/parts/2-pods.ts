import assert from "node:assert/strict";

import { MiniClusterPodSecurity, MiniClusterRestartPolicy } from "../../../provider";
import { realContainer, withRealCluster } from "../lab";

const launched = (command: string) => [realContainer({ launcher: true, command: `bash -c '${command}'` })];

describe("the pods of a cluster", () => {
  it("find each other, and the services pod, by the names in the DNS", () => {
    const services = [realContainer({ name: "store", command: "sleep 3600" })];
    const containers = launched("getent hosts demo-1.$(hostname -d); getent hosts demo-services");
    return withRealCluster({ size: 2, containers, services }, async (cluster) => {
      await cluster.stack.up();
      assert.equal((await cluster.ended()).verdict, "Complete");
      const log = await cluster.logs();
      for (const name of ["demo-1\\.[^.]+", "demo-services"])
        assert.match(log, new RegExp(`^10[.\\d]+ +${name}\\.${cluster.namespace}\\.svc`, "m"));
    });
  });

  it("run as nobody's root where the namespace enforces it", () => {
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    const containers = launched(`id -u; stat -c "%u %a" /mnt/flux/config/curve/curve.cert; flux run -N 2 hostname`);
    const podSecurity = MiniClusterPodSecurity.Restricted;
    return withRealCluster(
      { size: 2, containers, podSecurity },
      async (cluster) => {
        await cluster.stack.up();
        assert.equal((await cluster.ended()).verdict, "Complete");
        const log = await cluster.logs();
        for (const line of ["1000", "1000 [46]00", "demo-0", "demo-1"]) assert.match(log, new RegExp(`^${line}$`, "m"));
      },
      { labels },
    );
  });

  it("hold the certificate as a file that only its user can read, and the files of the configuration", () => {
    const stat = (file: string) => `stat -Lc "%a %n" ${file}`;
    const containers = launched(
      [stat("/etc/minicluster/curve/curve.cert"), stat("/mnt/flux/config/curve/curve.cert")].join("; "),
    );
    return withRealCluster({ containers }, async (cluster) => {
      await cluster.stack.up();
      assert.equal((await cluster.ended()).verdict, "Complete");
      const log = await cluster.logs();
      assert.match(log, /^4[04][04] \/etc\/minicluster\/curve\/curve.cert$/m);
      assert.match(log, /^[46]00 \/mnt\/flux\/config\/curve\/curve.cert$/m);
    });
  });

  it("are Ready when the instance stands, and not before", () =>
    withRealCluster(
      { size: 3, interactive: true, containers: [realContainer({ commands: { workerPre: "sleep 5" } })] },
      async (cluster) => {
        await cluster.stack.up();
        const pods = await cluster.ready(3);
        for (const { pod, name } of pods) {
          const { conditions } = pod["status"] as { conditions: { type: string; lastTransitionTime: string }[] };
          const at = (type: string) => Date.parse(conditions.find((c) => c.type === type)?.lastTransitionTime ?? "");
          const latest = Math.max(...pods.map((other) => startOf(other.pod)));
          assert.ok(at("Ready") - latest >= 4000, `${name} was Ready before the last broker could be there`);
        }
      },
    ));

  it("end the Job with the status of the command", () => {
    const pod = { restartPolicy: MiniClusterRestartPolicy.Never };
    return withRealCluster({ size: 2, backoffLimit: 0, pod, containers: launched("exit 7") }, async (cluster) => {
      await cluster.stack.up().catch(() => undefined);
      assert.equal((await cluster.ended()).verdict, "Failed");
      assert.equal(exitCode((await cluster.pods()).find(({ completionIndex }) => completionIndex === 0)?.pod), 7);
    });
  });

  it("fail with the command that the kernel kills for its memory", () => {
    const pod = { restartPolicy: MiniClusterRestartPolicy.Never };
    const resources = { limits: { memory: "96Mi" } };
    const eats = `bash -c 'text=$(head -c 300000000 /dev/zero | tr "\\0" x); echo survived'`;
    return withRealCluster(
      { backoffLimit: 0, pod, containers: [realContainer({ command: eats, resources })] },
      async (cluster) => {
        await cluster.stack.up().catch(() => undefined);
        assert.equal((await cluster.ended()).verdict, "Failed");
        assert.equal(exitCode((await cluster.pods())[0]?.pod), 137);
        assert.doesNotMatch(await cluster.logs(), /^survived$/m);
      },
    );
  });
});

interface Ended {
  state: { terminated?: { exitCode: number }; running?: { startedAt: string } };
}

const statuses = (pod?: { [field: string]: unknown }) =>
  (pod?.["status"] as { containerStatuses?: Ended[] } | undefined)?.containerStatuses ?? [];

const exitCode = (pod?: { [field: string]: unknown }) => statuses(pod)[0]?.state.terminated?.exitCode;

const startOf = (pod: { [field: string]: unknown }) => Date.parse(statuses(pod)[0]?.state.running?.startedAt ?? "");
