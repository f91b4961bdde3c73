import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as kubernetes from "@pulumi/kubernetes";
import { parseAllDocuments } from "yaml";
import { MiniCluster, type MiniClusterArgs } from "../../provider";
import { changes, leftIn, withCluster, withStack } from "../support/clusters";
import { OperationError } from "../support/engine";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { exampleProgram } from "../support/programs";
import { sharedCluster } from "../support/sandboxHooks";

describe("A MiniCluster in the API server", () => {
  it("gives every output, and its pods are Ready when up returns", () =>
    withCluster({ size: 2, maxSize: 4 }, async (cluster) => {
      const { stack, namespace } = cluster;
      await stack.up();
      const outputs = Object.fromEntries(
        Object.entries(await stack.outputs()).map(([key, { value }]) => [key, value as unknown]),
      );
      const lead = "job-name=demo,batch.kubernetes.io/job-completion-index=0";
      assert.deepEqual(outputs, {
        jobName: "demo",
        namespace,
        serviceName: "demo",
        secretName: "demo-curve",
        leadHost: `demo-0.demo.${namespace}.svc.cluster.local`,
        hostlist: "demo-[0-3]",
        size: 2,
        maxSize: 4,
        connectCommand:
          `kubectl exec --stdin --tty --namespace ${namespace} $(kubectl get pod --namespace ${namespace} --selector ${lead} ` +
          "--field-selector status.phase=Running --output name) --container demo -- bash /etc/minicluster/config/flux-connect.sh",
        topCommand:
          `kubectl exec --stdin --tty --namespace ${namespace} $(kubectl get pod --namespace ${namespace} --selector ${lead} ` +
          "--field-selector status.phase=Running --output name) --container demo -- " +
          `bash -c '. /etc/minicluster/config/flux-view.sh && exec flux top "$fluxsocket"'`,
        logsCommand: `kubectl logs --namespace ${namespace} --selector ${lead} --container demo --follow --tail -1`,
        diagnoseCommand: `kubectl describe job,pod --namespace ${namespace} --selector job-name=demo`,
      });
      assert.deepEqual(
        (await cluster.pods()).map(({ completionIndex, ready }) => [completionIndex, ready]),
        [
          [0, true],
          [1, true],
        ],
      );
    }));

  it("keeps every field that was asked for, as the API server took it", () => {
    const everything: Partial<MiniClusterArgs> = {
      size: 2,
      jobLabels: { team: "physics" },
      deadlineSeconds: 3600,
      backoffLimit: 2,
      shareProcessNamespace: true,
      pod: {
        restartPolicy: "Never",
        labels: { a: "b" },
        annotations: { c: "d" },
        nodeSelector: { "kubernetes.io/os": "linux" },
        nodeAffinity: { "kubernetes.io/arch": ["amd64", "arm64"] },
        tolerations: [{ key: "dedicated", operator: "Exists", effect: "NoSchedule" }],
        securityContext: { fsGroup: 1000, supplementalGroups: [2000] },
      },
      network: { headlessName: "mesh", affinity: "preferred" },
      containers: [
        aContainer({
          name: "app",
          runFlux: true,
          ports: [5000],
          environment: { A: "1" },
          secrets: { B: { name: "existing", key: "b" } },
          resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1" } },
          volumes: { scratch: { emptyDir: true, emptyDirMedium: "Memory", path: "/scratch" } },
        }),
        { name: "helper", image: "busybox", command: "sleep 10" },
      ],
    };
    return withCluster(everything, async (cluster) => {
      await cluster.stack.up();
      const { spec, metadata } = (await cluster.job()) as unknown as {
        spec: kubernetes.types.output.batch.v1.JobSpec;
        metadata: { labels: object };
      };
      const pod = spec.template.spec;
      assert.deepEqual(metadata.labels, {
        "app.kubernetes.io/instance": "demo",
        "app.kubernetes.io/name": "minicluster",
        "job-name": "demo",
        team: "physics",
      });
      assert.deepEqual([spec.activeDeadlineSeconds, spec.backoffLimit, spec.podReplacementPolicy], [3600, 2, "Failed"]);
      assert.deepEqual(spec.successPolicy, { rules: [{ succeededIndexes: "0" }] });
      assert.equal(spec.podFailurePolicy?.rules[0]?.action, "Ignore");
      assert.deepEqual(
        [pod.subdomain, pod.automountServiceAccountToken, pod.shareProcessNamespace],
        ["mesh", false, true],
      );
      assert.deepEqual(pod.securityContext, {
        fsGroup: 1000,
        supplementalGroups: [2000],
        seccompProfile: { type: "RuntimeDefault" },
      });
      assert.deepEqual(
        pod.initContainers?.map(({ name, restartPolicy }) => [name, restartPolicy]),
        [
          ["flux-view", undefined],
          ["helper", "Always"],
        ],
      );
      assert.deepEqual(pod.containers[0]?.resources, {
        limits: { cpu: "2", memory: "1Gi" },
        requests: { cpu: "1" },
      });
      const service = (await cluster.object("Service", "mesh")) as unknown as { spec: Record<string, unknown> };
      assert.deepEqual([service.spec["clusterIP"], service.spec["publishNotReadyAddresses"]], ["None", true]);
    });
  });

  it("refuses wrong arguments before anything is created, each at its property", () =>
    withStack(async (stack, namespace) => {
      const wrong = {
        ...{ namespace, size: 9, maxSize: 3, tasks: -1, sise: 2 },
        containers: [{ ...aContainer({ ports: [0] }), commands: { script: "x" } }],
      } as MiniClusterArgs;
      stack.program = () => Promise.resolve({ cluster: new MiniCluster("demo", wrong).jobName });
      const error = await stack.up().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof OperationError);
      for (const line of [
        "size: size 9 is above maxSize 3; raise maxSize or lower size",
        "tasks: -1 must be an integer from 0 to 2147483647",
        "sise: unknown property; did you mean size?",
        "containers[0].ports[0]: 0 must be an integer from 1 to 65535",
        "containers[0].commands.script: script takes the place of command; give one of them",
      ])
        assert.ok(error.message.includes(line), `${line}\n--- in ---\n${error.message}`);
      assert.doesNotMatch(error.message, /__pulumi|propertyPath|provider\//);
      assert.deepEqual(await leftIn(namespace), []);
      assert.ok(!error.result.steps.some(({ type }) => type.includes("kubernetes") || type.includes("minicluster")));
    }));

  it("is never made by a program that also asks for a wrong one", () =>
    withStack(async (stack, namespace) => {
      stack.program = () => {
        const good = new MiniCluster("good", aMiniClusterArgs({ name: "good", namespace }));
        const bad = new MiniCluster("bad", { namespace, size: 0, containers: [] });
        return Promise.resolve({ good: good.jobName, bad: bad.jobName });
      };
      await assert.rejects(stack.preview(), /size: 0 must be an integer from 1 to 100000/);
    }));
});

