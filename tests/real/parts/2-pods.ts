import assert from "node:assert/strict";

import { MiniClusterPodSecurity } from "../../../provider";
import type { JobPod } from "../../sandbox/kube";
import { realContainer, together } from "../clusters";
import { statusesOf } from "../look";

const launched = (command: string) => [realContainer({ launcher: true, command: `bash -c '${command}'` })];

/** Prints the status with which the console serves its page, in a while. */
const askConsole = [
  "until (exec 3<>/dev/tcp/localhost/8062) 2>/dev/null; do sleep 1; done",
  "exec 3<>/dev/tcp/localhost/8062",
  'printf "GET / HTTP/1.1\\r\\n\\r\\n" >&3',
  'read -r _ status _ <&3; echo "console: $status"',
].join("; ");

const stat = (file: string) => `stat -Lc "%a %n" ${file}`;

describe("the pods of a cluster", () => {
  const cluster = together({
    names: {
      size: 2,
      containers: launched("getent hosts demo-1.$(hostname -d); getent hosts demo-services"),
      services: [realContainer({ name: "store", command: "sleep 3600" })],
    },
    restricted: {
      size: 2,
      labels: { "pod-security.kubernetes.io/enforce": "restricted" },
      podSecurity: MiniClusterPodSecurity.Restricted,
      console: { users: ["ann"] },
      containers: launched(
        `id -u; stat -c "%u %a" /etc/minicluster/certificate/curve.cert; flux run -N 2 hostname; ${askConsole}`,
      ),
    },
    files: {
      containers: launched(
        [stat("/etc/minicluster/curve/curve.cert"), stat("/etc/minicluster/certificate/curve.cert")].join("; "),
      ),
    },
    slow: { size: 3, interactive: true, containers: [realContainer({ commands: { workerPre: "sleep 5" } })] },
    status: { size: 2, backoffLimit: 0, containers: launched("exit 7") },
    hungry: {
      backoffLimit: 0,
      containers: [
        realContainer({
          command: `bash -c 'text=$(head -c 300000000 /dev/zero | tr "\\0" x); echo survived'`,
          resources: { limits: { memory: "96Mi" } },
        }),
      ],
    },
  });

  it("find each other, and the services pod, by the names in the DNS", async () => {
    const seen = cluster("names");
    assert.equal((await seen.ended()).verdict, "Complete");
    const log = await seen.logs();
    for (const name of ["demo-1\\.[^.]+", "demo-services"])
      assert.match(log, new RegExp(`^10[.\\d]+ +${name}\\.${seen.namespace}\\.svc`, "m"));
  });

  it("run without root where the namespace enforces it", async () => {
    assert.equal((await cluster("restricted").ended()).verdict, "Complete");
    const log = await cluster("restricted").logs();
    for (const line of ["1000", "1000 [46]00", "demo-0", "demo-1", "console: 200"])
      assert.match(log, new RegExp(`^${line}$`, "m"));
  });

  it("hold the certificate as a file that only its user can read, and the files of the configuration", async () => {
    assert.equal((await cluster("files").ended()).verdict, "Complete");
    const log = await cluster("files").logs();
    assert.match(log, /^4[04][04] \/etc\/minicluster\/curve\/curve.cert$/m);
    assert.match(log, /^[46]00 \/etc\/minicluster\/certificate\/curve.cert$/m);
  });

  it("are Ready once the instance is running, and not before", async () => {
    const pods = await cluster("slow").ready(3);
    for (const { pod, name } of pods) {
      const { conditions } = pod["status"] as { conditions: { type: string; lastTransitionTime: string }[] };
      const at = (type: string) => Date.parse(conditions.find((c) => c.type === type)?.lastTransitionTime ?? "");
      const latest = Math.max(...pods.map(startOf));
      assert.ok(at("Ready") - latest >= 4000, `${name} was Ready before the last broker could be there`);
    }
  });

  it("end the Job with the status of the command", async () => {
    assert.equal((await cluster("status").ended()).verdict, "Failed");
    assert.equal(exitCode((await cluster("status").pods())[0]), 7);
  });

  it("fail with the command that the kernel kills for its memory", async () => {
    assert.equal((await cluster("hungry").ended()).verdict, "Failed");
    // 1 where the broker outlives its command, so that the status does not mean a killed container.
    assert.ok([1, 137].includes(exitCode((await cluster("hungry").pods())[0]) ?? 0));
    assert.doesNotMatch(await cluster("hungry").logs(), /^survived$/m);
  });
});

const exitCode = (pod?: JobPod) => pod && statusesOf(pod)[0]?.state.terminated?.exitCode;

const startOf = (pod: JobPod) => Date.parse(statusesOf(pod)[0]?.state.running?.startedAt ?? "");
