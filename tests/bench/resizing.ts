import * as fs from "node:fs";
import { type MiniClusterArgs, MiniClusterWait } from "../../provider";
import { changes } from "../support/clusters";
import type { OperationResult, TestStack } from "../support/engine";
import { aMiniClusterArgs } from "../support/fixtures";
import { clusterProgram } from "../support/programs";
import type { Lab } from "./lab";

/** The operations that are measured. */
export const operations = ["preview of create", "create", "preview of resize", "resize"] as const;

/** What came out at one size. */
export interface Resizing {
  size: number;
  /** Whether the cluster had its pods, or was paused and not waited for. */
  pods: boolean;
  /** Milliseconds of each run. */
  times: Record<(typeof operations)[number], number[]>;
  /** Resources by kind. */
  kinds: Map<string, number>;
  configMap: Bytes;
  state: Bytes;
  /** What the preview of the resize showed. */
  updates: number;
  replacements: number;
}

/** How much an object takes, as it is and for the comparison between sizes. */
interface Bytes {
  all: number;
  beyondDigits: number;
}

/** Creates a cluster and makes it one pod smaller, several times. */
export async function measureResizing(lab: Lab, size: number, pods: boolean): Promise<Resizing> {
  return lab.withStack(async (stack) => {
    const rounds: Round[] = [];
    while (rounds.length < lab.effort.runs) {
      rounds.push(await measureRound(lab, stack, size, pods));
    }
    const { results, ...last } = rounds.at(-1) as Round;
    const times = Object.fromEntries(
      operations.map((operation, i) => [operation, rounds.map((round) => round.results[i]?.durationMs ?? NaN)]),
    ) as Resizing["times"];
    const resize = changes(results[2]);
    return {
      ...{ size, pods, times, ...last, kinds: countKinds(results[0]) },
      updates: resize.filter((change) => change.startsWith("update ")).length,
      replacements: resize.length - resize.filter((change) => change.startsWith("update ")).length,
    };
  });
}

interface Round {
  results: [OperationResult, OperationResult, OperationResult, OperationResult];
  configMap: Bytes;
  state: Bytes;
}

async function measureRound(lab: Lab, stack: TestStack, size: number, pods: boolean): Promise<Round> {
  const namespace = await lab.newNamespace();
  const paused: Partial<MiniClusterArgs> = pods ? {} : { suspend: true, wait: MiniClusterWait.None };
  const program = (to: number) => clusterProgram(aMiniClusterArgs({ namespace, size: to, maxSize: size, ...paused }));
  stack.program = program(size);
  const created = [await lab.operate(stack, "preview"), await lab.operate(stack, "up")] as const;
  const configMap = await lab.kube.get({ apiVersion: "v1", kind: "ConfigMap", name: "demo-entrypoint", namespace });
  const state: unknown = JSON.parse(fs.readFileSync(stack.statePath, "utf8"));
  const bytes = {
    configMap: { all: bytesOf(configMap), beyondDigits: bytesBeyondDigits(configMap, size) },
    state: { all: stack.stateSize, beyondDigits: bytesBeyondDigits(state, size) },
  };
  stack.program = program(size - 1);
  const resized = [await lab.operate(stack, "preview"), await lab.operate(stack, "up")] as const;
  refuseMoreThanUpdates(resized[0], size);
  await lab.operate(stack, "destroy");
  await lab.untilEmpty(namespace);
  return { results: [...created, ...resized], ...bytes };
}

function refuseMoreThanUpdates(preview: OperationResult, size: number): void {
  const found = changes(preview).join(", ");
  const expected = "update ConfigMapPatch, update JobPatch";
  if (found !== expected) throw new Error(`the preview of ${size} to ${size - 1} shows "${found}", not "${expected}"`);
}

/** Resources by kind, without the stack and the providers, of which a program has one each. */
export function countKinds({ steps }: OperationResult): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const { type } of steps) {
    if (type.startsWith("pulumi:")) continue;
    const kind = type.split(":").at(-1) as string;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}

/** What the API server and the engine write down by themselves: when, by whom, how often, and how it goes. */
const notOurs = new Set([
  ...["status", "managedFields", "resourceVersion", "generation", "creationTimestamp"],
  ...["created", "modified", "time"],
]);

/** Bytes of an object's JSON. */
export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** As `bytesOf`, of what depends on the arguments alone, with a size and the highest rank written in one character each. */
export function bytesBeyondDigits(value: unknown, size: number): number {
  const ours = JSON.stringify(value, (key, item: unknown) => (notOurs.has(key) ? undefined : item));
  return Buffer.byteLength(ours.replace(new RegExp(`\\b(${size}|${size - 1})\\b`, "g"), "#"));
}

/** Throws if anything takes more bytes at a greater size. */
export function refuseGrowth(what: string, bytes: { size: number; bytes: number }[]): void {
  const [smallest, ...greater] = bytes;
  for (const one of greater) {
    if (!smallest || one.bytes <= smallest.bytes) continue;
    const more = one.bytes - smallest.bytes;
    throw new Error(`${what} takes ${more} bytes more at size ${one.size} than at size ${smallest.size}`);
  }
}
