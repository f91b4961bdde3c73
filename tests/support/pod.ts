import type { MiniClusterArgs } from "../../provider";
import { manifestsOf } from "./manifests";

type Quantities = Record<string, string>;

/** A container as the API server sees it: the builders' types allow outputs everywhere, and these tests give none. */
export interface PlainContainer {
  name: string;
  image: string;
  command?: string[];
  restartPolicy?: string;
  resources?: { limits?: Quantities; requests?: Quantities };
  securityContext?: Record<string, unknown>;
  env?: { name: string; value?: string; valueFrom?: object }[];
  ports?: object[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean; subPath?: string }[];
  [key: string]: unknown;
}

/** A pod as the API server sees it. */
export interface PlainPod {
  containers: PlainContainer[];
  initContainers?: PlainContainer[];
  volumes: ({ name: string } & Record<string, unknown>)[];
  [key: string]: unknown;
}

/** The pods of a cluster. */
export function podOf(args: Partial<MiniClusterArgs> = {}): PlainPod {
  return manifestsOf(args).job.spec.template.spec as unknown as PlainPod;
}

/** The container of a pod that has a name. */
export function containerOf(pod: PlainPod, name: string): PlainContainer {
  const found = [...(pod.initContainers ?? []), ...pod.containers].find((container) => container.name === name);
  if (!found) throw new Error(`the pod has no container ${name}`);
  return found;
}
