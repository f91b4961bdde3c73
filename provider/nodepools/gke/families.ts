// From the machine families of the GKE cluster autoscaler, and the conditions of the node pool module of the Cluster Toolkit.

/** Machine families, or parts of one: the beginnings of the names of their types. */
type Families = readonly string[];

/** Families that are not sold as spot capacity. */
const withoutSpot: Families = ["h3", "m2"];

/** Families whose boot disk is a Hyperdisk, and no persistent disk. */
const withHyperdiskAlone: Families = [
  ...["a3-ultragpu", "a4", "a4x", "c4", "c4a", "c4d", "c4n", "g4", "h4d", "m4", "n4", "n4a", "n4d", "z4d"],
];

/** Families on which the kubelet cannot keep a pod's CPUs, memory and devices together on one NUMA node. */
const withoutNuma: Families = ["e2", "n1", "n2", "n2d", "t2d"];

/** Families that flex start may bring in a compact placement. */
const withCompactFlexStart: Families = ["a3-ultragpu", "a4", "h4d"];

const isOneOf = (families: Families) => (type: string) => families.some((family) => type.startsWith(`${family}-`));

export const hasSpot = (type: string) => !isOneOf(withoutSpot)(type);
export const hasHyperdiskAlone = isOneOf(withHyperdiskAlone);
export const hasNuma = (type: string) => !isOneOf(withoutNuma)(type);
export const hasCompactFlexStart = isOneOf(withCompactFlexStart);
