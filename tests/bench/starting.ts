import * as pulumi from "@pulumi/pulumi";
import type { TestStack } from "../support/engine";
import { aMiniClusterArgs } from "../support/fixtures";
import type { Kube, KubeObject, NewObject } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";
import { manifestsOf } from "../support/manifests";
import { clusterProgram } from "../support/programs";
import type { Lab } from "./lab";
import { median, seconds, timesTaken, type Table } from "./report";

/** Milliseconds from the start until everything was asked for, and until the last pod was Ready. */
interface Start {
  returned: number;
  ready: number;
}

/** Time from nothing to Ready pods, with Pulumi and with the plain requests that it cannot do without. */
export async function measureStarts(lab: Lab): Promise<Table> {
  const rows: Table["rows"] = [];
  for (const size of lab.effort.startSizes) rows.push([size, ...(await compareStarts(lab, size)).map(seconds)]);
  return {
    title: `From nothing to Ready pods, seconds (${timesTaken("median", lab.effort.runs)}, the two taken in turn)`,
    columns: ["pods", "Ready with up", "up returned", "Ready with requests", "requests done", "up adds to Ready"],
    rows,
    notes: [
      "Requests: the same Secret, Service, ConfigMap and Job, built beforehand and created one after the other by plain " +
        "HTTPS requests. Ready is what polling the pods on the API server shows. Simulated pods pull no images and start " +
        "no brokers: the figures are the cost of the control plane and of the engine, on the same cores.",
    ],
  };
}

async function compareStarts(lab: Lab, size: number): Promise<number[]> {
  const ups: Start[] = [];
  const plain: Start[] = [];
  await lab.withStack(async (stack) => {
    for (let round = 0; round < lab.effort.runs; round++) {
      ups.push(await startWithPulumi(lab, stack, size));
      plain.push(await startWithRequests(lab, size));
    }
  });
  const [up, requests] = [ups, plain].map(medians) as [Start, Start];
  return [up.ready, up.returned, requests.ready, requests.returned, up.ready - requests.ready];
}

const medians = (starts: Start[]): Start => ({
  returned: median(starts.map(({ returned }) => returned)),
  ready: median(starts.map(({ ready }) => ready)),
});

async function startWithPulumi(lab: Lab, stack: TestStack, size: number): Promise<Start> {
  const namespace = await lab.newNamespace();
  stack.program = clusterProgram(aMiniClusterArgs({ namespace, size }));
  const start = await timeStart(lab.kube, namespace, size, () => lab.operate(stack, "up"));
  await lab.operate(stack, "destroy");
  await lab.untilEmpty(namespace);
  return start;
}

async function startWithRequests(lab: Lab, size: number): Promise<Start> {
  const namespace = await lab.newNamespace();
  const objects = await plainObjects(namespace, size);
  const start = await timeStart(lab.kube, namespace, size, async () => {
    for (const object of objects) await lab.kube.create(object);
  });
  for (const { apiVersion, kind, metadata } of objects) {
    await lab.kube.delete({ apiVersion, kind, namespace, name: metadata.name });
  }
  await lab.untilEmpty(namespace);
  return start;
}

async function timeStart(kube: Kube, namespace: string, size: number, work: () => Promise<unknown>): Promise<Start> {
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  const [returned, ready] = await Promise.all([
    work().then(elapsed),
    waitFor(`${size} Ready pods`, () => areReady(kube, namespace, size), 120_000, 25).then(elapsed),
  ]);
  return { returned, ready };
}

async function areReady(kube: Kube, namespace: string, size: number): Promise<boolean> {
  // To list hundreds of pods over and over would slow down what is measured: they are counted until all are there.
  const { items, metadata } = await kube.request<{
    items: KubeObject[];
    metadata: { remainingItemCount?: number };
  }>("GET", `/api/v1/namespaces/${namespace}/pods?limit=1`);
  if (items.length + (metadata.remainingItemCount ?? 0) < size) return false;
  const pods = await kube.podsOfJob(namespace, "demo");
  return pods.filter(({ ready }) => ready).length === size;
}

/** The objects of a cluster as the API server takes them. The patches are left out: they set what is set already. */
async function plainObjects(namespace: string, size: number): Promise<NewObject[]> {
  const { secret, service, configMap, job } = await resolved(manifestsOf({ namespace, size }));
  return [
    { apiVersion: "v1", kind: "Secret", ...secret },
    { apiVersion: "v1", kind: "Service", ...service },
    { apiVersion: "v1", kind: "ConfigMap", ...configMap },
    { apiVersion: "batch/v1", kind: "Job", ...job },
  ] as NewObject[];
}

const resolved = <T>(value: pulumi.Input<T>) =>
  new Promise<pulumi.Unwrap<T>>((resolve) => pulumi.output(value).apply((plain) => resolve(plain)));
