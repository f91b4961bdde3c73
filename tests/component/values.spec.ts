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

const inputsOf = (seen: Registration[], id: string) => seen.find((each) => each.id === id)?.inputs;

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
    it(`are twelve, ${preview ? "of which a preview knows all but what waits for the pods" : "all known"}`, async () => {
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
});

describe("what is secret", function () {
  this.timeout(20_000);

  it("is the certificate, and nothing else", async () =>
    assert.deepEqual(placesWhere(await register({}), isWireSecret), ["Secret demo-curve.data"]));

  it("is a secret variable, and it does not hide the containers", async () => {
    const seen = await register({ containers: [aContainer({ environment: { TOKEN: pulumi.secret("t") } })] });
    assert.deepEqual(placesWhere(seen, isWireSecret).sort(), [
      "Secret demo-curve.data",
      "Secret demo-environment.data",
    ]);
  });
});

describe("a certificate of the user's own", function () {
  this.timeout(20_000);

  it("is the only secret, and stands in its Secret", async () => {
    const seen = await register({ flux: { curveCert: pulumi.output(standInCertificate) } });
    assert.deepEqual(placesWhere(seen, isWireSecret), ["Secret demo-curve.data"]);
    const data = valueAt(inputsOf(seen, "Secret demo-curve"), "data.value") as Record<string, string>;
    assert.equal(Buffer.from(data["curve.cert"] ?? "", "base64").toString(), standInCertificate);
  });

  it("that is unknown is so in its Secret and in the hashes that tell when it changes", async () => {
    const seen = await register({ flux: { curveCert: unknownOutput() } }, true);
    assert.deepEqual(placesWhere(seen, (value) => value === unknownOnTheWire).sort(), [
      "Job demo.spec.template.metadata.annotations.minicluster/certificate-hash",
      "JobPatch demo-size.metadata.annotations.minicluster/leaf-hash",
      "Secret demo-curve.data",
    ]);
  });
});

describe("what is unknown in a preview", function () {
  this.timeout(20_000);

  const unknowns = async (args: Partial<MiniClusterArgs>) =>
    placesWhere(await register(args, true), (value) => value === unknownOnTheWire).sort();
  const template = "spec.template.spec";

  it("is nothing, when every argument is known", async () => assert.deepEqual(await unknowns({}), []));

  it("is an unknown image, and the hash that will tell when it changes", async () =>
    assert.deepEqual(await unknowns({ containers: [aContainer({ image: unknownOutput() })] }), [
      `Job demo.${template}.containers.0.image`,
      "JobPatch demo-size.metadata.annotations.minicluster/leaf-hash",
    ]));

  it("is an unknown variable, in the Secret that carries it", async () => {
    const seen = await register({ containers: [aContainer({ environment: { A: unknownOutput() } })] }, true);
    const found = placesWhere(seen, (value) => value === unknownOnTheWire).sort();
    assert.deepEqual(found, [
      "Job demo.spec.template.metadata.annotations.minicluster/environment-hash",
      "JobPatch demo-size.metadata.annotations.minicluster/leaf-hash",
      "Secret demo-environment.data",
    ]);
    const variables = valueAt(inputsOf(seen, "Job demo"), `${template}.containers[0].env`);
    assert.equal((variables as unknown[]).length, 2);
  });
});
