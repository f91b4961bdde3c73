import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as kubernetes from "@pulumi/kubernetes";
import { MiniCluster, type MiniClusterArgs } from "../../provider";
import type { KubeObject } from "../sandbox/kube";
import { createNodes } from "../sandbox/nodes/simulated";
import { type ClusterUnderTest, withCluster, withStack } from "../support/clusters";
import { engineEnvironment, engineSetup } from "../support/engineSetup";
import { aMiniClusterArgs } from "../support/fixtures";
import { anInteractive, said } from "../support/said";
import { sharedCluster } from "../support/sandboxHooks";

const reading = { reads: true };

describe("A preview on a Kubernetes cluster that does not suit", () => {
  const selected = (name: string) => ({ "minicluster-tests/lines": name });

  it("names network.affinity where there are fewer nodes than pods, and nothing where there are enough", async () => {
    const { kube } = sharedCluster();
    const labels = selected("few");
    await createNodes(kube, 0, 1, { namePrefix: "lines-few", labels });
    await createNodes(kube, 0, 1, {
      namePrefix: "lines-tainted",
      labels,
      taints: [{ key: "own", effect: "NoSchedule" }],
    });
    const [cordoned] = await createNodes(kube, 0, 1, { namePrefix: "lines-cordoned", labels });
    await kube.patch({ apiVersion: "v1", kind: "Node", name: cordoned ?? "" }, { spec: { unschedulable: true } });
    const given = { size: 4, maxSize: 8, pod: { nodeSelector: labels } };
    const short = (needed: number, has: number) =>
      `size ${needed} needs ${needed} nodes, one for each pod, and this Kubernetes cluster has ${has} that these ` +
      'pods can use; set network.affinity to "none" to run several pods on a node, or add nodes';
    const cases: [Partial<MiniClusterArgs>, string[]][] = [
      [given, [short(4, 1)]],
      [{ ...given, pod: { nodeSelector: labels, tolerations: [{ key: "own", operator: "Exists" }] } }, [short(4, 2)]],
      [{ ...given, network: { affinity: "none" } }, []],
      [{ ...given, size: 1 }, []],
      [{ ...given, suspend: true }, []],
    ];
    const body = async ({ stack, change }: ClusterUnderTest) => {
      for (const [args, lines] of cases) {
        change(args);
        assert.deepEqual(said(await stack.preview()), lines);
      }
      change({ ...given, pod: { nodeSelector: selected("none") } });
      assert.match(
        said(await stack.preview()).join(),
        /has 0 that these pods can use; add nodes, or correct pod.nodeSelector/,
      );
    };
    await withCluster(given, body, reading);
  });

  it("names flux.arch where the nodes have another architecture than the Flux view", async () => {
    const labels = selected("arm");
    // Other clusters of the run do not see this node.
    const taint = { key: "lines-arm", effect: "NoSchedule" };
    const shape = { namePrefix: "lines-arm", labels, taints: [taint], architecture: "arm64" };
    await createNodes(sharedCluster().kube, 0, 1, shape);
    const pod = { nodeSelector: labels, tolerations: [{ key: taint.key, operator: "Exists" as const }] };
    const given = { size: 1, maxSize: 1, pod };
    const body = async ({ stack, change }: ClusterUnderTest) => {
      assert.deepEqual(said(await stack.preview()), [
        "these pods can use nodes of architecture arm64, and the default Flux view is for amd64; set " +
          'flux.arch to "arm64"',
      ]);
      change({ ...given, flux: { arch: "arm64" } });
      assert.deepEqual(said(await stack.preview()), []);
    };
    await withCluster(given, body, reading);
  });

  it("names lead.storage.storageClassName where no storage class is the default one", async () => {
    const { kube } = sharedCluster();
    const storage = { size: "1Gi" };
    const args = { lead: { storage }, size: 1, maxSize: 1 };
    const body = async ({ stack, change }: ClusterUnderTest) => {
      change(anInteractive(args));
      const begin = "the Kubernetes cluster has no default storage class, and the volume of lead.storage needs one; ";
      const none = said(await stack.preview());
      assert.deepEqual(none, [`${begin}install one, or set lead.storage.claimName to an existing claim`]);
      const ref = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", name: "lines-slow" };
      const { apiVersion, kind } = ref;
      await kube.create({
        apiVersion,
        kind,
        metadata: { name: ref.name },
        provisioner: "slow.example.com",
      });
      try {
        const slow = "set lead.storage.storageClassName (lines-slow), or lead.storage.claimName to an existing claim";
        assert.deepEqual(said(await stack.preview()), [begin + slow]);
        const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
        await kube.patch(ref, { metadata: { annotations } });
        assert.deepEqual(said(await stack.preview()), []);
      } finally {
        await kube.delete(ref);
      }
    };
    await withCluster(anInteractive(args), body, reading);
  });
});

