import * as assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ambientKubeconfig, connectionFrom, readKubeconfig } from "./kubeconfig";

const text = `
current-context: dev
clusters:
  - { name: one, cluster: { server: "https://one/", certificate-authority: ca.crt } }
  - { name: two, cluster: { server: "https://two", insecure-skip-tls-verify: true } }
contexts:
  - { name: dev, context: { cluster: one, user: u, namespace: team } }
  - { name: prod, context: { cluster: two, user: u } }
users:
  - { name: u, user: { token: t } }
`;

const first = { context: "", cluster: "" };

describe("a kubeconfig", () => {
  let directory: string;
  let path: string;
  const before = process.env.KUBECONFIG;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "kubeconfig-"));
    path = join(directory, "config");
    writeFileSync(path, text);
    writeFileSync(join(directory, "ca.crt"), "certificate");
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
    if (before === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = before;
  });

  it("can be a file, whose relative paths start at its directory", () => {
    const connection = connectionFrom(readKubeconfig(path), first);
    assert.equal(connection.server, "https://one");
    assert.equal(connection.ca?.toString(), "certificate");
    assert.deepEqual([connection.token, connection.namespace], ["t", "team"]);
  });

  it("can be text, with another context than its own", () => {
    const connection = connectionFrom(readKubeconfig(text), { context: "prod", cluster: "" });
    assert.deepEqual([connection.server, connection.insecure, connection.namespace], ["https://two", true, ""]);
  });

  it("has to have the context", () =>
    assert.throws(
      () => connectionFrom(readKubeconfig(text), { context: "test", cluster: "" }),
      /"test" does not exist/,
    ));

  it("is taken from the environment, merged from several files", () => {
    const other = join(directory, "other");
    writeFileSync(other, "{ current-context: extra, contexts: [{ name: extra, context: { cluster: two } }] }");
    process.env.KUBECONFIG = `${other}:${path}:${join(directory, "none")}`;
    assert.equal(connectionFrom(ambientKubeconfig(), first).server, "https://two");
  });

  it("that names no cluster leads nowhere", () => {
    process.env.KUBECONFIG = join(directory, "none");
    assert.throws(() => connectionFrom(ambientKubeconfig(), first), /no configuration has been provided/);
  });
});
