import assert from "node:assert/strict";
import * as kubernetes from "@pulumi/kubernetes";
import { MiniCluster } from "../../provider";
import { MiniClusterManifest } from "../../provider/operator/miniClusterManifest";
import { readMiniClusterManifest } from "../../provider/operator/read";
import { changes, readyIn, withStack } from "../support/clusters";
import { aManifest, hasUpstreamExamples, upstreamExample, upstreamExamples } from "../support/manifestTexts";
import { sharedCluster } from "../support/sandboxHooks";

/** A manifest of the operator's in a separate namespace. */
const inNamespace = (text: string, namespace: string) =>
  text.replace(/^metadata:\n/m, `metadata:\n  namespace: ${namespace}\n`);

describe("A manifest of the Flux Operator in the API server", () => {
  it("is created from each of the operator's own examples, and destroyed", async function () {
    if (!hasUpstreamExamples) this.skip();
    const { kube, newNamespace } = sharedCluster();
    const names = upstreamExamples();
    const namespaces = new Map<string, string>();
    for (const name of names) namespaces.set(name, await newNamespace());
    const namespaceOf = (name: string) => namespaces.get(name) ?? "";
    const text = names.map((name) => `${inNamespace(upstreamExample(name).text, namespaceOf(name))}\n---\n`).join("");
    const clusters = readMiniClusterManifest(text);
    assert.equal(clusters.length, names.length);
    const program = () => {
      const claim = existingClaim("data", namespaceOf("existing-volumes"));
      const { jobNames, sizes } = new MiniClusterManifest("all", { text }, { dependsOn: [claim] });
      return { jobNames, sizes };
    };
    await withStack(
      async (stack) => {
        await stack.up();
        for (const { name, namespace, args } of clusters) {
          const pods = await kube.podsOfJob(namespace, name);
          assert.deepEqual([pods.length, readyIn(pods)], [args.size, args.size], `${namespace}/${name}`);
        }
      },
      { program },
    );
    for (const namespace of namespaces.values())
      assert.deepEqual(await kube.list({ apiVersion: "batch/v1", kind: "Job", namespace }), []);
  });

  it("of version v1alpha1 comes up with its storage, shows no change, and its storage goes after it", () =>
    withStack(async (stack, namespace) => {
      const text = inNamespace(
        aManifest(
          `
          size: 2
          volumes: {data: {path: /tmp/data, capacity: 1Gi}}
          containers: [{image: a, command: ls /data, volumes: {data: {path: /data}}}]`,
          "v1alpha1",
        ),
        namespace,
      );
      stack.program = () => {
        const { jobNames } = new MiniClusterManifest("old", { text });
        return { jobNames };
      };
      await stack.up();
      const { kube } = sharedCluster();
      const claim = await kube.get({ apiVersion: "v1", kind: "PersistentVolumeClaim", name: "demo-data", namespace });
      assert.equal((claim as unknown as { status: { phase: string } }).status.phase, "Bound");
      assert.equal((await kube.podsOfJob(namespace, "demo")).length, 2);
      assert.deepEqual(changes(await stack.preview()), []);
      const { steps } = await stack.destroy();
      const deleted = steps.filter(({ op }) => op === "delete").map(({ type }) => type.split(":").at(-1));
      assert.ok(deleted.indexOf("Job") < deleted.indexOf("PersistentVolumeClaim"), deleted.join());
      const volumes = await kube.list({ apiVersion: "v1", kind: "PersistentVolume" });
      assert.ok(!volumes.some(({ metadata }) => metadata?.name === `${namespace}-demo-data`));
    }));

  it("becomes a program without a restart: an alias names the component that the cluster was in", () =>
    withStack(async (stack, namespace) => {
      const text = inNamespace(
        aManifest("{size: 2, maxSize: 4, containers: [{image: a, command: sleep 60}]}"),
        namespace,
      );
      stack.program = () => {
        const { jobNames } = new MiniClusterManifest("clusters", { text });
        return { jobNames };
      };
      const { steps } = await stack.up();
      const parent = steps.find(({ type }) => type.endsWith(":MiniClusterManifest"))?.urn ?? assert.fail();
      const { kube } = sharedCluster();
      const before = await kube.podsOfJob(namespace, "demo");

      const [read] = readMiniClusterManifest(text);
      assert.ok(read);
      const { name, args } = read;
      stack.program = () => {
        const alias = { name: `clusters-${namespace}/${name}`, parent };
        const { jobName } = new MiniCluster(name, args, { aliases: [alias] });
        return { jobName };
      };
      assert.deepEqual(changes(await stack.preview()), ["delete MiniClusterManifest"]);
      await stack.up();
      const uids = (pods: typeof before) => pods.map(({ pod }) => pod.metadata.uid).sort();
      assert.deepEqual(uids(await kube.podsOfJob(namespace, "demo")), uids(before));
      assert.deepEqual(changes(await stack.preview()), []);
    }));
});

/** The claim that an example expects to be there. */
function existingClaim(name: string, namespace: string): kubernetes.core.v1.PersistentVolumeClaim {
  const common = { accessModes: ["ReadWriteMany"], storageClassName: "hostpath" };
  const volume = new kubernetes.core.v1.PersistentVolume(name, {
    metadata: { name: `${namespace}-${name}` },
    spec: { ...common, capacity: { storage: "1Gi" }, hostPath: { path: "/tmp/data" } },
  });
  return new kubernetes.core.v1.PersistentVolumeClaim(name, {
    metadata: { name, namespace },
    spec: { ...common, volumeName: volume.metadata.name, resources: { requests: { storage: "1Gi" } } },
  });
}
