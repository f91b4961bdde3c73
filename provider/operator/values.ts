/** Defaults of the operator that the component does not share. */
export const operatorDefaults = {
  /** Default of the CRD, although this image cannot run a command. */
  image: "ghcr.io/rse-ops/accounting:app-latest",
  backoffLimit: 100,
  tasks: 1,
  /** About a year. */
  deadlineSeconds: 31_500_000,
  logLevel: 6,
  connectTimeout: "5s",
  topology: "kary:256",
  strict: { v1alpha1: true, v1alpha2: false },
  v1alpha1: {
    headlessName: "flux-service",
    installRoot: "/usr",
    storageClass: "hostpath",
    capacity: "5Gi",
    // Defaults of the operator's RESTful server.
    username: "fluxuser",
    port: 5000,
  },
} as const;

/** A copy of an object without its undefined properties. */
export function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** A copy of an object without some of its properties. */
export function without<T extends object, K extends keyof T>(object: T, ...names: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;
}

/** A number for which 0 means that it is absent, as in Go. */
export const unlessZero = (value: number | undefined) => (value === 0 ? undefined : value);

/** Two pieces of shell code, one after the other. */
export const joinLines = (first: string | undefined, second: string | undefined) =>
  first !== undefined && second !== undefined ? `${first.replace(/\n?$/, "\n")}${second}` : (first ?? second);
