import { annotationsRule, labelsRule } from "./metadata";
import { type At, fieldsOf } from "./reading";

/** Most bytes of the values of a ConfigMap or a Secret in total. Source: `pkg/apis/core/types.go`, `MaxSecretSize`. */
export const maxDataBytes = 1024 * 1024;

/** Bytes of the values of a ConfigMap. */
export const dataBytes = (data: Record<string, string>): number =>
  Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/**
 * Most bytes that the API server stores of an object. Source: `apiserver/pkg/server/options/etcd.go` and the flag
 * `--max-request-bytes` of etcd.
 */
export const maxStoredBytes = 1.5 * 1024 * 1024;

/** Bytes of the texts in an object that are known now, a lower bound of its stored size. */
export function textBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  const parts = Array.isArray(value) ? value : Object.values(fieldsOf(value));
  return parts.reduce<number>((sum, part) => sum + textBytes(part), 0);
}

/** The rule on the labels and annotations of an object. */
export function metadataRule(metadata: unknown, at: At): void {
  const { labels, annotations } = fieldsOf(metadata);
  labelsRule(labels, (path, message) => at(["labels", ...path], message));
  annotationsRule(annotations, (path, message) => at(["annotations", ...path], message));
}
