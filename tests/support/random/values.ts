import fc from "fast-check";

// Values of arguments, many of them at the limits of what Kubernetes takes, or beyond.

export type Odd<T> = fc.Arbitrary<T>;

/** One of some values. */
export const of = <T>(...values: T[]): Odd<T> => fc.constantFrom(...values);

/** A record of which any property may be left out. */
export const some = <T extends object>(model: { [K in keyof T]: Odd<T[K]> }) =>
  fc.record(model, { requiredKeys: [] }) as Odd<Partial<T>>;

/** A map of a few names. */
export const few = <T>(names: Odd<string>, values: Odd<T>, most = 3) => fc.dictionary(names, values, { maxKeys: most });

export const long = (length: number) => "a".repeat(length);

export const labels = of("a", "main", "0", "a-b", "x9", long(63), long(62), "1-2-3");
export const objectNames = of("a", "a.b", "a-b.c", long(253), long(64), "0.1");
export const keys = of(
  ...[
    "a",
    "A",
    "a.b",
    "a_b",
    "example.com/a",
    "a.b.c/D",
    `${long(63)}`,
    `${long(253)}/${long(63)}`,
    "a..b/c",
    "a.-b/c",
  ],
  ...["kubernetes.io/hostname", "topology.kubernetes.io/zone", "-a/b", "EXAMPLE.com/x"],
);
export const values = of("", "a", "A", "a.b", "a_b-c", long(63), "0", "true", "-a", "a b", long(64), "é");
export const texts = of("", " ", "a", "a b", "$(A)", "$$", "é", "\t", "x".repeat(300), '"', "-", "--a");
export const variables = of(
  "A",
  "a",
  "A-B",
  "a.b",
  " ",
  "!",
  "~",
  "1A",
  "_",
  "A B",
  "HOME",
  long(300),
  "a/b",
  ".",
  "..a",
);
export const paths = of(
  "/data",
  "/a/b",
  "/a/../b",
  "/",
  "/..",
  "/a..b",
  "/./x",
  "//x",
  "/dev/shm",
  `/${long(300)}`,
  "/a b",
);
export const files = of("a", "a/b", "../a", "..a", "a/..", "/a", ".", "a..b", "..", "./..", long(300));

export const amounts = of(
  ..."0 1 2 4 0.5 500m 1500m 999.9999 1e3 1E 1k 1Ki 64Mi 1Gi 2Gi 100n 1u".split(" "),
  ...["9223372036854775807", "10E", "1e30", "0.0001", ".5", "1.", "+1", "1e-3", "1000m", "1001m", "3Mi", "4Mi"],
);
export const resourceNames = of(
  ..."cpu cpu cpu memory memory memory ephemeral-storage Memory cup pods storage requests.cpu".split(" "),
  ..."nvidia.com/gpu nvidia.com/gpu amd.com/gpu rdma/hca example.com/a_b kubernetes.io/x requests.a.com/b".split(" "),
  ...[
    "hugepages-2Mi",
    "hugepages-1Gi",
    "hugepages-",
    "hugepages-x",
    "hugepages-1.5",
    `${long(244)}.c/x`,
    `${long(200)}/x`,
  ],
);
export const resourceList = few(resourceNames, amounts);
export const resources = some({ limits: resourceList, requests: resourceList });

export const ids = of(0, 1, 1000, 2 ** 31 - 1);
export const profiles = fc.oneof(
  fc.record({ type: of("RuntimeDefault", "Unconfined") }),
  fc.record({ type: of("Localhost"), localhostProfile: of("a", "a/b", "/a", "../a", " a", "a ", long(4096)) }),
);
export const identity = {
  ...{
    runAsUser: ids,
    runAsGroup: ids,
    runAsNonRoot: fc.boolean(),
    seccompProfile: profiles,
    appArmorProfile: profiles,
  },
  seLinuxOptions: some({ level: texts, role: texts, type: texts, user: texts }),
};
export const securityContext = some({
  ...identity,
  ...{ privileged: fc.boolean(), allowPrivilegeEscalation: fc.boolean(), readOnlyRootFilesystem: fc.boolean() },
  capabilities: some({ add: fc.array(of("SYS_ADMIN", "NET_RAW", "ALL", "x y")), drop: fc.array(of("ALL", "a")) }),
  procMount: of("Default", "Default", "Unmasked"),
});

export const volumes = few(
  of("a", "b", "data", long(63), "0"),
  fc.oneof(
    ...[
      fc.record({ path: paths, hostPath: paths }),
      fc.record({ path: paths, configMapName: objectNames, items: few(of("k", "k.x", " ", long(254)), files) }),
      fc.record({ path: paths, configMapName: objectNames }),
      fc.record({ path: paths, claimName: objectNames, readOnly: fc.boolean() }),
      fc.record({ path: paths, secretName: objectNames }),
      fc.record({
        emptyDir: fc.constant(true),
        emptyDirMedium: of("", "Memory", "HugePages", "x"),
        emptyDirSizeLimit: amounts,
      }),
      fc.record({ path: paths, emptyDir: fc.constant(true) }),
      fc.record({
        path: paths,
        csiDriver: of("d", "a.b", "A.b", "a_b", " a", long(64), "a..b", "-"),
        csiDriverAttributes: few(
          texts.filter((text) => text.trim() !== ""),
          texts,
        ),
      }),
    ],
  ),
  2,
);
