import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { type ClusterChoice, connectionFor } from "../../../provider/shared/kubeconfig";

const server = "https://a:6443";
const kubeconfig = (user: object, cluster: object = {}) =>
  JSON.stringify({
    "current-context": "one",
    clusters: [
      { name: "a", cluster: { server, ...cluster } },
      { name: "b", cluster: { server: "https://b:6443" } },
    ],
    contexts: [
      { name: "one", context: { cluster: "a", user: "me" } },
      { name: "two", context: { cluster: "b", user: "nobody" } },
    ],
    users: [{ name: "me", user }],
  });
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("the connection of a kubeconfig", () => {
  const certificates = { "client-certificate-data": base64("c"), "client-key-data": base64("k") };
  const authority = { "certificate-authority-data": base64("ca"), "insecure-skip-tls-verify": true };
  const [ca, cert, key] = ["ca", "c", "k"].map((text) => Buffer.from(text));
  const ofB = { server: "https://b:6443", insecure: false };
  const withToken = kubeconfig({ token: "t" });
  const cases: [name: string, choice: ClusterChoice, connection: object | undefined][] = [
    ["has a token", { kubeconfig: withToken }, { server, insecure: false, token: "t" }],
    [
      "has certificates",
      { kubeconfig: kubeconfig(certificates, authority) },
      { server, insecure: true, ca, cert, key },
    ],
    ["is that of the context", { kubeconfig: withToken, context: "two" }, ofB],
    ["is to the cluster", { kubeconfig: withToken, cluster: "b" }, { ...ofB, token: "t" }],
    ["is none for a context that it does not have", { kubeconfig: withToken, context: "three" }, undefined],
  ];
  for (const [name, choice, connection] of cases)
    it(name, async () => assert.deepEqual(await connectionFor(choice), connection));

  it("has the token that a command gives, which knows what is asked of it", async () => {
    const script = `const { kind } = JSON.parse(process.env.KUBERNETES_EXEC_INFO); console.log(JSON.stringify({ status: { token: kind + process.env.MORE } }))`;
    const started = { command: process.execPath, args: ["-e", script], env: [{ name: "MORE", value: "!" }] };
    const exec = { apiVersion: "client.authentication.k8s.io/v1", ...started };
    const found = await connectionFor({ kubeconfig: kubeconfig({ exec }) });
    assert.equal(found?.token, "ExecCredential!");
  });

  it("comes from a file, whose paths are relative to it", async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "kubeconfig-"));
    try {
      fs.writeFileSync(path.join(directory, "token"), "t\n");
      fs.writeFileSync(path.join(directory, "config"), kubeconfig({ tokenFile: "token" }));
      assert.equal((await connectionFor({ kubeconfig: path.join(directory, "config") }))?.token, "t");
    } finally {
      fs.rmSync(directory, { recursive: true });
    }
  });
});