describe("Resizing by manifest", () => {
  let directory: string;
  before(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-yaml-"))));
  after(() => fs.rmSync(directory, { recursive: true }));

  it("renders whole objects, with the counts in the Job and the size in the ConfigMap", () =>
    withStack(async (stack) => {
      const program = (size: number) => () => {
        const provider = new kubernetes.Provider("yaml", { renderYamlToDirectory: directory });
        const args = aMiniClusterArgs({ size, maxSize: 8, resize: "manifest" });
        new MiniCluster("demo", args, { provider });
        return Promise.resolve({});
      };
      stack.program = program(4);
      await stack.up();
      assert.deepEqual(rendered(), { completions: 4, parallelism: 4, size: "4", image: "ubuntu:noble" });

      stack.program = program(6);
      await stack.up();
      assert.deepEqual(rendered(), { completions: 6, parallelism: 6, size: "6", image: "ubuntu:noble" });
    }));

  /** What `kubectl apply` would find in the directory. */
  function rendered() {
    const files = fs.readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const objects = files.flatMap(({ parentPath, name }) =>
      parseAllDocuments(fs.readFileSync(path.join(parentPath, name), "utf8")).map(
        (document) => document.toJS() as Record<string, never>,
      ),
    );
    const job = objects.find(({ kind }) => kind === "Job") as unknown as {
      spec: kubernetes.types.output.batch.v1.JobSpec;
    };
    const config = objects.find(({ kind }) => kind === "ConfigMap") as unknown as { data: Record<string, string> };
    assert.ok(config.data["broker.toml"]);
    const { completions, parallelism, template } = job.spec;
    return { completions, parallelism, size: config.data["size"], image: template.spec.containers[0]?.image };
  }

  it("replaces the Job of a live provider, and says so in the preview", () =>
    withCluster({ size: 2, maxSize: 4, resize: "manifest" }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 3, maxSize: 4, resize: "manifest" });
      const preview = await cluster.stack.preview();
      assert.ok(changes(preview).includes("replace Job"));
      await cluster.stack.up();
      assert.equal((await cluster.job()).spec.completions, 3);
    }));
});

describe("An example", () => {
  for (const name of ["hello", "lammps", "interactive", "autoscale", "manifest"])
    it(`${name} comes up, shows no change afterwards, and goes`, () =>
      withStack(
        async (stack, namespace) => {
          await stack.up();
          const pods = await sharedCluster().kube.podsOfJob(namespace, name);
          assert.deepEqual(
            pods.map(({ ready }) => ready),
            Array<boolean>({ hello: 1, lammps: 4, interactive: 2, autoscale: 1, manifest: 2 }[name] ?? 0).fill(true),
          );
          assert.deepEqual(changes(await stack.preview()), []);
        },
        { program: exampleProgram(name) },
      ));
});
