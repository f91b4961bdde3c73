import { structure } from "../../../provider/kubernetes/structure";

type Fields = Record<string, unknown>;

/** A pod template that Kubernetes takes, with something of nearly everything. */
const sound = (): Fields => ({
  metadata: { labels: { a: "b" }, annotations: { c: "d" } },
  spec: {
    ...{ restartPolicy: "Never", terminationGracePeriodSeconds: 30, nodeSelector: { a: "b" } },
    volumes: [
      { name: "v", emptyDir: {} },
      { name: "w", persistentVolumeClaim: { claimName: "c" } },
      { name: "h", hostPath: { path: "/x" } },
      { name: "p", projected: { sources: [{ secret: { name: "s", items: [{ key: "k", path: "p" }] } }] } },
      { name: "d", downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] } },
      { name: "e", ephemeral: { volumeClaimTemplate: { spec: claim() } } },
    ],
    containers: [
      {
        ...{ name: "a", image: "i", command: ["x"] },
        env: [
          { name: "A", value: "b" },
          { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
          { name: "C", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
        ],
        ports: [{ containerPort: 80, name: "http" }],
        volumeMounts: [
          { name: "v", mountPath: "/v" },
          { name: "w", mountPath: "/w", readOnly: true },
        ],
        resources: { limits: { cpu: "2", memory: "1Gi", "nvidia.com/gpu": "1" }, requests: { cpu: "1" } },
        securityContext: { allowPrivilegeEscalation: false },
        livenessProbe: { exec: { command: ["x"] } },
        readinessProbe: { httpGet: { port: 80 } },
        lifecycle: { preStop: { exec: { command: ["x"] } } },
      },
    ],
    initContainers: [
      { name: "i", image: "i", command: ["x"] },
      { name: "s", image: "i", restartPolicy: "Always", startupProbe: { tcpSocket: { port: 1 } } },
    ],
    tolerations: [{ key: "a", operator: "Exists" }],
    securityContext: { fsGroup: 1, sysctls: [{ name: "net.core.somaxconn", value: "1" }] },
    affinity: affinity(),
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" }],
    resourceClaims: [{ name: "c", resourceClaimTemplateName: "t" }],
    dnsConfig: { nameservers: ["1.2.3.4"] },
    hostAliases: [{ ip: "1.2.3.4", hostnames: ["a"] }],
  },
});

const claim = () => ({ accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } });

const affinity = () => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
    },
  },
  podAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 1, podAffinityTerm: { topologyKey: "a", labelSelector: { matchLabels: { a: "b" } } } },
    ],
  },
});

/**
 * Fields that are for Windows or for features that are off, that other objects have to be there for, or that the Job
 * sets.
 */
const left = new Set(
  (
    "windowsOptions stopSignal podCertificate clusterTrustBundle schedulingGroup seLinuxChangePolicy priority " +
    "priorityClassName preemptionPolicy overhead runtimeClassName automountServiceAccountToken " +
    "serviceAccountName serviceAccount storageClassName volumeAttributesClassName dataSourceRef hostname " +
    "hostnameOverride setHostnameAsFQDN hostNetwork ephemeralContainers"
  ).split(" "),
);

/** Metadata of which a template has these alone. */
const metadata = ["labels", "annotations"];

const texts = [
  ...[
    "",
    "a",
    "A",
    "a.b",
    "a/b",
    "/a",
    "..",
    "../a",
    "..a",
    "a b",
    " a",
    "é",
    "1",
    "80",
    "http",
    "v1",
    "example.com/a",
  ],
  ...[
    "a".repeat(64),
    "a".repeat(254),
    "1.2.3.4",
    "::1",
    "v",
    "w",
    "e",
    "s",
    "c",
    "i",
    "net.core.x",
    "kernel.sem",
    "linux",
  ],
  ..."Always Never OnFailure IfNotPresent TCP In NotIn Exists Gt Equal NoSchedule NoExecute".split(" "),
  ..."Localhost RuntimeDefault Unconfined Default Unmasked None Bidirectional Enabled HTTP cpu".split(" "),
  ..."limits.cpu requests.memory limits.hugepages-2Mi metadata.name metadata.labels metadata.labels['a']".split(" "),
  ..."spec.nodeName DoNotSchedule ScheduleAnyway Honor File Directory ReadWriteOnce Block Strict".split(" "),
  ...[
    "NotRequired",
    "RestartContainer",
    "Restart",
    "PersistentVolumeClaim",
    "ALL",
    "CAP_SYS_ADMIN",
    "https://x",
    "Managed",
  ],
];
const integers = [-1, 0, 1, 2, 30, 80, 100, 101, 255, 256, 511, 512, 600, 65_535, 65_536, 2 ** 31 - 1];
const quantities = ["0", "1", "2", "4", "500m", "1.5", "-1", "1Gi", "2Gi", "3Mi", "2Mi", "10E", 0.5, 3];
const resources = (
  "cpu memory ephemeral-storage nvidia.com/gpu hugepages-2Mi hugepages-x Memory pods storage a.com/b " +
  "requests.a.com/b kubernetes.io/x"
).split(" ");
const keys = [
  ...["a", "A", "a.b/c", "A.b/c", "-a", "a/b/c", "é", "x".repeat(64), "controller.kubernetes.io/pod-deletion-cost"],
  ...["container.apparmor.security.beta.kubernetes.io/a", "seccomp.security.alpha.kubernetes.io/pod"],
];