describe("A preview in a namespace that does not exist", () => {
  it("says once what to do, and nothing where the program creates the namespace", () =>
    withStack(async (stack, namespace) => {
      const missing = `${namespace}-missing`;
      const args = anInteractive({ namespace: missing, maxSize: 4 }) as MiniClusterArgs;
      stack.program = () => void new MiniCluster("demo", args);
      assert.deepEqual(said(await stack.preview()), [
        `the namespace "${missing}" does not exist yet; create it first, or in this program, with the Namespace ` +
          "in the cluster's option dependsOn (depends_on in Python)",
      ]);
      stack.program = () => {
        const made = new kubernetes.core.v1.Namespace("made", { metadata: { name: missing } });
        new MiniCluster("demo", args, { dependsOn: made });
      };
      const [line = "", ...others] = said(await stack.preview());
      assert.match(
        line,
        /^not every object was checked by the API server: .*; pulumi up checks them before it creates/,
      );
      assert.deepEqual(others, []);
    }, reading));
});

describe("A stack without a passphrase", () => {
  it("is refused by the CLI, which names the variable", async () => {
    const { pulumi } = await engineSetup();
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-passphrase-"));
    fs.writeFileSync(path.join(directory, "Pulumi.yaml"), "name: first\nruntime: yaml\n");
    const env = { ...engineEnvironment(directory, undefined), PULUMI_CONFIG_PASSPHRASE: undefined };
    const options = { cwd: directory, env, encoding: "utf8" } as const;
    const { stderr } = spawnSync(pulumi.path, ["stack", "init", "dev", "--non-interactive"], options);
    fs.rmSync(directory, { recursive: true });
    assert.match(
      stderr,
      /^error: .*passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE/,
    );
  });
});

describe("A preview without access to the Kubernetes cluster", () => {
  type Config = Record<"users", { user: object }[]> & KubeObject;
  const users = (user: object) => (config: Config) => ({
    ...config,
    users: config.users.map((each) => ({ ...each, user })),
  });
  const failing = { apiVersion: "client.authentication.k8s.io/v1", command: "false", interactiveMode: "Never" };
  const cases: [name: string, change: (config: Config) => object, context: string | undefined, line: RegExp][] = [
    [
      "of a context that does not exist",
      (config) => config,
      "absent",
      /^the kubeconfig has no context "absent"; set context of .* to one of \S+$/,
    ],
    [
      "of a token that has expired",
      users({ token: "expired" }),
      undefined,
      /^the API server does not accept .*401 .*; log in .* again, or renew/,
    ],
    [
      "of a credential command that fails",
      users({ exec: failing }),
      undefined,
      /^the credentials of the kubeconfig cannot be read; log in to/,
    ],
  ];
  for (const [name, change, context, line] of cases)
    it(`says once, ${name}, what to do`, () =>
      withStack(async (stack, namespace) => {
        const config = JSON.parse(fs.readFileSync(sharedCluster().kubeconfigPath, "utf8")) as Config;
        stack.program = () => {
          const provider = new kubernetes.Provider("away", { kubeconfig: JSON.stringify(change(config)), context });
          for (const each of ["one", "two"])
            new MiniCluster(each, aMiniClusterArgs({ name: each, namespace, maxSize: 2 }), { provider });
        };
        const found = said(await stack.preview());
        assert.equal(found.length, 1, found.join("\n"));
        assert.match(found[0] ?? "", line);
      }, reading));
});
