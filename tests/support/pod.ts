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

/** Quality of service of a pod, as Kubernetes computes it (pkg/apis/core/v1/helper/qos, with the API server's defaults). */
export function qualityOfService({ containers, initContainers = [] }: PlainPod): string {
  const all = [...containers, ...initContainers].map(({ resources: { limits = {}, requests = {} } = {} }) => ({
    limits,
    requests: { ...limits, ...requests },
  }));
  const counted = ["cpu", "memory"];
  if (all.every(({ requests }) => counted.every((name) => requests[name] === undefined))) return "BestEffort";
  const guaranteed = all.every(({ limits, requests }) =>
    counted.every((name) => limits[name] !== undefined && limits[name] === requests[name]),
  );
  return guaranteed ? "Guaranteed" : "Burstable";
}
