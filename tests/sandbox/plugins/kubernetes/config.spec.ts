import * as assert from "node:assert/strict";
import { checkSettings, diffSettings, parseSettings } from "./config";

const kubeconfig = (server: string, user = "u") =>
  JSON.stringify({
    clusters: [{ name: "c", cluster: { server } }],
    contexts: [{ name: "x", context: { cluster: "c", user } }],
    users: [{ name: user, user: { token: user } }],
    "current-context": "x",
  });

describe("the kubernetes stand-in's settings", () => {
  it("use server-side apply and immutable data unless told otherwise", () => {
    const settings = parseSettings({}, {});
    assert.equal(settings.serverSideApply, true);
    assert.equal(settings.configMapMutable, false);
    assert.equal(parseSettings({}, { PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE: "true" }).configMapMutable, true);
  });

  it("prefer the provider's argument to the environment", () => {
    const variables = { "kubernetes:config:enableSecretMutable": "false" };
    assert.equal(parseSettings(variables, { PULUMI_K8S_ENABLE_SECRET_MUTABLE: "true" }).secretMutable, false);
  });

  it("refuse a cluster for rendering", () => {
    const failures = checkSettings({ renderYamlToDirectory: "out", context: "prod" });
    assert.deepEqual(failures, [
      { property: "context", reason: '"context" arg is not compatible with "renderYamlToDirectory" arg' },
    ]);
  });

  it("replace everything when the cluster is another one", () => {
    const diff = diffSettings({ kubeconfig: kubeconfig("https://a") }, { kubeconfig: kubeconfig("https://b") });
    assert.deepEqual(diff.replaces, ["kubeconfig"]);
  });

  it("replace nothing when only the credentials changed", () => {
    const diff = diffSettings({ kubeconfig: kubeconfig("https://a") }, { kubeconfig: kubeconfig("https://a", "v") });
    assert.equal(diff.changed, true);
    assert.deepEqual(diff.replaces, []);
  });

  it("replace everything when the directory is another one", () => {
    const diff = diffSettings({ renderYamlToDirectory: "a" }, { renderYamlToDirectory: "b" });
    assert.deepEqual(diff.replaces, ["renderYamlToDirectory"]);
  });
});
