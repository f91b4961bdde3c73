import { type JobReader, readAtMost, sentence } from "../core/diagnostics/pods";
import { isWithin } from "../core/parse/container";
import type { MiniClusterSpec } from "../core/parse/spec";
import type { ArchiveFields } from "./fields";
import { storageOf } from "./spec";

/** Warnings on a file of the archive that is lost with the pods. */
export function archiveWarnings({ path: file }: ArchiveFields, { main, podTemplate }: MiniClusterSpec): string[] {
  // The user's patch of the pods may mount anything anywhere.
  if (podTemplate !== undefined) return [];
  const lasting = Object.values(main.volumes).filter(({ source }) => source !== "emptyDir");
  if (lasting.some(({ path }) => isWithin(file, path))) return [];
  return [`archive.path ${file} is not on a persistent volume, so the state is lost with the pods; mount a volume`];
}

/** Reason why the claim with the state of the instance has no volume. The events of the pod that waits for it do not show it. */
export async function claimProblems({ read }: JobReader, spec: MiniClusterSpec): Promise<string[]> {
  const claim = storageOf(spec)?.claimName;
  if (typeof claim !== "string") return [];
  const about = `involvedObject.kind=PersistentVolumeClaim,involvedObject.name=${claim},type=Warning`;
  const path = `/api/v1/namespaces/${spec.namespace}/events?fieldSelector=${encodeURIComponent(about)}&limit=${readAtMost}`;
  const { items } = (await read(path)) as { items: { reason?: string; message?: string }[] };
  const last = items.at(-1);
  return last ? [`claim ${claim}: ${sentence(last.reason, last.message)}`] : [];
}
