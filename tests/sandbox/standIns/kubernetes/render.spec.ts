import * as assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { newEngine, type Said } from "./clusterFixture";
import { EngineDouble } from "./engineDouble";
import { kubernetesBackend } from "./provider";

const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "job" },
  spec: { completions: 4, template: { spec: { restartPolicy: "Never" } } },
};

describe("the kubernetes stand-in that renders to a directory", () => {
  let directory: string;
  let engine: EngineDouble;
  const manifests = () => readdirSync(join(directory, "1-manifest"));
  const manifest = () => parse(readFileSync(join(directory, "1-manifest", manifests()[0] ?? ""), "utf8")) as unknown;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "render-"));
    engine = new EngineDouble(kubernetesBackend("1.0.0", () => undefined));
    await engine.backend.configure({ "kubernetes:config:renderYamlToDirectory": directory });
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it("writes one file per object, named by version, kind, namespace and name", async () => {
    await engine.create("kubernetes:batch/v1:Job", "job", job);
    assert.deepEqual(manifests(), ["batch_v1-job-default-job.yaml"]);
    assert.deepEqual(manifest(), { ...job, metadata: { name: "job", namespace: "default" } });
  });

  it("puts definitions of kinds into a directory of their own", async () => {
    const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "a.b" } };
    await engine.create("kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition", "crd", crd);
    const [file] = readdirSync(join(directory, "0-crd"));
    assert.equal(file, "apiextensions.k8s.io_v1-customresourcedefinition-default-a.b.yaml");
  });

  it("overwrites the file of the object that a Patch resource patches", async () => {
    await engine.create("kubernetes:batch/v1:Job", "job", job);
    await engine.create("kubernetes:batch/v1:JobPatch", "scale", { ...job, spec: { completions: 6 } });
    assert.equal(manifests().length, 1);
    assert.deepEqual((manifest() as typeof job).spec, { completions: 6 });
  });

  it("writes the file anew on an update and removes it in the end", async () => {
    const known = await engine.create("kubernetes:batch/v1:Job", "job", job);
    const updated = await engine.update(known, { ...job, spec: { ...job.spec, completions: 6 } });
    assert.equal((manifest() as typeof job).spec.completions, 6);
    await engine.delete(updated);
    assert.deepEqual(manifests(), []);
  });

  it("writes in a preview, too, where there is an API server, and says so", async () => {
    const settings = { "kubernetes:config:renderYamlToDirectory": directory };
    const said: Said[] = [];
    const online = await newEngine(settings, said);
    await online.previewCreate("kubernetes:batch/v1:Job", "job", job);
    const [file = ""] = manifests();
    assert.equal(file, "batch_v1-job-default-job.yaml");
    const status = `rendered ${join(directory, "1-manifest", file)}`;
    assert.deepEqual(said, [{ severity: "info", message: status, kind: "status" }]);
  });

  it("writes nothing in a preview without one, where it cannot tell what there is", async () => {
    await engine.previewCreate("kubernetes:batch/v1:Job", "job", job);
    assert.deepEqual(readdirSync(directory), []);
  });
});
