import fc from "fast-check";

// Values of arguments, many of them at the limits of what Kubernetes takes, or beyond.

type Odd<T> = fc.Arbitrary<T>;

export const of = <T>(...values: T[]): Odd<T> => fc.constantFrom(...values);
export const flag = fc.boolean();
export const long = (length: number) => "a".repeat(length);

/** Words, and texts that are not words. */
export const words = (text: string, ...others: string[]) => of(...text.split(" "), ...others);

/** A record of which only the named properties are always there. */
export const record = <T extends object>(model: { [K in keyof T]: Odd<T[K]> }, ...always: (keyof T)[]) =>
  fc.record(model, { requiredKeys: always as [] }) as Odd<Partial<T>>;

/** A map of a few names. */
export const few = <T>(names: Odd<string>, values: Odd<T>, most = 3) => fc.dictionary(names, values, { maxKeys: most });

export const list = <T>(items: Odd<T>, most = 1) => fc.array(items, { maxLength: most });

export const labels = words("a main 0 a-b x9 1-2-3", long(63), long(62));
export const objectNames = words("a a.b a-b.c 0.1", long(253), long(64));
export const keys = words(
  "a A a.b a_b example.com/a a.b.c/D a..b/c a.-b/c kubernetes.io/hostname topology.kubernetes.io/zone -a/b",
  "EXAMPLE.com/x",
  long(63),
  `${long(253)}/${long(63)}`,
);
export const values = words("a A a.b a_b-c 0 true -a é", "", "a b", long(63), long(64));
export const texts = words('a $(A) $$ é " - --a', "", " ", "a b", "\t", "x".repeat(300));
export const variables = words("A a A-B a.b ! ~ 1A _ HOME a/b . ..a", " ", "A B", long(300));
export const paths = words("/data /a/b /a/../b / /.. /a..b /./x //x /dev/shm", `/${long(300)}`, "/a b");
export const files = words("a a/b ../a ..a a/.. /a . a..b .. ./..", long(300));
export const amounts = words(
  "0 1 2 4 0.5 500m 1500m 999.9999 1e3 1E 1k 1Ki 64Mi 1Gi 2Gi 100n 1u " +
    "9223372036854775807 10E 1e30 0.0001 .5 1. +1 1e-3 1000m 1001m 3Mi 4Mi",
);
const resourceNames = words(
  "cpu cpu cpu memory memory memory ephemeral-storage Memory cup pods storage requests.cpu nvidia.com/gpu " +
    "nvidia.com/gpu amd.com/gpu rdma/hca example.com/a_b kubernetes.io/x requests.a.com/b " +
    "hugepages-2Mi hugepages-1Gi hugepages- hugepages-x hugepages-1.5",
  `${long(244)}.c/x`,
  `${long(200)}/x`,
);
const resourceList = few(resourceNames, amounts);
export const resources = record({ limits: resourceList, requests: resourceList });
