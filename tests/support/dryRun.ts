import { jobsOf, type MiniClusterSpec } from "../../provider/brokers/parse/spec";
import type { Kube } from "../sandbox/kube";
import { sentFor } from "./manifests";

/** Kinds of the objects of a cluster by their names in the manifests. */
const kinds: Record<string, [apiVersion: string, kind: string]> = {
  secret: ["v1", "Secret"],
  environment: ["v1", "Secret"],
  account: ["v1", "ServiceAccount"],
  pod: ["v1", "Pod"],
  configMap: ["v1", "ConfigMap"],
  programs: ["v1", "ConfigMap"],
  servicesPod: ["v1", "Pod"],
  service: ["v1", "Service"],
  servicesService: ["v1", "Service"],
  leadService: ["v1", "Service"],
  networkPolicy: ["networking.k8s.io/v1", "NetworkPolicy"],
  job: ["batch/v1", "Job"],
  disruptionBudget: ["policy/v1", "PodDisruptionBudget"],
  claimTemplate: ["resource.k8s.io/v1", "ResourceClaimTemplate"],
  role: ["rbac.authorization.k8s.io/v1", "Role"],
  binding: ["rbac.authorization.k8s.io/v1", "RoleBinding"],
  prepull: ["apps/v1", "DaemonSet"],
  deployment: ["apps/v1", "Deployment"],
};

const kindOf = (name: string) => kinds[/^service of /.test(name) ? "service" : name];

const pathOf = (apiVersion: string, kind: string, namespace: string) => {
  const plural = `${kind.toLowerCase().replace(/y$/, "ie")}s`;
  return `/${apiVersion === "v1" ? "api" : "apis"}/${apiVersion}/namespaces/${namespace}/${plural}`;
};

interface Template {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: object;
}

/** The pod that the Job controller creates from a template. */
export function podOfJob(name: string, namespace: string, { metadata, spec }: Template): object {
  const index = { "batch.kubernetes.io/job-completion-index": "0" };
  return {
    metadata: {
      ...metadata,
      generateName: `${name}-0-`,
      namespace,
      labels: { ...metadata?.labels, ...index, "job-name": name, "batch.kubernetes.io/job-name": name },
      annotations: { ...metadata?.annotations, ...index },
    },
    spec: { ...spec, hostname: `${name}-0` },
  };
}

/** Users create the other objects that a pod needs; the API server requires them when the pod is created. */
const needed = /no PriorityClass with name|error looking up service account|RuntimeClass "[^"]*" not found/;

/** Reasons for which the API server rejects an object in a dry run. */
export async function refusalOf(kube: Kube, name: string, namespace: string, object: object): Promise<string[]> {
  const [apiVersion, kind] = kindOf(name) ?? [];
  if (apiVersion === undefined || kind === undefined) return [];
  const trial = `${pathOf(apiVersion, kind, namespace)}?dryRun=All&fieldValidation=Strict`;
  try {
    await kube.request("POST", trial, { apiVersion, kind, ...object });
    return [];
  } catch (error) {
    const { message } = error as Error;
    return needed.test(message) ? [] : [`${name}: ${message}`];
  }
}

/** Reasons for which the API server rejects the objects of a cluster or the pods of its Job in a dry run. */
export const refusalsOf = async (kube: Kube, spec: MiniClusterSpec): Promise<string[]> =>
  (await Promise.all(jobsOf(spec).map((job) => refusalsOfJob(kube, job)))).flat();

async function refusalsOfJob(kube: Kube, spec: MiniClusterSpec): Promise<string[]> {
  const { namespace, name } = spec;
  const { sidecarServices = {}, metrics = {}, agent = {}, ...others } = (await sentFor(spec)) as Objects;
  const { template } = (others.job as { spec: { template: Template } }).spec;
  const fronts = Object.entries(sidecarServices).map(([name, front]) => [`service of ${name}`, front] as const);
  const objects: Objects = { ...others, ...agent, ...metrics, ...Object.fromEntries(fronts) };
  const pods = [podOfJob(name, namespace, template), ...agentPods(agent, namespace)];
  const tried = [...Object.entries(objects), ...pods.map((pod) => ["pod", pod] as const)];
  const found = await Promise.all(tried.map(([name, object]) => refusalOf(kube, name, namespace, object)));
  return found.flat();
}

type Objects = Record<string, object>;

/** The pod of the agent, if there is one, with its service account. */
function agentPods({ deployment }: { deployment?: unknown }, namespace: string): object[] {
  if (deployment === undefined) return [];
  const { spec } = (deployment as { spec: { template: Template } }).spec.template;
  return [{ metadata: { name: "agent", namespace }, spec: { ...spec, serviceAccountName: undefined } }];
}
