import { isDeepStrictEqual } from "node:util";
import { amount } from "../../shared/checks";
import { isDeferred } from "../../shared/deferred";
import { isPlainObject } from "../../shared/objects";
import { fieldsOf, itemsOf } from "../../shared/reading";
import { itemKey, mergeKeys } from "../parse/strategicMerge";

type Path = readonly PropertyKey[];

/**
 * Paths at which a wanted object differs from the live one, in the wanted object: the API server has added defaults to the live one,
 * and has written its quantities in another form. A value that is known only later is no difference.
 */
export function differences(live: unknown, wanted: unknown, path: Path = []): Path[] {
  if (isDeferred(wanted)) return [];
  if (isPlainObject(wanted)) {
    const removed = Object.entries(fieldsOf(live)).filter(([key, value]) => !(key in wanted) && !isDefault(key, value));
    return [
      ...Object.entries(wanted).flatMap(([key, value]) => differences(fieldsOf(live)[key], value, [...path, key])),
      ...removed.map(([key]) => [...path, key]),
    ];
  }
  if (Array.isArray(wanted)) return listDifferences(itemsOf(live), wanted, path);
  return isSame(live, wanted) ? [] : [path];
}

/** The differences of a list: of its items with the same key, or at the same index if they have no key. */
function listDifferences(live: unknown[], wanted: unknown[], path: Path): Path[] {
  const keys = mergeKeys.get(String(path.at(-1)));
  const keyOf = (item: unknown, index: number) => (keys && itemKey(fieldsOf(item), keys)) ?? String(index);
  const former = new Map(live.map((item, index) => [keyOf(item, index), item]));
  const kept = new Set(wanted.map(keyOf));
  return [
    ...wanted.flatMap((item, index) => {
      const other = former.get(keyOf(item, index));
      return other === undefined ? [[...path, index]] : differences(other, item, [...path, index]);
    }),
    ...([...former.keys()].every((key) => kept.has(key)) ? [] : [path]),
  ];
}

/** Values that the API server adds to the pod template of a Job. Source: `pkg/apis/core/v1/defaults.go`. */
const defaults: Record<string, unknown> = {
  apiVersion: "v1",
  defaultMode: 0o644,
  divisor: "0",
  dnsPolicy: "ClusterFirst",
  failureThreshold: 3,
  periodSeconds: 10,
  protocol: "TCP",
  schedulerName: "default-scheduler",
  scheme: "HTTP",
  successThreshold: 1,
  terminationGracePeriodSeconds: 30,
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  timeoutSeconds: 1,
};

/** Names that the API server writes in addition to others, and labels of the Job controller. */
const added = /^(serviceAccount|imagePullPolicy|controller-uid|job-name|batch\.kubernetes\.io\/.*)$/;

const isDefault = (key: string, value: unknown) => isEmpty(value) || value === defaults[key] || added.test(key);

/** True for a value that the API server does not store. */
const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  value === 0 ||
  (typeof value === "object" && Object.keys(value).length === 0);

function isSame(live: unknown, wanted: unknown): boolean {
  if (isDeepStrictEqual(live, wanted) || (isEmpty(live) && isEmpty(wanted))) return true;
  const [one, other] = [amount(live), amount(wanted)];
  return one !== undefined && one === other;
}
