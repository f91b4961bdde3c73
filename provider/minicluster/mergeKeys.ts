/**
 * Lists of a Kubernetes pod template that merge item by item, with the properties that tell their items apart. Every other
 * list is replaced as a whole. From the API server's own schema (x-kubernetes-list-map-keys).
 */
export const mergeKeys: Partial<Record<string, readonly string[]>> = {
  claims: ["name"],
  containers: ["name"],
  env: ["name"],
  ephemeralContainers: ["name"],
  hostAliases: ["ip"],
  imagePullSecrets: ["name"],
  initContainers: ["name"],
  ports: ["containerPort", "protocol"],
  resourceClaims: ["name"],
  schedulingGates: ["name"],
  topologySpreadConstraints: ["topologyKey", "whenUnsatisfiable"],
  volumeDevices: ["devicePath"],
  volumeMounts: ["mountPath"],
  volumes: ["name"],
};

// What Kubernetes takes a key for that is left out.
const keyDefaults: Partial<Record<string, string>> = { protocol: "TCP" };

/** Key of an item in its list, or nothing if a part of the key is missing. */
export function itemKey(item: Record<string, unknown>, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => item[key] ?? keyDefaults[key]);
  return values.every((value) => typeof value === "string" || typeof value === "number")
    ? JSON.stringify(values)
    : undefined;
}
