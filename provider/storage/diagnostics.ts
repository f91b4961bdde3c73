import * as pulumi from "@pulumi/pulumi";
import { readerOf } from "../diagnostics/apiServer";
import { beforeCreate } from "../diagnostics/hooks";
import { type JobReader, readAtMost, sentence } from "../core/diagnostics/pods";
import { isWithin } from "../core/parse/container";
import type { MiniClusterSpec } from "../core/parse/spec";
import type { ArchiveFields } from "./fields";
import { printable } from "../shared/printable";
import { stateClaimName, storageOf } from "./spec";

/** Warnings on a file of the archive that is lost with the pods. */
export function archiveWarnings({ path: file }: ArchiveFields, { main, podTemplate }: MiniClusterSpec): string[] {
  // The user's patch of the pods may mount anything anywhere.
  if (podTemplate !== undefined) return [];
  const lasting = Object.values(main.volumes).filter(({ source }) => source !== "emptyDir");
  if (lasting.some(({ path }) => isWithin(file, path))) return [];
  return [`archive.path ${file} is not on a persistent volume, so the state is lost with the pods; mount a volume`];
}

/** Annotation of the storage class of claims that name none. */
const defaultClass = "storageclass.kubernetes.io/is-default-class";

/** Warning of a new claim that gets no volume, because it names no storage class and the Kubernetes cluster has no default one. */
export const warnOfMissingClass = (
  name: string,
  spec: MiniClusterSpec,
  parent: pulumi.Resource,
): pulumi.ResourceHookBinding =>
  beforeCreate(`minicluster:${name}:storageClass`, parent, async () => {
    if (!pulumi.runtime.isDryRun() || storageOf(spec)?.own?.storageClassName !== undefined) return [];
    const read = await readerOf(parent).catch(() => undefined);
    const message = await read?.("/apis/storage.k8s.io/v1/storageclasses").then(
      (list) => missingClass((list as { items: StorageClass[] }).items),
      () => undefined,
    );
    if (read === undefined || message === undefined) return [];
    // The claim of a former cluster has its volume already.
    const path = `/api/v1/namespaces/${spec.namespace}/persistentvolumeclaims/${stateClaimName(spec)}`;
    return read(path).then(
      () => [],
      () => [{ severity: "warning", message }],
    );
  });

/** The fields of a storage class that decide whether claims without a class use it. */
interface StorageClass {
  metadata: { name: string; annotations?: Record<string, string> };
}

/** The message on storage classes none of which is the default one. */
export function missingClass(classes: StorageClass[]): string | undefined {
  if (classes.some(({ metadata }) => metadata.annotations?.[defaultClass] === "true")) return undefined;
  const names = classes.map(({ metadata }) => printable(metadata.name)).join(", ");
  const remedy =
    names === ""
      ? "install one, or set lead.storage.claimName to an existing claim"
      : `set lead.storage.storageClassName (${names}), or lead.storage.claimName to an existing claim`;
  return `the Kubernetes cluster has no default storage class, and the volume of lead.storage needs one; ${remedy}`;
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
