import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { renderCurveCertificate } from "../../provider/core/parse/curveCertificate";
import type { KubeObject } from "../sandbox/kube";
import { type ClusterUnderTest, failure, withCluster, withStack } from "../support/clusters";
import { needlesOf } from "../support/needles";
import { ownPlugin } from "../support/plugin";
import { RemoteMiniCluster, smallArgs } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";

/** Where the search has looked, and what was there. */
type Finds = Map<string, string>;

describe("The certificate", function () {
  this.timeout(90_000);

  it("of a cluster's own is in its Secret, and in nothing else that a run leaves", () =>
    withCluster({ size: 1, maxSize: 4, logging: { debug: true, zeromq: true } }, async (cluster) => {
      const finds = await liveWith(cluster, () => cluster.change({ size: 2, maxSize: 4 }));
      const { certificate, ...others } = await secretsOf(cluster);
      assert.match(certificate, /secret-key = "[^"]{40}"/);
      expectNowhere(finds, Object.values(others));
    }));

  it("that a user gives is used as it is, and shown as little", () => {
    const certificate = renderCurveCertificate("elsewhere", Buffer.alloc(32, 11));
    const other = renderCurveCertificate("elsewhere", Buffer.alloc(32, 12));
    return withCluster({ flux: { curveCert: certificate } }, async (cluster) => {
      const finds = await liveWith(cluster, () => cluster.change({ flux: { curveCert: pulumi.output(other) } }));
      const { certificate: seen, ...others } = await secretsOf(cluster);
      assert.equal(seen, other);
      expectNowhere(finds, [...needlesOf(certificate), ...Object.values(others)]);
    });
  });

  it("of the wrong form is refused before any pod is created where it is only known later", () =>
    withStack(
      async (stack, namespace) => {
        const curveCert = pulumi.output(Promise.resolve("curve\n    secret-key = a-secret"));
        stack.program = () => new RemoteMiniCluster("demo", smallArgs({ namespace, flux: { curveCert } }));
        const { message } = await failure(stack.up());
        assert.match(message, /MiniCluster demo: flux\.curveCert is not a curve certificate/);
        assert.doesNotMatch(message, /a-secret/);
        const { kube } = sharedCluster();
        assert.deepEqual(await kube.list({ apiVersion: "batch/v1", kind: "Job", namespace }), []);
      },
      { plugins: ownPlugin() },
    ));
});

/**
 * Everything that a life leaves: what people and tools see of each operation, the files of the stack, the live objects.
 */
async function liveWith({ stack, namespace }: ClusterUnderTest, change: () => void): Promise<Finds> {
  const finds: Finds = new Map();
  const operate = async (name: string, operation: "preview" | "up" | "refresh") => {
    const events: unknown[] = [];
    // The SDK sends the engine, as "debug" events, every answer that it gets, secrets of any program included.
    const onEvent = (event: EngineEvent) => {
      if ((event.diagnosticEvent?.severity as string | undefined) !== "debug") events.push(event);
    };
    const options = { diff: true, onEvent };
    const { stdout, stderr, diagnostics } = await stack[operation](options);
    finds.set(`${name} stdout`, stdout).set(`${name} stderr`, stderr);
    finds.set(`${name} diagnostics`, JSON.stringify(diagnostics)).set(`${name} events`, JSON.stringify(events));
  };
  await operate("first preview", "preview");
  await operate("first up", "up");
  change();
  await operate("second preview", "preview");
  await operate("second up", "up");
  await operate("refresh", "refresh");
  for (const file of filesBelow(stack.directory)) finds.set(file, fs.readFileSync(file, "latin1"));
  for (const object of await objectsIn(namespace))
    if (!(object.kind === "Secret")) finds.set(`${object.kind} ${object.metadata.name}`, JSON.stringify(object));
  return finds;
}

function filesBelow(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}

async function objectsIn(namespace: string): Promise<(KubeObject & { kind: string })[]> {
  const { kube } = sharedCluster();
  const kinds = ["ConfigMap", "Secret", "Service", "Pod", "Event", "Job"];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const apiVersion = kind === "Job" ? "batch/v1" : "v1";
      return (await kube.list({ apiVersion, kind, namespace })).map((object) => ({ ...object, kind }));
    }),
  );
  return lists.flat();
}

/** The certificate of a cluster, and every form in which it might turn up somewhere. */
async function secretsOf({ object }: ClusterUnderTest): Promise<{ certificate: string } & Record<string, string>> {
  const { data } = (await object("Secret", "demo-curve")) as unknown as { data: Record<string, string> };
  const certificate = Buffer.from(data["curve.cert"] ?? "", "base64").toString();
  return { certificate, ...Object.fromEntries(needlesOf(certificate).entries()) };
}

function expectNowhere(finds: Finds, needles: string[]): void {
  assert.ok(finds.size > 15, "there was something to search");
  assert.ok(
    [...finds.values()].some((text) => text.includes("demo-curve")),
    "the search would see the Secret's name",
  );
  const holders = [...finds].filter(([, text]) => needles.some((needle) => text.includes(needle)));
  assert.deepEqual(
    holders.map(([place]) => place),
    [],
  );
}
