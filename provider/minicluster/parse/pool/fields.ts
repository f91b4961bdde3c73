import { z } from "zod";
import {
  absolutePath,
  choice,
  dnsLabel,
  flag,
  integer,
  labelValue,
  list,
  map,
  nonEmptyText,
  object,
  plainValue,
  qualifiedName,
  quantity,
  text,
  variableName,
} from "../../../shared/checks";
import { isFraction, wholeNumber } from "./quantities";
import { MiniClusterArch, MiniClusterTaintEffect, NodePoolFabric } from "../../args";

const taint = object({
  key: qualifiedName,
  value: labelValue.optional(),
  effect: choice(MiniClusterTaintEffect),
});

const node = object({
  arch: choice(MiniClusterArch),
  vcpus: integer(1, 100_000),
  cores: integer(1, 100_000),
  memoryMib: integer(1, Number.MAX_SAFE_INTEGER),
  gpus: integer(0, 1000).default(0),
  gpuModel: nonEmptyText.optional(),
  fabric: choice(NodePoolFabric).optional(),
  fabricInterfaces: integer(0, 1000).default(0),
});

/** Check for whole numbers of devices: a container is given what the nodes have, and none can have a part of a device. */
function wholeDevices({ value, issues }: z.core.ParsePayload<Record<string, string>>): void {
  for (const [name, quantity] of Object.entries(value))
    if (isFraction(name, quantity))
      issues.push({
        code: "custom",
        path: [name],
        message: `${JSON.stringify(quantity)} ${wholeNumber}`,
        input: quantity,
      });
}

const onePool =
  "a cluster runs on one pool: the pods of a Job are all alike; for nodes of another kind, join a second cluster to " +
  "this one (bursting)";

const notYetKnown =
  "must be the scheduling output of a node pool itself, known before anything is created; this is an output of another " +
  "resource, or what apply has made of one";

const poolProblem = (pool: unknown) => (Array.isArray(pool) ? onePool : "must be an object with properties");

const fields = object(
  {
    pool: dnsLabel,
    nodeSelector: map(qualifiedName, labelValue).refine((labels) => Object.keys(labels).length > 0, {
      error: "needs at least one label that only the nodes of the pool have; add one",
    }),
    taints: list(taint).default([]),
    node,
    nodes: integer(0, 100_000).optional(),
    maxNodes: integer(1, 100_000).optional(),
    resources: map(qualifiedName, quantity).check(wholeDevices).default({}),
    environment: map(variableName, text).default({}),
    annotations: map(qualifiedName, text).default({}),
    hostPaths: map(absolutePath, absolutePath).default({}),
    lockMemory: flag.default(false),
    staticCpu: flag.default(false),
  },
  poolProblem,
);

/** A parsed pool, all of it known. */
export type PoolSpec = z.output<typeof fields>;

/** The pool of a cluster, either plain or the output of a component of this package. */
export const pool = plainValue(fields, notYetKnown);
