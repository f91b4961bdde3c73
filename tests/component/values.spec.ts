import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, type MiniClusterArgs } from "../../provider";
import { standInCertificate } from "../support/everything";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import {
  isWireSecret,
  mockEngine,
  placesWhere,
  type Registration,
  unknownOnTheWire,
  unknownOutput,
  valueOf,
} from "../support/mocks";
import { valueAt } from "../support/propertyPaths";

const withVariable = (value: pulumi.Input<string>) => ({ containers: [aContainer({ environment: { A: value } })] });

async function register(args: Partial<MiniClusterArgs>, preview = false): Promise<Registration[]> {
  const seen = await mockEngine({ preview });
  const cluster = new MiniCluster("demo", aMiniClusterArgs(args));
  await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
  return seen;
}

describe("the outputs of a cluster", function () {
  this.timeout(20_000);

  const lead = "job-name=demo,batch.kubernetes.io/job-completion-index=0";
  const want = {
    jobName: "demo",
    namespace: "hpc",
    serviceName: "hosts",
    secretName: "demo-curve",
    leadHost: "demo-0.hosts.hpc.svc.cluster.local",
    hostlist: "demo-[0-7]",
    size: 4,
    maxSize: 8,
    connectCommand:
      `kubectl exec --stdin --tty --namespace hpc $(kubectl get pod --namespace hpc --selector ${lead} ` +
      "--field-selector status.phase=Running --output name) --container demo -- " +
      "bash /etc/minicluster/config/flux-connect.sh",
    topCommand:
      `kubectl exec --stdin --tty --namespace hpc $(kubectl get pod --namespace hpc --selector ${lead} ` +
      "--field-selector status.phase=Running --output name) --container demo -- " +
      `bash -c '. /etc/minicluster/config/flux-view.sh && exec flux top "$fluxsocket"'`,
    logsCommand: `kubectl logs --namespace hpc --selector ${lead} --container demo --follow --tail -1`,
    diagnoseCommand: "kubectl describe job,pod --namespace hpc --selector job-name=demo",
  };
  const args = aMiniClusterArgs({ namespace: "hpc", size: 4, maxSize: 8, network: { headlessName: "hosts" } });

  for (const preview of [false, true])
    it(`are twelve, ${preview ? "all known in a preview but what waits for the pods" : "all known"}`, async () => {
      await mockEngine({ preview });
      const cluster = new MiniCluster("demo", args);
      const outputs = Object.keys(want).map(
        (key) => [key, cluster[key as keyof typeof want] as pulumi.Output<unknown>] as const,
      );
      const values = outputs.map(async ([key, output]) => [key, await valueOf(output)]);
      assert.deepEqual(Object.fromEntries(await Promise.all(values)), {
        ...want,
        ...(preview && { jobName: undefined }),
      });
      for (const [key, output] of outputs) assert.equal(await pulumi.isSecret(output), false, key);
    });

  it("name the context that the stack has for the Kubernetes provider in each command", async () => {
    await mockEngine();
    pulumi.runtime.setConfig("kubernetes:context", "far");
    try {
      const { connectCommand, topCommand, logsCommand, diagnoseCommand } = new MiniCluster("demo", args);
      const commands = [connectCommand, topCommand, logsCommand, diagnoseCommand].map((output) => valueOf(output));
      const plain = [want.connectCommand, want.topCommand, want.logsCommand, want.diagnoseCommand];
      const named = plain.map((command) => command.replaceAll(/(^|\()kubectl /g, "$1kubectl --context far "));
      assert.deepEqual(await Promise.all(commands), named);
    } finally {
      pulumi.runtime.setConfig("kubernetes:context", "");
    }
  });
});

const leafHash = "JobPatch demo-size.metadata.annotations.minicluster/leaf-hash";
const annotations = "Job demo.spec.template.metadata.annotations.minicluster";
const curve = "Secret demo-curve.data";

describe("in what is registered", function () {
  this.timeout(20_000);

  const secrets: [what: string, args: Partial<MiniClusterArgs>, places: string[]][] = [
    ["the certificate", {}, [curve]],
    ["a certificate of the user's own", { flux: { curveCert: pulumi.output(standInCertificate) } }, [curve]],
    ["a secret variable", withVariable(pulumi.secret("t")), [curve, "Secret demo-environment.data"]],
  ];
  for (const [what, args, places] of secrets)
    it(`${what} is secret, and hides nothing else`, async () =>
      assert.deepEqual(placesWhere(await register(args), isWireSecret), places));

  const unknowns: [what: string, args: Partial<MiniClusterArgs>, places: string[]][] = [
    ["nothing, where every argument is known,", {}, []],
    [
      "an unknown image",
      { containers: [aContainer({ image: unknownOutput() })] },
      ["Job demo.spec.template.spec.containers.0.image", leafHash],
    ],
    [
      "an unknown variable",
      withVariable(unknownOutput()),
      [`${annotations}/environment-hash`, leafHash, "Secret demo-environment.data"],
    ],
    [
      "an unknown certificate",
      { flux: { curveCert: unknownOutput() } },
      [`${annotations}/certificate-hash`, leafHash, curve],
    ],
  ];
  for (const [what, args, places] of unknowns)
    it(`${what} is unknown in a preview, with the hashes that change with it`, async () =>
      assert.deepEqual(
        placesWhere(await register(args, true), (value) => value === unknownOnTheWire),
        places,
      ));

  it("a certificate of the user's own is in its Secret", async () => {
    const seen = await register({ flux: { curveCert: pulumi.output(standInCertificate) } });
    const data = valueAt(seen.find(({ id }) => id === "Secret demo-curve")?.inputs, "data.value") as object;
    assert.deepEqual(data, { "curve.cert": Buffer.from(standInCertificate).toString("base64") });
  });
});
