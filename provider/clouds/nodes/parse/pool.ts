import { z } from "zod";
import {
  absolutePath,
  amount,
  choice,
  dnsLabel,
  flag,
  integer,
  knownInTime,
  labelValue,
  leaf,
  list,
  map,
  nonEmptyText,
  object,
  objectName,
  plainValue,
  qualifiedName,
  quantity,
  text,
  variableName,
} from "../../../shared/checks";
import { isDeferred } from "../../../shared/deferred";
import { NodePoolFabric, MiniClusterArch, MiniClusterTaintEffect } from "../args";

/** A price above 0. */
export const price = z
  .number({
    error: ({ input }) => `must be a number, in a currency of your choice${isDeferred(input) ? knownInTime : ""}`,
  })
  .refine((value) => Number.isFinite(value) && value > 0, { error: "must be above 0" });

/** A currency as ISO 4217 names it. */
export const currency = text.refine((code) => /^[A-Z]{3}$/.test(code), {
  error: ({ input }) => `${JSON.stringify(input)} must be a currency of ISO 4217 such as "USD"`,
});

/** A price of the user. */
export const givenPrice = object({
  perHour: price,
  currency: currency.optional(),
  source: nonEmptyText.optional(),
});

/** A taint of the nodes. */
export const taint = object({
  key: qualifiedName,
  value: leaf(labelValue).optional(),
  effect: choice(MiniClusterTaintEffect),
});

/** Fields of the hardware of a node. */
export const nodeFields = {
  arch: choice(MiniClusterArch).optional(),
  vcpus: integer(1, 100_000).optional(),
  cores: integer(1, 100_000).optional(),
  memoryMib: integer(1, Number.MAX_SAFE_INTEGER).optional(),
  gpus: integer(0, 1000).optional(),
  gpuModel: nonEmptyText.optional(),
  fabric: choice(NodePoolFabric).optional(),
  fabricInterfaces: integer(0, 1000).optional(),
};

const node = object({
  ...nodeFields,
  gpus: nodeFields.gpus.default(0),
  fabricInterfaces: nodeFields.fabricInterfaces.default(0),
});

const claim = object({ name: dnsLabel, deviceClass: objectName, count: integer(1, 1000).default(1) });

/** Check that the names of claims are unique: they are requests of one claim. */
function oneClaimByName({ value, issues }: z.core.ParsePayload<{ name: string }[]>): void {
  for (const [index, { name }] of value.entries())
    if (value.findIndex((other) => other.name === name) !== index)
      issues.push({
        code: "custom",
        path: [index, "name"],
        message: `duplicate name "${name}"; use another`,
        input: name,
      });
}

// AllocationResultsMaxSize of resource.k8s.io/v1.
const maxDevicesOfClaim = 32;

/** Check that the devices fit one claim of Kubernetes. */
function fitsOneClaim({ value, issues }: z.core.ParsePayload<{ count: number }[]>): void {
  const devices = value.reduce((sum, { count }) => sum + count, 0);
  if (devices > maxDevicesOfClaim)
    issues.push({
      code: "custom",
      message: `${devices} devices are above the ${maxDevicesOfClaim} of one claim; lower count, and raise claimSets`,
      input: value,
    });
}

/** Check for integer numbers of devices, which are indivisible. */
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
  "a cluster has one pool, because all pods of a Job have the same template; for nodes of another kind, use groups or join " +
  "a second cluster (bursting)";

const notYetKnown =
  "must be the scheduling output of a node pool itself, known before anything is created; this is an output of another " +
  'resource or stack, or the result of an apply: for a pool of another stack, use await ref.requireOutputValue("…"), which is a ' +
  "plain value, in place of requireOutput";

const poolProblem = (pool: unknown) =>
  Array.isArray(pool) ? onePool : "must be an object with properties: the output scheduling of a node pool";

const fields = object(
  {
    pool: dnsLabel,
    machineType: nonEmptyText.optional(),
    pricePerHour: price.optional(),
    currency: currency.optional(),
    nodeSelector: map(qualifiedName, labelValue).refine((labels) => Object.keys(labels).length > 0, {
      error: "needs at least one label that only the nodes of the pool have; add one",
    }),
    taints: list(taint).default([]),
    node: node.default({ gpus: 0, fabricInterfaces: 0 }),
    zones: list(nonEmptyText).optional(),
    nodes: integer(0, 100_000).optional(),
    maxNodes: integer(1, 100_000).optional(),
    resources: map(qualifiedName, quantity).check(wholeDevices).default({}),
    gpusPerContainer: integer(1, 1000).optional(),
    claims: list(claim).check(oneClaimByName, fitsOneClaim).default([]),
    claimSets: integer(1, 32).default(1),
    matchAttributes: list(nonEmptyText).default([]),
    computeDomain: flag.default(false),
    environment: map(variableName, text).default({}),
    annotations: map(qualifiedName, text).default({}),
    hostPaths: map(absolutePath, absolutePath).default({}),
    setupScripts: list(absolutePath).default([]),
    topologyLevels: list(qualifiedName).optional(),
    localDisk: object({ gb: integer(1, 10_000_000), storageClass: objectName.optional() }).optional(),
    lockMemory: flag.default(false),
    interruption: object({ noticeSeconds: integer(1, 86_400), evicts: flag.default(false) }).optional(),
    staticCpu: flag.default(false),
  },
  poolProblem,
);

/** A parsed pool, with all values known. */
export type PoolSpec = z.output<typeof fields>;

/** The argument `pool` of a cluster: a plain value, or the output `scheduling` of a node pool of this package. */
export const pool = plainValue(fields, notYetKnown);

const isNeuron = (resource: string) => /^aws\.amazon\.com\/neuron\w*$/.test(resource);

/** True for a resource by which Kubernetes counts GPUs and other accelerators. */
export const isAccelerator = (resource: string) => /^(nvidia|amd)\.com\/gpu$/.test(resource) || isNeuron(resource);

/**
 * True for a device that Kubernetes counts on each node and that one container uses exclusively. RDMA devices may be
 * shared.
 */
export const isCountedDevice = (resource: string) => isAccelerator(resource) || resource === "vpc.amazonaws.com/efa";

/** True for two resources that count the same hardware: AWS's plugin counts Neuron hardware per device and per core. */
export const isSameHardware = (one: string, other: string) => one === other || (isNeuron(one) && isNeuron(other));

/** True for a resource with integer amounts: every resource that Kubernetes does not define itself. */
const isExtended = (resource: string) => resource.includes("/") && !resource.includes("kubernetes.io/");

/** Message for a fraction of a resource with integer amounts. */
export const wholeNumber = "must be an integer; devices are indivisible";

/** True for a fraction of a resource with integer amounts. */
export function isFraction(resource: string, quantity: unknown): boolean {
  const count = isExtended(resource) ? amount(quantity) : undefined;
  return count !== undefined && !Number.isInteger(count);
}
