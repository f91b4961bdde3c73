import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { changes, stepOf, withCluster } from "../support/clusters";
import { aContainer } from "../support/fixtures";
import { inputPaths, isSecret, isUnknown } from "../support/engineResult";

const container = "Job.spec.template.spec.containers.0";

describe("A value that is only known later", () => {
  it("leaves everything else of the preview known when it is the image", () =>
    withCluster({ size: 2, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 3, maxSize: 4 });
      await cluster.stack.up();

      cluster.change(() => {
        const tag = new random.RandomString("tag", { length: 5, special: false, upper: false });
        return { size: 3, maxSize: 4, containers: [aContainer({ image: pulumi.interpolate`app:${tag.result}` })] };
      });
      const preview = await cluster.stack.preview();
      // The digest of what is only known later is itself only known later; it makes the patch run again.
      assert.deepEqual(inputPaths(preview, isUnknown), [
        `${container}.image`,
        "JobPatch.metadata.annotations.minicluster/leaf-hash",
      ]);

      await cluster.stack.up();
      const job = await cluster.job();
      assert.match(JSON.stringify(job.spec.template), /"app:[a-z0-9]{5}"/);
      assert.equal(job.spec.completions, 3);
    }));
});

describe("A secret", () => {
  const secretValue = "correct horse battery staple";
  const withSecret = (value: string) => ({
    size: 2,
    maxSize: 4,
    containers: [aContainer({ environment: { PLAIN: "plain", TOKEN: pulumi.secret(value) } })],
  });

  it("is shown as a secret in an environment variable, and nothing else is", () =>
    withCluster({}, async (cluster) => {
      cluster.change(withSecret(secretValue));
      const up = await cluster.stack.up();
      assert.deepEqual(inputPaths(up, isSecret), ["Secret.data"]);
      const secret = (await cluster.object("Secret", "demo-environment")) as { data?: Record<string, string> };
      assert.equal(Buffer.from(secret.data?.["demo.TOKEN"] ?? "", "base64").toString(), secretValue);
      const state = fs.readFileSync(cluster.stack.statePath, "utf8");
      assert.ok(!state.includes(secretValue) && !up.stdout.includes(secretValue));
    }));

  it("that changes replaces the Job at the present size", () =>
    withCluster({}, async (cluster) => {
      cluster.change(withSecret(secretValue));
      await cluster.stack.up();
      cluster.change({ ...withSecret(secretValue), size: 3 });
      await cluster.stack.up();
      cluster.change({ ...withSecret("another"), size: 3 });
      const up = await cluster.stack.up();
      assert.equal(stepOf(up, "JobPatch").op, "update");
      assert.equal((await cluster.job()).spec.completions, 3);
    }));

  it("is all that is ever seen of the certificate", () =>
    withCluster({ size: 2 }, async (cluster) => {
      const preview = await cluster.stack.preview({ diff: true });
      const up = await cluster.stack.up({ diff: true });
      const secret = (await cluster.object("Secret", "demo-curve")) as { data?: Record<string, string> };
      const encoded = secret.data?.["curve.cert"] ?? "";
      const certificate = Buffer.from(encoded, "base64").toString();
      const keys = [...certificate.matchAll(/-key = "(.{40})"/g)].map(([, key]) => key as string);
      assert.equal(keys.length, 2);

      const configMap = JSON.stringify(await cluster.object("ConfigMap", "demo-entrypoint"));
      const state = fs.readFileSync(cluster.stack.statePath, "utf8");
      const events = JSON.stringify([preview, up]);
      for (const text of [preview.stdout, up.stdout, up.stderr, configMap, state, events])
        for (const key of [...keys, encoded]) assert.ok(!text.includes(key));
      assert.deepEqual(changes(await cluster.stack.preview()), []);
      const again = (await cluster.object("Secret", "demo-curve")) as { data?: Record<string, string> };
      assert.equal(again.data?.["curve.cert"], encoded);
    }));
});