const itemOf = (type: string) => /^(.+)\[\]$/.exec(type)?.[1];
const valuesOf = (type: string) => /^\{(.+)\}$/.exec(type)?.[1];

/** A place in a value: who has it, its key and its type. */
type Place = [owner: Fields, key: string, type: string];

/** Pod templates with one or two changes at random: fields set, removed or doubled. */
export class Mutants {
  constructor(private state: number) {}

  next(): { template: Fields; changes: string[] } {
    const template = sound();
    const changes = [this.change(template), ...(this.random() < 0.3 ? [this.change(template)] : [])];
    return { template, changes };
  }

  /** A number from 0 to 1 (mulberry32). */
  private random(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  private change(template: Fields): string {
    const places: Place[] = [];
    for (const [field, type] of structure.get("PodTemplateSpec") ?? []) this.visit(template[field], type, places);
    const [owner, key, type] = this.pick(places);
    const [kind, item, list] = [this.random(), itemOf(type), owner[key]];
    if (kind < 0.12 && key in owner) {
      if (Array.isArray(owner)) owner.splice(Number(key), 1);
      else Reflect.deleteProperty(owner, key);
      return `without ${key}`;
    }
    const items: unknown[] = Array.isArray(list) ? list : [];
    if (kind < 0.2 && items.length > 0) owner[key] = [...items, structuredClone(this.pick(items))];
    else if (kind < 0.35 && item !== undefined) owner[key] = [...items, this.value(item, 1)];
    else owner[key] = this.value(type, 1);
    return `${key}: ${JSON.stringify(owner[key])}`;
  }

  private visit(value: unknown, type: string, places: Place[]): void {
    const [item, values] = [itemOf(type), valuesOf(type)];
    if (Array.isArray(value) && item !== undefined)
      return value.forEach((each, index) => {
        places.push([value as unknown as Fields, String(index), item]);
        this.visit(each, item, places);
      });
    if (typeof value !== "object" || value === null) return;
    const owner = value as Fields;
    if (values !== undefined) {
      const names = [...Object.keys(owner), this.pick(values === "quantity" ? resources : keys)];
      places.push(...names.map((key): Place => [owner, key, values]));
    }
    for (const [key, inner] of this.fields(type)) {
      places.push([owner, key, inner]);
      this.visit(owner[key], inner, places);
    }
  }

  private fields(type: string): [key: string, type: string][] {
    const isKept = (key: string) => !left.has(key) && (type !== "ObjectMeta" || metadata.includes(key));
    return [...(structure.get(type) ?? [])].filter(([key]) => isKept(key));
  }

  private value(type: string, depth: number): unknown {
    const [item, values] = [itemOf(type), valuesOf(type)];
    const some = <T>(make: () => T) => Array.from({ length: Math.floor(this.random() * 3) }, make);
    if (item !== undefined) return some(() => this.value(item, depth));
    if (values !== undefined) {
      const names = values === "quantity" ? resources : keys;
      return Object.fromEntries(some(() => [this.pick(names), this.value(values, depth)]));
    }
    const leaf = this.leaf(type);
    if (leaf !== undefined) return leaf;
    const fields = this.fields(type);
    const share = Math.min(0.7, 2.5 / fields.length + (depth > 1 ? 0.1 : 0));
    const chosen = fields.filter(() => this.random() < share);
    return Object.fromEntries(chosen.map(([key, inner]) => [key, this.value(inner, depth + 1)]));
  }

  private leaf(type: string): unknown {
    switch (type) {
      case "string":
        return this.pick(texts);
      case "boolean":
        return this.random() < 0.5;
      case "int32":
      case "int64":
        return this.pick(integers);
      case "port":
        return this.random() < 0.5 ? this.pick(integers) : this.pick(texts);
      case "quantity":
        return this.pick(quantities);
      default:
        return undefined;
    }
  }
}
