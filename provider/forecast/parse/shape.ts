/** The request of a job: hosts with an amount on each, or slots that may share a host. */
export interface Shape {
  onHosts: boolean;
  units: number;
  cores: number;
  gpus: number;
  exclusive: boolean;
}

/** Cores and GPUs. */
export interface Amounts {
  cores: number;
  gpus: number;
}

interface Vertex {
  type: unknown;
  count?: unknown;
  exclusive?: unknown;
  with?: unknown;
}

/**
 * Shape of the resources of a jobspec (RFC 14 of Flux), whose counts multiply from level to level. It is the shape that
 * `shape_of` of core/programs/planning.py finds. Throws for resources that are not supported.
 */
export function shapeOf(resources: unknown, times = 1): Shape {
  const vertices = verticesOf(resources);
  const [vertex] = vertices;
  if (vertex === undefined || vertices.length > 1) throw new Error("unsupported: several resources side by side");
  const units = times * countOf(vertex);
  if (vertex.type === "node")
    return { onHosts: true, units, ...contentsOf(vertex), exclusive: isTrue(vertex.exclusive) };
  if (vertex.type !== "slot") throw new Error(`unsupported resource ${String(vertex.type)}`);
  if (hasNode(vertex)) return shapeOf(vertex.with, units);
  return { onHosts: false, units, ...contentsOf(vertex), exclusive: false };
}

/** Units of a shape that fit in the free resources of a host. Without free resources: on the idle host. */
export function roomFor(shape: Shape, all: Amounts, free: Amounts = all): number {
  if (shape.onHosts) {
    const isWhole = free.cores === all.cores && free.gpus === all.gpus;
    return free.cores >= shape.cores && free.gpus >= shape.gpus && (isWhole || !shape.exclusive) ? 1 : 0;
  }
  if (shape.cores === 0 && shape.gpus === 0) return 0;
  const byCores = shape.cores > 0 ? Math.floor(free.cores / shape.cores) : Infinity;
  const byGpus = shape.gpus > 0 ? Math.floor(free.gpus / shape.gpus) : Infinity;
  return Math.max(0, Math.min(byCores, byGpus));
}

/** Resources that some units of a shape take on a host. An exclusive job takes the whole host. */
export function takenBy(shape: Shape, units: number, all: Amounts): Amounts {
  if (shape.onHosts && shape.exclusive) return { cores: all.cores, gpus: all.gpus };
  return { cores: units * shape.cores, gpus: units * shape.gpus };
}

function verticesOf(value: unknown): Vertex[] {
  if (!Array.isArray(value)) throw new Error("unsupported resources");
  return value.map((vertex: unknown) => {
    if (typeof vertex !== "object" || vertex === null || !("type" in vertex)) throw new Error("unsupported resources");
    return vertex;
  });
}

const partsOf = (vertex: Vertex): Vertex[] => (vertex.with === undefined ? [] : verticesOf(vertex.with));

/** Minimum count of a vertex. */
function countOf({ count = 1 }: Vertex): number {
  const least: unknown = typeof count === "object" && count !== null && "min" in count ? count.min : count;
  if (typeof least !== "number" || !Number.isInteger(least) || least < 1) throw new Error("unsupported count");
  return least;
}

const hasNode = (vertex: Vertex): boolean => partsOf(vertex).some((part) => part.type === "node" || hasNode(part));

/** Cores and GPUs of the parts of a vertex within one host. */
function contentsOf(vertex: Vertex): Amounts {
  const sum = { cores: 0, gpus: 0 };
  for (const part of partsOf(vertex)) {
    const count = countOf(part);
    if (part.type === "core") sum.cores += count;
    else if (part.type === "gpu") sum.gpus += count;
    else if (part.type === "slot" || part.type === "socket") {
      const inner = contentsOf(part);
      sum.cores += count * inner.cores;
      sum.gpus += count * inner.gpus;
    } else throw new Error(`unsupported resource ${String(part.type)}`);
  }
  return sum;
}

/** Whether a value of JSON is true in Python, where an empty list or object is false. */
const isTrue = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
