import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { parseAllDocuments } from "yaml";
import { configDirectory } from "../../provider/core/parse/paths";
import { FailedRead } from "../../provider/diagnostics/apiServer";
import { connectionFor } from "../../provider/diagnostics/connection/kubeconfig";
import { exec } from "../../provider/diagnostics/exec";
import { readInstance } from "../../provider/forecast/diagnostics/read";
import { queueCommand } from "../../provider/forecast/flux/scripts";
import type { Kube, NewObject } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";
import { fencesOn } from "../support/fences";
import { sharedCluster } from "../support/sandboxHooks";

/** The objects of the page. */
const { text } = fencesOn("docs/forecast.md").find((fence) => fence.text.includes("ValidatingAdmissionPolicy"))!;
const component = { getProvider: () => undefined } as unknown as pulumi.Resource;

/** The objects that limit the account of a namespace. */
const rightsIn = (namespace: string): NewObject[] =>
  parseAllDocuments(text.replaceAll(/\b(namespace: |serviceaccount:)flux\b/g, `$1${namespace}`)).map(
    (document) => document.toJS() as NewObject,
  );

/** A pod that a preview takes for the pod of the lead broker of "demo". */
const leadPod = (namespace: string): NewObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "demo-0-abcde",
    namespace,
    labels: { "job-name": "demo", "batch.kubernetes.io/job-completion-index": "0" },
  },
  spec: {
    containers: [{ name: "app", image: "app", volumeMounts: [{ name: "config", mountPath: configDirectory }] }],
    volumes: [{ name: "config", emptyDir: {} }],
  },
});

/** A kubeconfig with the account of previews. */
async function accountIn(kube: Kube, namespace: string): Promise<string> {
  await kube.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "preview", namespace } });
  const { status } = await kube.request(
    "POST",
    `/api/v1/namespaces/${namespace}/serviceaccounts/preview/token`,
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
    "application/json",
  );
  const { token } = status as { token: string };
  const authority = { "certificate-authority-data": Buffer.from(kube.ca ?? "").toString("base64") };
  return JSON.stringify({
    clusters: [{ name: "c", cluster: { server: kube.server, ...authority } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    users: [{ name: "u", user: { token } }],
    "current-context": "c",
  });
}

/** The error of a command that the account runs in the pod. Pods are simulated, so none succeeds. */
async function errorOf(kubeconfig: string, namespace: string, words: string[], input?: string): Promise<Error> {
  const connection = connectionFor({ kubeconfig });
  assert.ok(connection);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error("the node does not answer")), 5_000);
  const command = { namespace, pod: "demo-0-abcde", container: "app", words, ...(input !== undefined && { input }) };
  const limits = { signal: controller.signal, silentMillis: 10_000 };
  return exec(connection, command, () => false, limits)
    .then(
      () => assert.fail("a simulated pod has run a command"),
      (error: Error) => error,
    )
    .finally(() => clearTimeout(timer));
}

const read = async (kubeconfig: string, namespace: string) => {
  pulumi.runtime.setAllConfig({ "kubernetes:kubeconfig": kubeconfig });
  try {
    return await readInstance(component, { namespace, name: "demo", groups: [] });
  } finally {
    pulumi.runtime.setAllConfig({});
  }
};

const isRefused = (error: Error, why: string) =>
  error instanceof FailedRead && error.status === 403 && error.body.includes(why);

describe("an account of previews", function () {
  this.timeout(120_000);
  let namespace: string;
  let account: string;
  let rights: NewObject[];

  before(async () => {
    const { kube, newNamespace } = sharedCluster();
    namespace = await newNamespace();
    account = await accountIn(kube, namespace);
    await kube.create(leadPod(namespace));
    await waitFor("the pod", async () => {
      const { status } = await kube.get({ apiVersion: "v1", kind: "Pod", name: "demo-0-abcde", namespace });
      return (status as { phase: string }).phase === "Running";
    });
    rights = rightsIn(namespace);
  });

  after(async () => {
    const { kube } = sharedCluster();
    for (const { apiVersion, kind, metadata } of rights)
      if (!metadata.namespace) await kube.delete({ apiVersion, kind, name: metadata.name });
  });

  it("gets a sentence with what to grant before it has rights", async () => {
    const found = await read(account, namespace);
    assert.ok(found && "refused" in found);
    const user = `system:serviceaccount:${namespace}:preview`;
    for (const part of [
      `User "${user}" cannot list resource "pods"`,
      "grant it list on pods, and get and create on pods/exec",
    ])
      assert.ok(found.refused.includes(part), found.refused);
    assert.ok(!found.refused.includes("\n"));
  });

  it("may run the command of a preview and no other one", async () => {
    for (const object of rights) await sharedCluster().kube.create(object);
    const other = ["bash", "-c", "id"];
    // The API server takes up a policy some time after its creation.
    await waitFor(
      "the policy",
      async () => isRefused(await errorOf(account, namespace, other), "previews may only read the queue"),
      60_000,
    );
    for (const words of [["bash"], [...queueCommand, "more"], ["bash", "/etc/minicluster/config/queue.sh;id"]])
      assert.ok(isRefused(await errorOf(account, namespace, words), "previews may only read the queue"), String(words));
    const withInput = await errorOf(account, namespace, queueCommand, "id\n");
    assert.ok(isRefused(withInput, "previews have no standard input"), withInput.message);
    const own = await errorOf(account, namespace, queueCommand);
    // The API server connects to the node only after admission.
    assert.ok(!(own instanceof FailedRead && own.status < 500), own.message);
    assert.doesNotMatch(own.message, /previews|forbidden/i);
  });

  it("reads nothing, without an error, from a node that does not answer", async () =>
    assert.equal(await read(account, namespace), undefined));
});
