import fc from "fast-check";
import { structure } from "../../../provider/kubernetes/structure";
import { readData } from "../data";

type Fields = Record<string, unknown>;

/** Fields for Windows, of features that are off, that need other objects, or that the Job sets. */
const left = new Set(
  (
    "windowsOptions stopSignal podCertificate clusterTrustBundle schedulingGroup seLinuxChangePolicy priority " +
    "priorityClassName preemptionPolicy overhead runtimeClassName automountServiceAccountToken " +
    "serviceAccountName serviceAccount storageClassName volumeAttributesClassName dataSourceRef hostname " +
    "hostnameOverride setHostnameAsFQDN hostNetwork ephemeralContainers"
  ).split(" "),
);

const texts = [
  ...(
    "a A a.b a/b /a .. ../a ..a é 1 80 http v1 example.com/a 1.2.3.4 ::1 v w e s c i net.core.x kernel.sem linux " +
    "Always Never OnFailure IfNotPresent TCP In NotIn Exists Gt Equal NoSchedule NoExecute Localhost RuntimeDefault " +
    "Unconfined Default Unmasked None Bidirectional Enabled HTTP cpu limits.cpu requests.memory limits.hugepages-2Mi " +
    "metadata.name metadata.labels metadata.labels['a'] spec.nodeName DoNotSchedule ScheduleAnyway Honor File " +
    "Directory ReadWriteOnce Block Strict NotRequired RestartContainer Restart PersistentVolumeClaim ALL " +
    "CAP_SYS_ADMIN https://x Managed"
  ).split(" "),
  "",
  "a b",
  " a",
  "a".repeat(64),
  "a".repeat(254),
];
const integers = [-1, 0, 1, 2, 30, 80, 100, 101, 255, 256, 511, 512, 600, 65_535, 65_536, 2 ** 31 - 1];
const resources = (
  "cpu memory ephemeral-storage nvidia.com/gpu hugepages-2Mi hugepages-x Memory pods storage a.com/b " +
  "requests.a.com/b kubernetes.io/x"
).split(" ");
const keys = [
  "a",
  "A",
  "a.b/c",
  "A.b/c",
  "-a",
  "a/b/c",
  "é",
  "x".repeat(64),
  "controller.kubernetes.io/pod-deletion-cost",
  "container.apparmor.security.beta.kubernetes.io/a",
  "seccomp.security.alpha.kubernetes.io/pod",
];

/** Values of the types without fields. */
const leaves: Record<string, fc.Arbitrary<unknown>> = {
  string: fc.constantFrom(...texts),
  boolean: fc.boolean(),
  int32: fc.constantFrom(...integers),
  int64: fc.constantFrom(...integers),
  port: fc.oneof(fc.constantFrom(...integers), fc.constantFrom(...texts)),
  quantity: fc.constantFrom(..."0 1 2 4 500m 1.5 -1 1Gi 2Gi 3Mi 2Mi 10E".split(" "), 0.5, 3),
};

const sound = readData<Fields>("podTemplate.yaml");

const itemOf = (type: string) => /^(.+)\[\]$/.exec(type)?.[1];
const valuesOf = (type: string) => /^\{(.+)\}$/.exec(type)?.[1];
const namesFor = (values: string) => (values === "quantity" ? resources : keys);

/** The fields of a type, of which those of a template's metadata are labels and annotations alone. */
const fieldsOf = (type: string) =>
  [...(structure.get(type) ?? [])].filter(
    ([key]) => !left.has(key) && (type !== "ObjectMeta" || ["labels", "annotations"].includes(key)),
  );

/** A place in a value: who has it, its key and its type. */
type Place = [owner: Fields, key: string, type: string];

/** Pod templates with one or two changes at random: fields set, removed or doubled. */
export const mutants = fc.gen().map((g) => {
  const pick = <T>(items: readonly T[]) => g(fc.constantFrom<T[]>, ...items);
  const percent = () => g(fc.integer, { min: 0, max: 99 });
  const some = <T>(make: () => T) => Array.from({ length: g(fc.nat, 2) }, make);
  const template = structuredClone(sound);

  function valueFor(type: string, depth: number): unknown {
    const [item, values] = [itemOf(type), valuesOf(type)];
    if (item !== undefined) return some(() => valueFor(item, depth));
    if (values !== undefined) return Object.fromEntries(some(() => [pick(namesFor(values)), valueFor(values, depth)]));
    const leaf = leaves[type];
    if (leaf) return g(() => leaf);
    const fields = fieldsOf(type);
    const share = Math.min(70, 250 / fields.length + (depth > 1 ? 10 : 0));
    const chosen = fields.filter(() => percent() < share);
    return Object.fromEntries(chosen.map(([key, inner]) => [key, valueFor(inner, depth + 1)]));
  }

  function placesIn(value: unknown, type: string): Place[] {
    const [item, values] = [itemOf(type), valuesOf(type)];
    if (typeof value !== "object" || value === null) return [];
    const owner = value as Fields;
    const named = values === undefined ? [] : [...Object.keys(owner), pick(namesFor(values))];
    const own: [string, string][] = item === undefined ? fieldsOf(type) : Object.keys(owner).map((key) => [key, item]);
    return [
      ...named.map((key): Place => [owner, key, values ?? ""]),
      ...own.flatMap(([key, inner]): Place[] => [[owner, key, inner], ...placesIn(owner[key], inner)]),
    ];
  }

  function change(): string {
    const places = fieldsOf("PodTemplateSpec").flatMap(([field, type]) => placesIn(template[field], type));
    const [owner, key, type] = pick(places);
    const [kind, item, list] = [percent(), itemOf(type), owner[key]];
    if (kind < 12 && key in owner) {
      if (Array.isArray(owner)) owner.splice(Number(key), 1);
      else Reflect.deleteProperty(owner, key);
      return `without ${key}`;
    }
    const items: unknown[] = Array.isArray(list) ? list : [];
    if (kind < 20 && items.length > 0) owner[key] = [...items, structuredClone(pick(items))];
    else if (kind < 35 && item !== undefined) owner[key] = [...items, valueFor(item, 1)];
    else owner[key] = valueFor(type, 1);
    return `${key}: ${JSON.stringify(owner[key])}`;
  }

  return { changes: percent() < 30 ? [change(), change()] : [change()], template };
});
